package device

import (
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/device/roce"
	"cxdeck/device/setup"
	"cxdeck/device/tunnel"
)

// Tap records which frames a port counts, so that a capture shows exactly them. A lab has at most one.
type Tap struct {
	lab  *Lab
	port int
	// function is the virtual function whose frames are captured, -1 for all frames of the port.
	function int
	// atSwitch captures at the switch port: its frames to the host before the host drops any, and what arrives there.
	atSwitch bool
	// udpPort and hops are the UDP port and the time to live of RoCE packets.
	udpPort uint16
	hops    uint8
	address description.MAC

	groups  map[*stream]*packet.Group
	special map[specialKey]*packet.Group
	span    packet.Span
	before  [2]functionCount
}

// specialKey identifies frames outside streams: the CNPs of a flow and the pause frames of a priority.
type specialKey struct {
	kind     packet.Kind
	flow     int32
	priority int
	sent     bool
}

// functionCount is the number of packets of a virtual function in a direction: all, multicast and RDMA.
type functionCount struct{ all, multicast, rdma uint64 }

// TapPlace selects the frames that a tap records.
type TapPlace struct {
	Port int
	// Function is the virtual function whose frames are recorded, -1 for all frames of the port.
	Function int
	// AtSwitch records at the switch port: frames that the host drops are there too.
	AtSwitch bool
	// UDPPort is the destination port of RoCE v2, 0 for IANA's; Hops is the time to live of RDMA packets, 0 for the usual one.
	UDPPort uint16
	Hops    uint8
	// Address is the address of the virtual function's adapter; the zero address is the port's.
	Address description.MAC
}

// Tap starts recording the frames at a place and stops the previous tap. Copies of the lab have no tap.
func (l *Lab) Tap(p TapPlace) *Tap {
	l.tap = &Tap{
		lab: l, port: p.Port, function: p.Function, atSwitch: p.AtSwitch, udpPort: p.UDPPort, hops: p.Hops, address: p.Address,
		groups: map[*stream]*packet.Group{}, special: map[specialKey]*packet.Group{},
	}
	if l.tap.udpPort == 0 {
		l.tap.udpPort = roce.DestinationPort
	}
	if l.tap.address == (description.MAC{}) {
		l.tap.address = l.Address(p.Port)
	}
	l.tap.before = l.tap.functionCounts()
	l.tap.begin()
	return l.tap
}

// begin starts the next span.
func (t *Tap) begin() { t.span = packet.Span{Start: t.lab.Now(), Marked: map[int32]uint64{}} }

// Take returns the frames since the last call, and starts the next span. Call it at least once per step.
func (t *Tap) Take() *packet.Span {
	span := t.span
	span.Length = t.lab.Now().Sub(span.Start)
	t.discover(&span)
	if t.function >= 0 {
		t.selectFunction(&span)
	}
	t.begin()
	return &span
}

// data records frames of a stream.
func (t *Tap) data(s *stream, n uint64) {
	if n == 0 || int(s.port) != t.port || t.function >= 0 && !s.virtual {
		return
	}
	if s.flow == noFlow {
		t.add(t.specialGroup(specialKey{packet.Data, noFlow, counter.Untagged, true}, func(g *packet.Group) {
			g.Length, g.Flow = int(s.frame), description.Flow{Name: "virtual function", Protocol: description.NotIP, Multicast: true}
		}), n)
		return
	}
	g := t.groups[s]
	if g == nil {
		g = t.groupOf(s)
		t.groups[s] = g
	}
	t.add(g, n)
}

// specialGroup returns the group of frames that are of no stream; begin completes a new one.
func (t *Tap) specialGroup(key specialKey, begin func(*packet.Group)) *packet.Group {
	g := t.special[key]
	if g == nil {
		g = &packet.Group{
			Kind: key.kind, Number: key.flow, Sent: key.sent, Priority: key.priority % counter.Untagged,
			Host: t.address, Far: t.lab.SwitchAddress(t.port),
		}
		begin(g)
		t.special[key] = g
	}
	return g
}

func (t *Tap) add(g *packet.Group, n uint64) {
	if i := len(t.span.Bursts) - 1; i >= 0 && t.span.Bursts[i].Group == g {
		t.span.Bursts[i].Frames += n
		return
	}
	t.span.Bursts = append(t.span.Bursts, packet.Burst{Group: g, Frames: n})
}

// mark records that received frames of a flow carry Congestion Experienced.
func (t *Tap) mark(port int, flow int32, n uint64) {
	if port == t.port && n > 0 {
		t.span.Marked[flow] += n
	}
}

// noFlow marks frames that belong to no flow: a faulty virtual function sends them.
const noFlow = -1

// groupOf returns the frames of a stream.
func (t *Tap) groupOf(s *stream) *packet.Group {
	l, port := t.lab, t.port
	g := &packet.Group{
		Number: s.flow, Sent: s.direction == send, Length: int(s.frame), Flow: *l.effectiveFlow(int(s.flow)),
		Host: t.address, Far: l.SwitchAddress(port), RoCE: l.setup.Ports[port].RoCE, Port: t.udpPort, Hops: t.hops,
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

// countCNPs records the CNPs of a flow.
func (t *Tap) countCNPs(port int, flow int32, priority, direction int, n uint64) {
	if n == 0 || port != t.port || t.function >= 0 {
		return
	}
	t.add(t.specialGroup(specialKey{packet.Notification, flow, priority, direction == send}, func(g *packet.Group) {
		s := &t.lab.setup.Ports[port]
		g.Length, g.Flow, g.Tagged, g.RoCE, g.Port, g.Hops = noticeFrame, *t.lab.effectiveFlow(int(flow)), true, s.RoCE, t.udpPort, t.hops
		g.Flow.Priority, g.Flow.DSCP = &g.Priority, s.CNPDSCP
	}), n)
}

// pauses records pause frames of a priority, counter.Untagged for global pause.
func (t *Tap) pauses(port, priority, direction int, n uint64) {
	if n == 0 || port != t.port || t.function >= 0 {
		return
	}
	kind := packet.PriorityPause
	if priority == counter.Untagged {
		kind = packet.Pause
	}
	t.add(t.specialGroup(specialKey{kind, noFlow, priority, direction == send}, func(g *packet.Group) { g.Length = controlFrame }), n)
}

// discoveryPeriod is the period of LLDP frames.
const discoveryPeriod = 30 * time.Second

// discover adds the LLDP frames of a span. Both firmwares consume them without counting them.
func (t *Tap) discover(span *packet.Span) {
	l := t.lab
	if t.function >= 0 || !l.plan.ports[t.port].ethernet || !l.links[t.port].Up || span.Length <= 0 {
		return
	}
	epoch := l.plant.description.Epoch
	if span.Start.Sub(epoch)/discoveryPeriod == span.Start.Add(span.Length).Sub(epoch)/discoveryPeriod {
		return
	}
	host, far := l.neighbours(t.port)
	for i, n := range []*packet.Neighbour{far, host} {
		if n != nil {
			g := &packet.Group{Kind: packet.Discovery, Number: -1, Sent: i == 1, Host: l.Address(t.port), Far: l.SwitchAddress(t.port), Discovery: n}
			span.Bursts = append(span.Bursts, packet.Burst{Group: g, Frames: 1})
		}
	}
}

// neighbours returns what a port and its switch port send in LLDP frames; the host's is nil if its firmware sends none.
func (l *Lab) neighbours(port int) (host, far *packet.Neighbour) {
	s, other, d := &l.setup.Ports[port], &l.setup.Switches[port], l.plant.ports[port].description
	far = &packet.Neighbour{System: "switch", Port: d.Switch.Name, DCBX: other.DCBX == description.IEEE, Willing: other.Willing}
	if other.FlowControl == description.PriorityPause {
		far.Lossless = other.Lossless
	}
	for class, c := range other.Classes {
		far.Shares[class&7], far.Strict[class&7] = uint8(c.Share), c.Share == 0
		for _, priority := range c.Priorities {
			far.ClassOf[priority&7] = uint8(class & 7)
		}
	}
	for _, a := range other.Applications {
		far.Applications = append(far.Applications, packet.Application{Priority: uint8(a.Priority), Selector: 4, Protocol: uint16(a.Port)})
	}
	if !s.LLDP.Sends {
		return nil, far
	}
	host = &packet.Neighbour{System: l.plant.description.Host.Name, Port: d.Connection, DCBX: s.LLDP.Exchanges, Willing: s.LLDP.Willing, Lossless: s.Lossless}
	left := 100
	for priority := range 8 {
		class := priority
		if leader := s.Joined[priority]; leader > 0 {
			class = int(leader) - 1
		}
		host.ClassOf[priority] = uint8(class)
		host.Strict[priority] = s.StrictPriorities>>class&1 == 1
		if class == priority && !host.Strict[priority] {
			host.Shares[priority] = uint8(min(left, int(s.Shares[priority])))
			left -= int(host.Shares[priority])
		}
	}
	for priority := range 8 { // whole percentages add up to 100
		if host.Shares[priority] > 0 && left > 0 {
			host.Shares[priority]++
			left--
		}
	}
	return host, far
}

// functionCounts returns the packets of the captured virtual function, received and sent.
func (t *Tap) functionCounts() (counts [2]functionCount) {
	if t.function < 0 {
		return counts
	}
	t.lab.Counters()
	read := func(c counter.Function) uint64 { return t.lab.counters[t.lab.FunctionCell(t.port, t.function, c)] }
	counts[receive] = functionCount{read(counter.FunctionReceivedPackets), read(counter.FunctionReceivedMulticastPackets), read(counter.FunctionReceivedRDMAPackets)}
	counts[send] = functionCount{read(counter.FunctionSentPackets), read(counter.FunctionSentMulticastPackets), read(counter.FunctionSentRDMAPackets)}
	return counts
}

// selectFunction reduces the frames of all virtual functions to the ones that the captured function counted.
func (t *Tap) selectFunction(span *packet.Span) {
	now := t.functionCounts()
	for direction := range 2 {
		was := t.before[direction]
		multicast, rdma := now[direction].multicast-was.multicast, now[direction].rdma-was.rdma
		rest := now[direction].all - was.all - multicast - rdma
		for kind, want := range []uint64{rest, multicast, rdma} {
			reduce(span, want, func(g *packet.Group) bool {
				of := 0
				switch {
				case g.Flow.Multicast:
					of = 1
				case g.Flow.Protocol == description.RDMA:
					of = 2
				}
				return of == kind && g.Sent == (direction == send)
			})
		}
	}
	t.before = now
}

// reduce reduces the chosen bursts of a span to a number of frames, each by about the same factor.
func reduce(span *packet.Span, want uint64, chosen func(*packet.Group) bool) {
	var all, passed, given uint64
	for i := range span.Bursts {
		if chosen(span.Bursts[i].Group) {
			all += span.Bursts[i].Frames
		}
	}
	for i := range span.Bursts {
		if burst := &span.Bursts[i]; all > 0 && chosen(burst.Group) {
			passed += burst.Frames
			upTo := uint64(float64(want) * float64(passed) / float64(all))
			if passed == all {
				upTo = want
			}
			burst.Frames = upTo - given
			given = upTo
		}
	}
}
