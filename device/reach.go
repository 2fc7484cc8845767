package device

import "cxdeck/device/traffic"

// Unreached is a reason why traffic finds no receiver.
type Unreached uint8

// The reasons; a reason that hides others comes first.
const (
	Reached      Unreached = iota
	NoTransport            // its programs use only RDMA, and the port has no RDMA, or another kind than its peers
	NoMachine              // the virtual machines that it is for are gone, stopped or held
	NoCarrier              // no member of its team carries traffic
	NoLink                 // the link is down
	NotForwarded           // the switch does not forward its VLAN
	NoMiniport             // nobody on the host has its VLAN
	TeamBroken             // its team loses it
	FrameBarred            // virtual functions may not send frames of this type
	OverLength             // its frames are longer than the port takes or the switch forwards
)

// Reasons is a set of reasons.
type Reasons uint16

// add adds a reason.
func (r *Reasons) add(why Unreached) { *r |= 1 << why }

// First returns the first reason that is not among others, or else the first of all; Reached when there is none.
func (r Reasons) First(others Reasons) Unreached {
	for _, set := range [...]Reasons{r &^ others, r} {
		for why := NoTransport; why <= OverLength; why++ {
			if set>>why&1 == 1 {
				return why
			}
		}
	}
	return Reached
}

// Reach is which part of a group of flows finds a receiver, as the lab is set up.
type Reach struct {
	Name string
	// Port is the number of the port that it is for, VLAN its id there, 0 for none.
	Port, VLAN int
	// Virtual says that it is for virtual machines.
	Virtual bool
	// Finds is the rate that finds a receiver at full demand, in bits per second, received and sent.
	Finds [2]float64
	// Why are the reasons for what finds none.
	Why Reasons
}

// Reaches returns the part of each group of flows that finds a receiver: the groups of the description in their order,
// then the virtual machines' own groups. The present demand, and the capacity of lines and queues, do not matter.
func (l *Lab) Reaches() []Reach {
	list := make([]Reach, len(l.plan.flows))
	for i := range list {
		f, site, plan := &l.plant.traffic[i], &l.plant.flows[i], &l.plan.flows[i]
		r := &list[i]
		*r = Reach{Name: f.Name, Port: site.port, VLAN: f.VLAN, Virtual: f.Virtual}
		if site.kind == traffic.LeaseFlow { // it moves by the clock of each machine
			continue
		}
		for j := plan.first; j < plan.last; j++ {
			s := &l.plan.streams[j]
			if s.ack {
				continue
			}
			if why := l.streamWhy(s); why != Reached {
				r.Why.add(why)
			} else {
				r.Finds[s.direction] += s.perStep * float64(s.frame) * 8 / stepSeconds
			}
		}
		if why := l.flowWhy(i); why != Reached {
			r.Why.add(why)
		}
	}
	return list
}

// AddDelivered adds what each group of flows delivered in the last step to sums, in bits per second, received and sent; it
// has the places of Reaches. Frames count with the mean length of what finds a receiver.
func (l *Lab) AddDelivered(sums [][2]float64) {
	for i := range sums {
		var frames, bits [2]float64
		plan := &l.plan.flows[i]
		for j := plan.first; j < plan.last; j++ {
			if s := &l.plan.streams[j]; !s.ack && l.streamWhy(s) == Reached {
				frames[s.direction] += s.perStep
				bits[s.direction] += s.perStep * float64(s.frame) * 8
			}
		}
		for direction, n := range frames {
			if n > 0 {
				sums[i][direction] += float64(l.delivered[2*i+direction]) * bits[direction] / n / stepSeconds
			}
		}
	}
}

// streamWhy returns why a stream finds no receiver.
func (l *Lab) streamWhy(s *stream) Unreached {
	switch {
	case !l.links[s.port].Up:
		return NoLink
	case s.unowned:
		return NoMiniport
	case s.broken:
		return TeamBroken
	case s.barred:
		return FrameBarred
	case s.tooLong || s.blocked:
		return OverLength
	}
	return Reached
}

// flowWhy returns why parts of a flow have no streams.
func (l *Lab) flowWhy(flow int) Unreached {
	described, f := &l.plant.traffic[flow], l.effectiveFlow(flow)
	if described.ReceiveGbps+described.SendGbps > 0 && f.ReceiveGbps+f.SendGbps == 0 {
		return NoTransport
	}
	if l.scale(described, l.plant.flows[flow].port) < 1 {
		return NoMachine
	}
	tuples := 0
	for _, part := range l.parts(flow) {
		tuples += len(part.tuples[receive]) + len(part.tuples[send])
		switch t := l.tagging(f, part.port, part.way); {
		case t.unowned:
			return NoMiniport
		case !t.reachable:
			return NotForwarded
		}
	}
	if tuples == 0 {
		return NoCarrier
	}
	return Reached
}
