package device

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/description"
)

// Buckets is how many parts the flows of a team are split into by a hash; each part has its carriers.
const Buckets = 256

// NoSlot stands for no virtual miniport.
const NoSlot = -1

// Binding is a driver of Windows between ports and the network stack: a team of ports, or the VLANs of one.
type Binding struct {
	// Ports are the ports that it is bound to. No port has two bindings.
	Ports []int
	// Team says that Carriers distribute the traffic of the ports; otherwise traffic stays on its port.
	Team bool
	// Slot is the virtual miniport that counts all of its traffic, or NoSlot.
	Slot     int
	Carriers Carriers
	// VLANs are the accepted ids with their virtual miniports. An empty list accepts all.
	VLANs []TaggedMiniport
	// Broken says that it loses all frames that are sent and received.
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

// OwnPriority leaves frames the priority that they have.
const OwnPriority = -1

// Bindings returns all bindings of the lab; they must not be changed.
func (l *Lab) Bindings() []Binding { return l.bindings }

// Bind puts drivers between the ports and the network stack in place of the drivers before. RDMA does not go through a team:
// its flows speak TCP while their port is in one. It takes effect at once.
func (l *Lab) Bind(bindings []Binding) error {
	if err := l.checkBindings(bindings); err != nil {
		return err
	}
	l.bindings = slices.Clone(bindings)
	l.replanRDMA()
	return nil
}

// checkBindings finds bindings that no host could have.
func (l *Lab) checkBindings(bindings []Binding) error {
	bound, taken := map[int]bool{}, map[int]bool{}
	slot := func(n int) bool {
		ok := n >= 0 && n < VirtualSlots && !taken[n]
		taken[n] = true
		return ok
	}
	for i := range bindings {
		b := &bindings[i]
		for _, port := range b.Ports {
			if port < 0 || port >= len(l.plant.ports) || bound[port] {
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
				return fmt.Errorf("there can be no VLAN with id %d, priority %d and virtual miniport %d", v.ID, v.Priority, v.Slot)
			}
		}
	}
	return nil
}

// binding returns the binding of a port, nil for none.
func (l *Lab) binding(port int) *Binding {
	for i := range l.bindings {
		if slices.Contains(l.bindings[i].Ports, port) {
			return &l.bindings[i]
		}
	}
	return nil
}

// team says whether a port is in a team.
func (l *Lab) team(port int) bool {
	b := l.binding(port)
	return b != nil && b.Team
}

// tagged is the miniport of a VLAN, nil for an unowned id.
func (b *Binding) tagged(id int) *TaggedMiniport {
	for i := range b.VLANs {
		if b.VLANs[i].ID == id {
			return &b.VLANs[i]
		}
	}
	return nil
}

// replanRDMA plans the lab again after a change that may enable or disable RDMA on a port.
func (l *Lab) replanRDMA() {
	old := l.plan
	l.replan()
	for port := range l.plan.ports {
		if !slices.Equal(old.ports[port].rdma, l.plan.ports[port].rdma) {
			l.resetConnections(port)
		}
	}
}

// way is the path of a flow to its receivers.
type way uint8

// The ways.
const (
	ofHost     way = iota // the host's own traffic
	byFunction            // by virtual functions, past the host's stack
	byHost                // to virtual machines, through the host
	byOverlay             // the same, in an overlay
	ways                  // the number of ways
)

// synthetic says whether it is one to virtual machines through the host.
func (w way) synthetic() bool { return w == byHost || w == byOverlay }

// part is a port's share of a flow: five-tuples by direction, and the scale of the described demand.
type part struct {
	port   int
	tuples [2][]tuple
	scale  float64
	way    way
}

// scale is the active part of a virtual machine flow; other flows have 1.
func (l *Lab) scale(f *description.Flow, port int) float64 {
	if parts, managed := l.ways(port); f.Virtual && managed {
		return parts[byFunction] + parts[byHost] + parts[byOverlay]
	}
	return 1
}

// parts lists the carriers of a flow: its own port, or members of its team; flows of virtual machines go by virtual
// functions or through the host.
func (l *Lab) parts(flow int) (list []part) {
	site, f := &l.plant.flows[flow], &l.plant.traffic[flow]
	own := part{port: site.port, tuples: [2][]tuple{site.tuples, site.tuples}, scale: 1}
	parts, managed := l.ways(site.port)
	switch {
	case site.kind != described && !managed:
		return nil
	case site.kind == leaseFlow:
		return l.leaseParts(flow, own)
	case !f.Virtual || !managed && l.VirtualFunctions(site.port) == 0:
		return l.carried(flow, own)
	case !managed:
		own.way = byFunction
		return []part{own}
	}
	for by, scale := range parts {
		if own.scale, own.way = scale, way(by); scale == 0 {
			continue
		}
		if own.way == byFunction {
			list = append(list, own)
		} else {
			list = append(list, l.carried(flow, own)...)
		}
	}
	return list
}

// carried is the part of a flow that goes through the host's stack, by the members of a team if there is one.
func (l *Lab) carried(flow int, own part) []part {
	site := &l.plant.flows[flow]
	b := l.binding(site.port)
	if b == nil || !b.Team {
		return []part{own}
	}
	list := make([]part, len(b.Ports))
	for i, port := range b.Ports {
		list[i].port, list[i].scale, list[i].way = port, own.scale, own.way
		for direction, carriers := range [...][]int{receive: b.Carriers.Receive, send: b.Carriers.Send} {
			if len(carriers) == 0 {
				continue
			}
			for j := range site.tuples {
				t := &site.tuples[j]
				bucket := t.flow
				if b.Carriers.ByAddress {
					bucket = t.addresses
				}
				if carriers[bucket] == port {
					list[i].tuples[direction] = append(list[i].tuples[direction], *t)
				}
			}
		}
	}
	return list
}

// Carried returns the number of five-tuples that a port carries in each direction.
func (l *Lab) Carried(port int) (received, sent float64) {
	p := &l.plan.ports[port]
	return p.carried[receive], p.carried[send]
}
