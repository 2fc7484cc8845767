// Package description holds a lab as it is written down: the host, its adapters with their ports and cables, the traffic and
// the faults, with the kinds of values that they have. It reads descriptions from TOML, checks them, and has the labs that
// need no file. What a lab does with a description belongs to device.
package description
