// Package ports has the programs that ask one port or node: for attributes, counters, its state and its subnet manager; some
// change them.
package ports
