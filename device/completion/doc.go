// Package completion is how the driver finds the packets of a ring: after interrupts, which moderation delays, or by polling, in
// passes that hand packets over to the host, with the counters of it (NIC-9 to NIC-14). Which packets come into a ring, and what
// the processors have time for, belongs to the lab.
package completion
