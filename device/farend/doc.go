// Package farend holds what is counted beyond the cable of a port: at the switch port, at the second switch port to which the
// peers are cabled, and at the adapters of the peers. It knows nothing of flows.
package farend
