// Package labstate describes the environment of a lab's adapters: workloads, cables, switch ports, slots, scenes, and the loads
// of the newest columns. It is independent of the catalogue's counters.
package labstate
