// Package device is the hardware of the lab: adapters, ports, functions, the fabric they are cabled to and the traffic
// on it, with the counters that hardware keeps. It does not depend on Windows, registry keys or perfmon names. Time and
// randomness come in from outside: the same description, seed and actions give the same numbers, whatever the step.
//
// A Description is a lab as written down. New lays it out as a Plant, which never changes; how ports, switches, slots
// and processors are set up at a time is the plan, which is made again when that changes; a Lab is all that moves, in
// flat slices. Each inner step goes the way that a packet goes: schedules and links; what the flows want; what the line
// and the slot let pass; what the processors take from the rings; then whole frames, with remainders carried, are
// counted; and at last what the rings, the switches' queues and the senders make of it in the next step. What arrives
// is delivered, or counted at the place where it was lost. Rules that comments name by an id, such as PERF-6, are
// explained in docs/model.md.
//
// Algorithms that need no lab, such as the hash of receive side scaling, are packages of their own under this one.
package device
