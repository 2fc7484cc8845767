package device

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/description"
)

// ParseVLANs reads the ids that a trunk lets through, "30,31,100-200", in rising order; empty is all.
func ParseVLANs(text string) (allows func(id int) bool, err error) {
	if text == "" {
		return func(int) bool { return true }, nil
	}
	var ranges [][2]int
	last := 0
	for _, word := range strings.Split(text, ",") {
		from, to, two := strings.Cut(strings.TrimSpace(word), "-")
		if !two {
			to = from
		}
		low, err1 := strconv.Atoi(from)
		high, err2 := strconv.Atoi(to)
		if err := errors.Join(err1, err2); err != nil || low <= last || high < low || high > description.MaxVLAN {
			return nil, fmt.Errorf("the VLAN ids of a trunk must be like 30,31,100-200, rising from 1 to %d, and are %q", description.MaxVLAN, text)
		}
		ranges, last = append(ranges, [2]int{low, high}), high
	}
	return func(id int) bool {
		for _, r := range ranges {
			if id >= r[0] && id <= r[1] {
				return true
			}
		}
		return false
	}, nil
}

// Forwards reports whether a switch port forwards frames of a VLAN; 0 stands for frames without one.
func (s *SwitchSettings) Forwards(id int) bool {
	if id == 0 {
		return true
	}
	allows, err := ParseVLANs(s.VLANs)
	return s.Trunk && id <= description.MaxVLAN && err == nil && allows(id)
}

// The bits of *PriorityVLANTag.
const (
	tagPriority = 1 << iota
	tagVLAN
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
func (l *Lab) tagging(f *description.Flow, port int, by way) tagging {
	t := tagging{sendPriority: -1, team: NoSlot, vlan: NoSlot}
	id := f.VLAN
	if f.Priority != nil {
		t.tags = [2]int{1, 1}
	}
	s, b := &l.settings[port], l.binding(port)
	if by != ofHost { // virtual machines have VLANs of their own
		t.reachable = l.switches[port].Forwards(id)
		if by.synthetic() && b != nil && b.Team {
			t.team, t.broken = int32(b.Slot), b.Broken
		}
		return t
	}
	if s.Tags&tagPriority == 0 {
		t.sendPriority = 0
		if id == 0 {
			t.tags[send], t.sendPriority = 0, Untagged
		}
	}
	if s.BarePriority && id == 0 {
		t.tags[send] = 0
	}
	var owner *TaggedMiniport
	if b != nil {
		owner = b.tagged(id)
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
	if f.VLAN > 0 && s.Tags&tagVLAN == 0 {
		t.unowned = true
	}
	t.reachable = l.switches[port].Forwards(id) && (!t.unowned || f.Protocol != description.RDMA)
	return t
}
