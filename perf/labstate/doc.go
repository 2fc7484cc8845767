// Package labstate describes the part of a lab around the adapters that can be changed: workloads, cables, switch ports, slots,
// scenes, with the loads of the newest columns. It is independent of the catalogue's counters.
package labstate
