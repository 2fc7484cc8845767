// Package counter names the counters of the lab's hardware, and gives each its place: all counters of a lab are one list of
// numbers, and a cell is an index in it. Package device does the counting.
package counter
