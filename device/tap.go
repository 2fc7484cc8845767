package device

import (
	"slices"

	"cxdeck/device/packet"
	"cxdeck/device/setup"
	"cxdeck/device/tap"
	"cxdeck/device/tunnel"
)

// Tap starts recording the frames at a place and stops the previous tap. Copies of the lab have no tap.
func (l *Lab) Tap(p tap.Place) *tap.Tap {
	l.tap = tap.New(l, p)
	return l.tap
}

// noFlow marks frames that belong to no flow: a faulty virtual function sends them.
const noFlow = -1

// tapData records frames of a stream.
func (l *Lab) tapData(s *stream, n uint64) {
	if s.flow == noFlow {
		l.tap.Broken(int(s.port), int(s.frame), n)
		return
	}
	l.tap.Data(s, int(s.port), s.virtual, n, func() *packet.Group { return l.groupOf(s) })
}

// groupOf returns the frames of a stream.
func (l *Lab) groupOf(s *stream) *packet.Group {
	port := int(s.port)
	g := &packet.Group{
		Number: s.flow, Sent: s.direction == send, Length: int(s.frame), Flow: *l.effectiveFlow(int(s.flow)),
		Host: l.tap.Address, Far: l.SwitchAddress(port), RoCE: l.setup.Ports[port].RoCE, Port: l.tap.UDPPort, Hops: l.tap.Hops,
	}
	for i := range l.plan.streams { // each packet size of a flow has its own connection
		if other := &l.plan.streams[i]; other == s {
			break
		} else if other.flow == s.flow && other.direction == s.direction && !other.ack {
			g.Size++
		}
	}
	if s.ack {
		g.Kind = packet.Acknowledge
	}
	if l.plan.ports[port].ethernet {
		path := setup.HostPath
		switch {
		case s.overlay:
			path = setup.OverlayPath
			g.Overlay = func(n uint64) tunnel.Overlay { return l.overlayOf(s, n) }
		case s.virtual:
			path = setup.FunctionPath
		case s.synthetic:
			path = setup.SyntheticPath
		}
		tags := l.setup.TagFrames(&g.Flow, port, path)
		h := l.setup.Header(&g.Flow, port, int(s.direction), &tags)
		g.Tagged = h.Tagged
		g.Flow.DSCP, g.Flow.Priority = max(h.DSCP, 0), &h.PCP
		if h.Tagged && g.Flow.VLAN == 0 && l.setup.Ports[port].VLAN > 0 && s.direction == send && l.setup.Binding(port) == nil {
			g.Flow.VLAN = l.setup.Ports[port].VLAN
		}
	}
	if l.plan.flows[s.flow].leases {
		g.Lease = true
		g.Renewal = !slices.ContainsFunc(l.renewals, func(r renewal) bool { return r.port == port && r.asks })
	}
	return g
}

// tapNotifications records the CNPs of a flow.
func (l *Lab) tapNotifications(port, flow, priority, direction int, n uint64) {
	l.tap.Notifications(port, flow, priority, direction == send, n, func(g *packet.Group) {
		s := &l.setup.Ports[port]
		g.Length, g.Flow, g.Tagged, g.RoCE, g.Port, g.Hops = noticeFrame, *l.effectiveFlow(flow), true, s.RoCE, l.tap.UDPPort, l.tap.Hops
		g.Flow.Priority, g.Flow.DSCP = &g.Priority, s.CNPDSCP
	})
}

// Neighbours implements tap.Lab: the ends of an InfiniBand link, and of a link that is down, send no LLDP frames.
func (l *Lab) Neighbours(port int) (host, far *packet.Neighbour) {
	if !l.plan.ports[port].ethernet || !l.links[port].Up {
		return nil, nil
	}
	return tap.Neighbours(l.plant.description.Host.Name, l.plant.ports[port].description, &l.setup.Ports[port], &l.setup.Switches[port])
}
