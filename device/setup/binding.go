package setup

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// Buckets is the number of hash buckets of a team's flows; each bucket has its carriers.
const Buckets = 256

// NoSlot means no virtual miniport.
const NoSlot = -1

// Binding is a Windows driver between ports and the network stack: a team of ports, or the VLANs of one port.
type Binding struct {
	// Ports are the bound ports. No port has two bindings.
	Ports []int
	// Team reports that Carriers distribute the traffic of the ports; otherwise traffic stays on its port.
	Team bool
	// Slot is the virtual miniport that counts the traffic of the team, or NoSlot.
	Slot     int
	Carriers Carriers
	// VLANs are the accepted ids with their virtual miniports. An empty list accepts all.
	VLANs []TaggedMiniport
	// Broken reports that all sent and received frames are lost.
	Broken bool
}

// Carriers name the port of each bucket, by direction. An empty list carries nothing.
type Carriers struct {
	Receive, Send []int
	// ByAddress chooses the bucket by the two addresses instead of the five-tuple.
	ByAddress bool
}

// TaggedMiniport is the virtual miniport for a VLAN. Its frames get its priority, or keep their own with OwnPriority.
type TaggedMiniport struct{ ID, Priority, Slot int }

// OwnPriority keeps the priority of the frames.
const OwnPriority = -1

// CheckBindings rejects bindings that no host can have.
func (l *Lab) CheckBindings(bindings []Binding) error {
	bound, taken := map[int]bool{}, map[int]bool{}
	slot := func(n int) bool {
		ok := n >= 0 && n < counter.VirtualSlots && !taken[n]
		taken[n] = true
		return ok
	}
	for i := range bindings {
		b := &bindings[i]
		for _, port := range b.Ports {
			if port < 0 || port >= len(l.Ports) || bound[port] {
				return fmt.Errorf("port %d can't be bound: it does not exist, or is bound already", port)
			}
			bound[port] = true
		}
		if b.Slot != NoSlot && !slot(b.Slot) {
			return fmt.Errorf("the virtual miniport %d does not exist, or is taken", b.Slot)
		}
		for _, list := range [][]int{b.Carriers.Receive, b.Carriers.Send} {
			outside := func(port int) bool { return !slices.Contains(b.Ports, port) }
			if len(list) != 0 && len(list) != Buckets || slices.ContainsFunc(list, outside) {
				return fmt.Errorf("a team must name a carrier among its ports for each of %d buckets, or none", Buckets)
			}
		}
		if !b.Team && len(b.Ports) != 1 {
			return errors.New("VLANs without a team must be on one port")
		}
		for _, v := range b.VLANs {
			if v.ID < 1 || v.ID > description.MaxVLAN || v.Priority < OwnPriority || v.Priority > 7 || !slot(v.Slot) {
				return fmt.Errorf("invalid VLAN with id %d, priority %d and virtual miniport %d", v.ID, v.Priority, v.Slot)
			}
		}
	}
	return nil
}

// Binding returns the binding of a port, nil for none.
func (l *Lab) Binding(port int) *Binding {
	for i := range l.Bindings {
		if slices.Contains(l.Bindings[i].Ports, port) {
			return &l.Bindings[i]
		}
	}
	return nil
}

// Team reports whether a port is in a team.
func (l *Lab) Team(port int) bool {
	b := l.Binding(port)
	return b != nil && b.Team
}

// Tagged returns the miniport of a VLAN, nil for an unowned id.
func (b *Binding) Tagged(id int) *TaggedMiniport {
	for i := range b.VLANs {
		if b.VLANs[i].ID == id {
			return &b.VLANs[i]
		}
	}
	return nil
}
