// Package labstate is what is around the adapters of a lab and can be changed there: workloads, cables, switch ports, slots,
// scenes, with the loads of the newest columns. It knows no counters of the catalogue.
package labstate
