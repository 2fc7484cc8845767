package device

import (
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// Bindings returns all bindings of the lab; they must not be changed.
func (l *Lab) Bindings() []setup.Binding { return l.setup.Bindings }

// Bind replaces the drivers between the ports and the network stack. RDMA does not go through a team: its flows use TCP while
// their port is in a team. It takes effect at once.
func (l *Lab) Bind(bindings []setup.Binding) error {
	if err := l.setup.CheckBindings(bindings); err != nil {
		return err
	}
	l.setup.Bindings = slices.Clone(bindings)
	l.replanRDMA()
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

// part is a port's part of a flow: five-tuples by direction, and the scale of the described demand.
type part struct {
	port   int
	tuples [2][]traffic.Tuple
	scale  float64
	way    setup.Path
}

// scale returns the active fraction of a virtual machine flow, 1 for other flows.
func (l *Lab) scale(f *description.Flow, port int) float64 {
	if parts, managed := l.setup.PathShares(port); f.Virtual && managed {
		return parts[setup.FunctionPath] + parts[setup.SyntheticPath] + parts[setup.OverlayPath]
	}
	return 1
}

// parts returns the parts of a flow on its own port, or on the members of its team; flows of virtual machines use virtual
// functions or the host's stack.
func (l *Lab) parts(flow int) (list []part) {
	site, f := &l.plant.flows[flow], &l.plant.traffic[flow]
	own := part{port: site.port, tuples: [2][]traffic.Tuple{site.tuples, site.tuples}, scale: 1}
	if l.setup.Carrier(flow) == setup.ByOneTCP { // one of its five-tuples has all of it
		own.tuples, own.scale = [2][]traffic.Tuple{site.tuples[:1], site.tuples[:1]}, float64(len(site.tuples))
	}
	parts, managed := l.setup.PathShares(site.port)
	switch {
	case site.kind != traffic.Described && !managed:
		return nil
	case site.kind == traffic.LeaseFlow:
		return l.leaseParts(flow, own)
	case !f.Virtual || !managed && l.VirtualFunctions(site.port) == 0:
		return l.carried(flow, own)
	case !managed:
		own.way = setup.FunctionPath
		return []part{own}
	}
	for by, scale := range parts {
		if own.scale, own.way = scale, setup.Path(by); scale == 0 {
			continue
		}
		if own.way == setup.FunctionPath {
			list = append(list, own)
		} else {
			list = append(list, l.carried(flow, own)...)
		}
	}
	return list
}

// carried returns the parts of a flow through the host's stack, by members of the team if there is one.
func (l *Lab) carried(flow int, own part) []part {
	b := l.setup.Binding(l.plant.flows[flow].port)
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
			for j := range own.tuples[direction] {
				t := &own.tuples[direction][j]
				bucket := t.Flow
				if b.Carriers.ByAddress {
					bucket = t.Addresses
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
