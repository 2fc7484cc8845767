package device

import (
	"slices"

	"cxdeck/device/setup"
)

// SetVirtualPorts sets for each port whether a virtual switch is bound to it. When that changes, the driver recreates its
// queues, and its counts by processor restart at 0.
func (l *Lab) SetVirtualPorts(on []bool) {
	now, changed := slices.Clone(l.setup.Virtual), false
	for port := range now {
		if now[port].On == on[port] {
			continue
		}
		l.clearKinds(port)
		now[port], changed = setup.VirtualPorts{On: on[port]}, true
	}
	if changed {
		l.setup.Virtual, l.filled = now, -1
		l.replan()
	}
}

// HasVirtualPorts reports whether a port counts by virtual port.
func (l *Lab) HasVirtualPorts(port int) bool { return l.setup.Virtual[port].On }

// VirtualPorts returns the received packets of each virtual port of a port by processor, in the order of slots, each with the
// sum of its processors first. It is empty without a virtual switch, or when the driver does not count. The list belongs to the
// lab: it may be read until the next Advance or change.
func (l *Lab) VirtualPorts(port int) []setup.VirtualCount {
	l.Counters()
	return l.shown[port].Rows
}

// VirtualCount returns the packets that a processor has received for a virtual port, nil when the port does not exist or the
// processor does not serve it. It may be read until the next Advance or change.
func (l *Lab) VirtualCount(port, slot, processor int) *setup.VirtualCount {
	l.Counters()
	return l.shown[port].Find(slot, processor)
}

// closeVirtualPorts stores the counts of a port's guests under their current shares, before they change; see
// functions.Ports.CloseVirtual.
func (l *Lab) closeVirtualPorts(port, slot int) {
	if l.setup.Virtual[port].On && l.steps > 0 {
		l.functionPorts().CloseVirtual(&l.shown[port], port, slot)
		l.filled = -1
	}
}
