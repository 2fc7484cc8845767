package setup

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// Tagging holds the tag and the DSCP of a flow's frames at a port.
type Tagging struct {
	// Tags is the number of tags by direction, received and sent; SendPriority is the send priority, or -1 for the flow's.
	Tags         [2]int
	SendPriority int32
	// Reachable reports that the switch forwards the VLAN, Unowned that no adapter on the port receives it.
	Reachable, Unowned bool
	// Team and VLAN are the virtual miniports that count the frames, or NoSlot.
	Team, VLAN int32
	// Broken reports that the team loses the frames.
	Broken bool
}

// send is the direction of sent frames.
const send = 1

// TagFrames returns how the frames of a flow are tagged at a port.
func (l *Lab) TagFrames(f *description.Flow, port int, by Path) Tagging {
	t := Tagging{SendPriority: -1, Team: NoSlot, VLAN: NoSlot}
	id := f.VLAN
	if f.Priority != nil {
		t.Tags = [2]int{1, 1}
	}
	s, b := &l.Ports[port], l.Binding(port)
	if by != HostPath { // virtual machines have VLANs of their own
		t.Reachable = l.Switches[port].Forwards(id)
		if by.Synthetic() && b != nil && b.Team {
			t.Team, t.Broken = int32(b.Slot), b.Broken
		}
		return t
	}
	if s.Tags&TagPriority == 0 {
		t.SendPriority = 0
		if id == 0 {
			t.Tags[send], t.SendPriority = 0, counter.Untagged
		}
	}
	if s.BarePriority && id == 0 { // the peers don't tag either
		t.Tags = [2]int{}
	}
	var owner *TaggedMiniport
	if b != nil {
		owner = b.Tagged(id)
		if b.Team {
			t.Team, t.Broken = int32(b.Slot), b.Broken
		}
	}
	switch {
	case owner != nil:
		t.VLAN = int32(owner.Slot)
		if f.Protocol != description.RDMA { // its policy gives its priority
			t.SendPriority = int32(owner.Priority)
		}
	case id > 0 && s.Promiscuous:
	case id > 0 && b != nil:
		t.Unowned = len(b.VLANs) > 0
	case id > 0:
		t.Unowned = s.VLAN > 0 && s.VLAN != id
	case b == nil && s.VLAN > 0: // a frame without a VLAN gets the port's tag when it is sent, with its own priority
		id, t.Tags[send] = s.VLAN, 1
		if f.Priority == nil || s.Tags&TagPriority == 0 {
			t.SendPriority = 0
		}
	}
	if f.VLAN > 0 && s.Tags&TagVLAN == 0 {
		t.Unowned = true
	}
	t.Reachable = l.Switches[port].Forwards(id) && (!t.Unowned || f.Protocol != description.RDMA)
	return t
}
