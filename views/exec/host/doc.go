// Package host implements the program's own commands: adapters, registry keys, plans, teams, virtual functions and machines,
// switch ports, time, counters, events and the journal. They work with both drivers. The tools of the vendor and of Windows
// are in packages of their own.
package host
