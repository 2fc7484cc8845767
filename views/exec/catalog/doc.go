// Package catalog puts the families of commands together in the one table that the program uses. Tests of commands stand
// here, with the scripts that they run.
package catalog
