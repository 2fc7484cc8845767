package driver

import (
	"cxdeck/driver/dump"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/virtualization"
)

// dumpSet returns the host's dumps and traces, to look at and to change.
func (h *Host) dumpSet() dump.Set { return dump.Set{Facts: partHost{h}, State: &h.dumps} }

// Dumps returns the dumps and traces as they are now, to look at.
func (h *Host) Dumps() dump.Set {
	state := h.dumps
	return dump.Set{Facts: partHost{h}, State: &state}
}

func (h partHost) NewestEvents(limit int) []eventlog.Event { return h.events.After(0, limit) }

func (h partHost) VirtualFunctions(port int) []virtualization.VFView {
	return h.hypervisor().ViewPorts()[port].VFs
}

// dumpLink has the driver of a port write what its keys ask for when its link changed.
func (h *Host) dumpLink(port int, up bool) {
	event := dump.PortDown
	switch {
	case up:
		event = dump.PortUp
	case !h.lab.State(port).Enabled:
		event = dump.PortNone
	}
	h.dumpSet().DumpState(port, event)
}

// restoreDumps takes over a saved state.
func (h *Host) restoreDumps(saved dump.State) error {
	h.dumps = saved
	return h.dumpSet().Check()
}
