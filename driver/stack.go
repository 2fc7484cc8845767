package driver

import (
	"strconv"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/stack"
	"cxdeck/driver/virtualization"
)

// stackSet returns the network stack with its rules, to look at and to change.
func (h *Host) stackSet() stack.Set { return stack.Set{Ports: partHost{h}, State: &h.stack} }

// Stack returns the network stack as it is now, to look at.
func (h *Host) Stack() stack.Set {
	state := h.stack
	return stack.Set{Ports: partHost{h}, State: &state}
}

func (h partHost) TakesRDMA(port int) bool { return h.hypervisor().TakesRDMA(port) }
func (h partHost) HasNetworkDirect(port int) bool {
	d, _, _ := h.lab.Port(port)
	return d.Link == description.InfiniBand || h.lab.Settings(port).RoCE != description.NoRoCE
}

// GIDPoll implements stack.Ports: a running WinOF driver polls.
func (h partHost) GIDPoll(port int) (interval time.Duration, polls bool) {
	n, ok := h.number(port, "UpdateGIDTimerFrequency", registry.BusDriver)
	return time.Duration(n) * time.Millisecond, ok && h.miniports[port].state == Running
}

func (h partHost) TooManyGIDs(port, limit int) {
	if d, _, _ := h.lab.Port(port); h.family(port) == description.WinOF2 { // the manual of WinOF has no such event
		h.note(h.lab.Elapsed(), port, "mlx5.too-many-rroce-ips", d.Device, strconv.Itoa(limit))
	}
}

// GIDs returns the GID table of a port as its driver has it now.
func (h *Host) GIDs(port int) []stack.GID { return h.stackSet().GIDs(port, roceText(h.roceMode(port))) }

// NeedsFlowControl implements stack.Ports: WinOF disables NDK and its clients while PFC is off. Global pause is enough in the lab, because
// the manual gives RDMA a DSCP under global pause.
func (h partHost) NeedsFlowControl(port int) bool {
	d, _, _ := h.lab.Port(port)
	if d.Link != description.Ethernet || h.family(port) != description.WinOF {
		return false
	}
	s, _ := h.lab.Operational(port)
	return s.Lossless == 0 && !s.AsksPause && !s.ObeysPause
}

// setMarks sets the priorities of the flows, and whether SMB travels by RDMA.
func (h *Host) setMarks() error { return h.lab.SetMarks(h.stackSet().Carry(h.qosSet().Marks())) }

// Bound reports whether a component of Windows is bound to a port: one of the stack (virtualization.StackBindings).
func (h *Host) Bound(port int, component string) bool {
	return h.hypervisor().Bound(port, virtualization.AdapterFeature(component))
}

func (h partHost) Use(key string, value registry.Value) {
	for port := range h.miniports {
		if r, ok := h.catalogue(port).Find(key, registry.System); ok && h.miniports[port].effective != nil {
			h.miniports[port].effective = h.miniports[port].effective.With(r, value)
		}
	}
}

func (h *Host) restoreStack(saved stack.State) error {
	h.stack = saved
	return h.stackSet().Check()
}
