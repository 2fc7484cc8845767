// Package device models the hardware of the lab: adapters, ports, functions, the fabric they are cabled to and the traffic on
// it, with the counters that hardware keeps. It does not depend on Windows, registry keys or perfmon names, nor on a clock or
// random numbers of its own: the same description, seed and actions give the same numbers, whatever the step.
//
// A Description defines a lab. NewPlant compiles it into a Plant, which never changes. The plan holds the current setup
// of ports, switches, slots and processors, and is rebuilt when that changes. A Lab holds the state that changes with
// time, in flat slices. Each inner step follows the path of a packet: schedules and links; the demand of the flows; the
// limits of line and slot; the rings and their processors; then whole frames are counted, with remainders carried over;
// and last the state of rings, switch queues and senders for the next step. Every frame is either delivered or counted
// where it was lost. Rules that comments cite by an id, such as PERF-6, are explained in docs/model.md.
//
// Algorithms that need no lab, such as the hash of receive side scaling, are packages of their own under this one.
package device
