// Package administration has the programs that ask the subnet administration: saquery for its records, and osmtest, which tests
// it.
package administration
