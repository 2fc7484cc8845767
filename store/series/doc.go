// Package series stores the meaning of a session's cells: the list of its series, which sessions with the same series share,
// and its inventories. The cells themselves are in package parts.
package series
