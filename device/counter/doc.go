// Package counter names the counters of the lab's hardware and assigns each a cell: the counters of a lab are one list of
// numbers, and a cell is an index in it. Package device updates them.
package counter
