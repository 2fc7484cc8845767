// Package counter names the counters that the hardware of the lab keeps, and gives each its place: all counters of a lab
// are one list of numbers, and a cell is an index of it. It counts nothing: what moves a counter is in package device.
package counter
