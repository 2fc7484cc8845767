package device

import (
	"cxdeck/device/reach"
	"cxdeck/device/traffic"
)

// Reach is the part of a group of flows that finds a receiver in the current setup.
type Reach struct {
	Name string
	// Port is the number of its port, VLAN its VLAN ID, 0 for none.
	Port, VLAN int
	// Virtual reports traffic of virtual machines.
	Virtual bool
	// DeliverableBits is the rate that finds a receiver at full demand, in bits per second, received and sent.
	DeliverableBits [2]float64
	// Reasons are the reasons why the rest finds no receiver.
	Reasons reach.Reasons
}

// Reaches returns the part of each group of flows that finds a receiver: the groups of the description in their order, then the
// virtual machines' own groups. It ignores the current demand and the capacity of lines and queues.
func (l *Lab) Reaches() []Reach {
	list := make([]Reach, l.plant.described()) // not performance tests, which come and go
	for i := range list {
		f, site, plan := &l.plant.traffic[i], &l.plant.flows[i], &l.plan.flows[i]
		r := &list[i]
		*r = Reach{Name: f.Name, Port: site.port, VLAN: f.VLAN, Virtual: f.Virtual}
		if site.kind == traffic.LeaseFlow { // depends on the clock of each machine
			continue
		}
		for j := plan.first; j < plan.last; j++ {
			s := &l.plan.streams[j]
			if s.ack {
				continue
			}
			if why := l.streamWhy(s); why != reach.NoReason {
				r.Reasons.Add(why)
			} else {
				r.DeliverableBits[s.direction] += s.perStep * float64(s.frame) * 8 / stepSeconds
			}
		}
		if why := l.flowWhy(i); why != reach.NoReason {
			r.Reasons.Add(why)
		}
	}
	return list
}

// AddDelivered adds the delivered rate of each group of flows in the last step to sums, in bits per second, received and sent,
// in the order of Reaches. It uses the mean length of frames that find a receiver.
func (l *Lab) AddDelivered(sums [][2]float64) {
	for i := range sums {
		var frames, bits [2]float64
		plan := &l.plan.flows[i]
		for j := plan.first; j < plan.last; j++ {
			if s := &l.plan.streams[j]; !s.ack && l.streamWhy(s) == reach.NoReason {
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
func (l *Lab) streamWhy(s *stream) reach.Reason {
	switch {
	case !l.links[s.port].Up:
		return reach.NoLink
	case l.plan.flows[s.flow].ipoib && l.pathless(int(s.port)):
		return reach.NoPath
	case s.unowned:
		return reach.NoMiniport
	case s.broken:
		return reach.TeamBroken
	case s.disallowed:
		return reach.FrameDisallowed
	case s.tooLong || s.blocked:
		return reach.OverLength
	}
	return reach.NoReason
}

// flowWhy returns why parts of a flow have no streams.
func (l *Lab) flowWhy(flow int) reach.Reason {
	described, f := &l.plant.traffic[flow], l.effectiveFlow(flow)
	if described.ReceiveGbps+described.SendGbps > 0 && f.ReceiveGbps+f.SendGbps == 0 {
		if l.setup.LacksGID(flow) {
			return reach.NoGID
		}
		return reach.NoTransport
	}
	if l.scale(described, l.plant.flows[flow].port) < 1 {
		return reach.NoMachine
	}
	tuples := 0
	for _, part := range l.parts(flow) {
		tuples += len(part.tuples[receive]) + len(part.tuples[send])
		switch t := l.setup.TagFrames(f, part.port, part.way); {
		case t.Unowned:
			return reach.NoMiniport
		case !t.Reachable:
			return reach.NotForwarded
		}
	}
	switch {
	case tuples == 0:
		return reach.NoCarrier
	case l.plan.flows[flow].crowded:
		return reach.NoConnections
	}
	return reach.NoReason
}
