// Package series keeps what the cells of a session mean: the list of its series, which sessions with the same series share, and
// its inventories. The cells themselves are in package parts.
package series
