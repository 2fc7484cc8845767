// Package completion models how the driver finds the packets of a ring: after interrupts, which moderation delays, or by
// polling, in passes that hand packets over to the host, with their counters (NIC-9 to NIC-14). The lab determines the packets
// in a ring and the capacity of the processors.
package completion
