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

func (h partHost) TakesRDMA(port int) bool { return h.hypervisor().TakesRDMA(port) }

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

// signatureKey is the value of the registry that the SMB server reads when Windows boots, and that Set-SmbServerConfiguration writes.
const signatureKey = "RequireSecuritySignature"

func (h partHost) Signature() *uint32 {
	value, found := h.Stored(0, signatureKey, registry.System)
	if !found || !value.Exists() {
		return nil
	}
	return new(value.Number())
}

func (h partHost) SetSignature(value *uint32, signs bool) {
	stored := registry.Value{}
	if value != nil {
		stored = registry.NumberValue(*value)
	}
	h.StoreAt(0, registry.System, signatureKey, stored)
	used := stored
	if signs != (stored.Exists() && stored.Number() != 0) { // the stored value waits for a boot
		used = registry.NumberValue(map[bool]uint32{true: 1}[signs])
	}
	for port := range h.miniports {
		if r, found := h.catalogue(port).Find(signatureKey, registry.System); found && h.miniports[port].effective != nil {
			h.miniports[port].effective = h.miniports[port].effective.With(r, used)
		}
	}
}

// alignSignature makes one of the two values that hosts of earlier versions kept: the server requires signatures if either says so.
func (h *Host) alignSignature() {
	if h.miniports[0].state != Running {
		return // a boot has not completed yet: the server has read the registry, the drivers will
	}
	used, _ := h.InUse(0, registry.System, signatureKey)
	switch part := (partHost{h}); {
	case h.stack.Server.Sign && used.Number() == 0:
		part.SetSignature(new(uint32(1)), true)
	case used.Number() != 0:
		h.stack.Server.Sign = true
	}
}

func (h *Host) restoreStack(saved stack.State) error {
	h.stack = saved
	return h.stackSet().Check()
}
