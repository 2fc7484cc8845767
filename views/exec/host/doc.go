// Package host implements the program's own commands: adapters, registry keys, plans, teams, virtual functions and machines, the
// fabric around the host, its time, counters, events and journal. Each works on what the driver has, for adapters of both
// drivers; what a tool of the vendor or of Windows prints and takes is in the package of that tool.
package host
