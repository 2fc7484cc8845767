// Package lab implements the source of the embedded model: the series of a host, the blocks that fill their cells from the
// counters of its hardware, and its inventory. Package labstate describes the environment of the adapters.
package lab
