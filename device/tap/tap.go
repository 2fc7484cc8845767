// Package tap records which frames a port of the lab counts, so that a capture shows exactly them: the groups of frames of a span of
// time, on the cable, at the switch port or of a virtual function. It builds no frames: packet does.
package tap

import (
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/device/roce"
)

// Lab is what a tap reads of its lab.
type Lab interface {
	Now() time.Time
	Description() *description.Description
	Address(port int) description.MAC
	SwitchAddress(port int) description.MAC
	Counters() []uint64
	FunctionCell(port, function int, c counter.Function) int
	// Neighbours returns what a port and its switch port send in LLDP frames: nil for an end that sends none.
	Neighbours(port int) (host, far *packet.Neighbour)
}

// Tap records frames. Copies of the lab have no tap.
type Tap struct {
	lab Lab
	Place
	groups  map[any]*packet.Group // by stream
	special map[specialKey]*packet.Group
	span    packet.Span
	before  [2]functionCount // received and sent
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

// Place selects the frames that a tap records.
type Place struct {
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

// New starts recording the frames at a place.
func New(lab Lab, p Place) *Tap {
	t := &Tap{lab: lab, Place: p, groups: map[any]*packet.Group{}, special: map[specialKey]*packet.Group{}}
	if t.UDPPort == 0 {
		t.UDPPort = roce.DestinationPort
	}
	if t.Address == (description.MAC{}) {
		t.Address = lab.Address(p.Port)
	}
	t.before = t.functionCounts()
	t.begin()
	return t
}

// begin starts the next span.
func (t *Tap) begin() { t.span = packet.Span{Start: t.lab.Now(), Marked: map[int32]uint64{}} }

// Take returns the frames since the last call, and starts the next span. Call it at least once per step.
func (t *Tap) Take() *packet.Span {
	span := t.span
	span.Length = t.lab.Now().Sub(span.Start)
	t.discover(&span)
	if t.Function >= 0 {
		t.selectFunction(&span)
	}
	t.begin()
	return &span
}

// Data records n frames of a stream of the port. stream identifies it, virtual reports that it belongs to virtual functions, and group
// returns its frames.
func (t *Tap) Data(stream any, port int, virtual bool, n uint64, group func() *packet.Group) {
	if n == 0 || port != t.Port || t.Function >= 0 && !virtual {
		return
	}
	g := t.groups[stream]
	if g == nil {
		g = group()
		t.groups[stream] = g
	}
	t.add(g, n)
}

// Broken records n frames that a faulty virtual function sends: they belong to no flow.
func (t *Tap) Broken(port, length int, n uint64) {
	if n == 0 || port != t.Port {
		return
	}
	t.add(t.specialGroup(specialKey{packet.Data, noFlow, counter.Untagged, true}, func(g *packet.Group) {
		g.Length, g.Flow = length, description.Flow{Name: "virtual function", Protocol: description.NotIP, Multicast: true}
	}), n)
}

// specialGroup returns the group of frames that are of no stream; begin completes a new one.
func (t *Tap) specialGroup(key specialKey, begin func(*packet.Group)) *packet.Group {
	g := t.special[key]
	if g == nil {
		g = &packet.Group{
			Kind: key.kind, Number: key.flow, Sent: key.sent, Priority: key.priority % counter.Untagged,
			Host: t.Address, Far: t.lab.SwitchAddress(t.Port),
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

// Mark records that received frames of a flow carry Congestion Experienced.
func (t *Tap) Mark(port int, flow int32, n uint64) {
	if port == t.Port && n > 0 {
		t.span.Marked[flow] += n
	}
}

// noFlow marks frames that belong to no flow.
const noFlow = -1

// Notifications records CNPs of a flow; begin completes their group.
func (t *Tap) Notifications(port, flow, priority int, sent bool, n uint64, begin func(*packet.Group)) {
	if n == 0 || port != t.Port || t.Function >= 0 {
		return
	}
	t.add(t.specialGroup(specialKey{packet.Notification, int32(flow), priority, sent}, begin), n)
}

// Pauses records pause frames of a priority, counter.Untagged for global pause, each of a length.
func (t *Tap) Pauses(port, priority int, sent bool, length int, n uint64) {
	if n == 0 || port != t.Port || t.Function >= 0 {
		return
	}
	kind := packet.PriorityPause
	if priority == counter.Untagged {
		kind = packet.Pause
	}
	t.add(t.specialGroup(specialKey{kind, noFlow, priority, sent}, func(g *packet.Group) { g.Length = length }), n)
}

// discoveryPeriod is the period of LLDP frames.
const discoveryPeriod = 30 * time.Second

// discover adds the LLDP frames of a span. Both firmwares consume them without counting them.
func (t *Tap) discover(span *packet.Span) {
	if t.Function >= 0 || span.Length <= 0 {
		return
	}
	epoch := t.lab.Description().Epoch
	if span.Start.Sub(epoch)/discoveryPeriod == span.Start.Add(span.Length).Sub(epoch)/discoveryPeriod {
		return
	}
	host, far := t.lab.Neighbours(t.Port)
	for i, n := range []*packet.Neighbour{far, host} {
		if n != nil {
			g := &packet.Group{Kind: packet.Discovery, Number: -1, Sent: i == 1, Host: t.lab.Address(t.Port), Far: t.lab.SwitchAddress(t.Port), Discovery: n}
			span.Bursts = append(span.Bursts, packet.Burst{Group: g, Frames: 1})
		}
	}
}

// functionCounts returns the packets of the captured virtual function, received and sent.
func (t *Tap) functionCounts() (counts [2]functionCount) {
	if t.Function < 0 {
		return counts
	}
	cells := t.lab.Counters()
	read := func(c counter.Function) uint64 { return cells[t.lab.FunctionCell(t.Port, t.Function, c)] }
	counts[0] = functionCount{read(counter.FunctionReceivedPackets), read(counter.FunctionReceivedMulticastPackets), read(counter.FunctionReceivedRDMAPackets)}
	counts[1] = functionCount{read(counter.FunctionSentPackets), read(counter.FunctionSentMulticastPackets), read(counter.FunctionSentRDMAPackets)}
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
				return of == kind && g.Sent == (direction == 1)
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
