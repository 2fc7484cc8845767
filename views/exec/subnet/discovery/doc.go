// Package discovery has the programs that discover the whole subnet: they list its nodes and links, save and compare
// discoveries, and check all ports.
package discovery
