package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// tagging is how the frames of a flow are tagged at a port.
type tagging struct {
	// tags counts a frame's tags by direction; priority is the send priority, or -1 for the flow's.
	tags         [2]int
	sendPriority int32
	// reachable says that the switch forwards the VLAN; unowned that the port has no use for what it receives in it.
	reachable, unowned bool
	// team and vlan are the virtual miniports that count, or NoSlot.
	team, vlan int32
	broken     bool
}

// tagging says how the frames of a flow are tagged at a port.
func (l *Lab) tagging(f *description.Flow, port int, by setup.Path) tagging {
	t := tagging{sendPriority: -1, team: setup.NoSlot, vlan: setup.NoSlot}
	id := f.VLAN
	if f.Priority != nil {
		t.tags = [2]int{1, 1}
	}
	s, b := &l.setup.Ports[port], l.setup.Binding(port)
	if by != setup.HostPath { // virtual machines have VLANs of their own
		t.reachable = l.setup.Switches[port].Forwards(id)
		if by.Synthetic() && b != nil && b.Team {
			t.team, t.broken = int32(b.Slot), b.Broken
		}
		return t
	}
	if s.Tags&setup.TagPriority == 0 {
		t.sendPriority = 0
		if id == 0 {
			t.tags[send], t.sendPriority = 0, counter.Untagged
		}
	}
	if s.BarePriority && id == 0 {
		t.tags[send] = 0
	}
	var owner *setup.TaggedMiniport
	if b != nil {
		owner = b.Tagged(id)
		if b.Team {
			t.team, t.broken = int32(b.Slot), b.Broken
		}
	}
	switch {
	case owner != nil:
		t.vlan = int32(owner.Slot)
		if f.Protocol != description.RDMA { // its policy gives its priority
			t.sendPriority = int32(owner.Priority)
		}
	case id > 0 && s.Promiscuous:
	case id > 0 && b != nil:
		t.unowned = len(b.VLANs) > 0
	case id > 0:
		t.unowned = s.VLAN > 0 && s.VLAN != id
	case b == nil && s.VLAN > 0: // what has no tag gets that of the port when it is sent
		id, t.tags[send], t.sendPriority = s.VLAN, 1, 0
	}
	if f.VLAN > 0 && s.Tags&setup.TagVLAN == 0 {
		t.unowned = true
	}
	t.reachable = l.setup.Switches[port].Forwards(id) && (!t.unowned || f.Protocol != description.RDMA)
	return t
}
