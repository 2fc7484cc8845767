package device

import (
	"time"

	"cxdeck/device/wire"
)

// plant is what never changes while a lab runs, made from its description and laid out for the step: it is shared by a
// lab and its clones.
type plant struct {
	description *Description
	layout      *layout
	ports       []portPlan
	cards       []cardPlan
	flows       []flowPlan
	streams     []stream
	schedules   []spans
	faults      []faultPlan
}

// headroom is the part of a line or slot that traffic may fill. The rest covers the frames that remainders carry from
// one step to the next, so that no interval exceeds the physical rate.
const headroom = 0.998

type portPlan struct {
	adapter, index int
	description    *Port
	// rate is the line rate in bits a second; line is what passes in a step, in bytes on the wire.
	rate, line float64
	// overhead is the preamble and gap of a frame, 0 on InfiniBand.
	overhead float64
	buffer   float64
	// hostPackets is how many packets the host takes off the rings in a step.
	hostPackets float64
	// lossless has a bit for each priority that both ends pause; global is set when both ends use global pause.
	lossless uint16
	global   bool
	ackBytes uint64
	// accepted and initiated RDMA connections of all flows.
	accepted, initiated uint64
}

type cardPlan struct {
	// slot is what the slot carries in a step in one direction, in bytes.
	slot float64
}

type flowPlan struct {
	port        int
	kind        RhythmKind
	noise       float64
	period      float64 // in steps
	depth       float64
	phase       float64
	schedule    int
	rest        float64
	backsOff    bool
	first, last int // its streams
}

// Directions of a stream.
const (
	receive = 0
	send    = 1
)

// stream is one frame size of a flow in one direction.
type stream struct {
	flow, port, priority int32
	direction            uint8
	ack                  bool // acknowledges the frames of the other direction
	rdma, multicast      bool
	lossless             bool
	ring                 bool // takes a receive descriptor of the host's rings
	frame                uint64
	rdmaFrame            uint64  // what the frame counts in RDMA Activity
	wire                 float64 // bytes on the wire with preamble and gap
	// perStep is the number of frames in a step at level 1, or of acknowledgements for each data frame.
	perStep float64
}

type faultPlan struct {
	port, schedule, priority int
	kind                     FaultKind
	share                    float64
}

func newPlant(d *Description) *plant {
	p := &plant{description: d, layout: newLayout(d)}
	ports := map[string]int{}
	for a := range d.Adapters {
		adapter := &d.Adapters[a]
		usable := wire.PCIeUsable(adapter.PCIeGeneration, adapter.PCIeLanes, adapter.PCIeMaxPayload)
		p.cards = append(p.cards, cardPlan{slot: usable * headroom * Step.Seconds()})
		for i := range adapter.Ports {
			ports[adapter.Ports[i].Connection] = len(p.ports)
			p.ports = append(p.ports, newPortPlan(adapter, a, i))
		}
	}
	schedules := map[string]int{}
	for i := range d.Schedules {
		s := &d.Schedules[i]
		schedules[s.Name] = i
		p.schedules = append(p.schedules, spans{inSteps(s.First), inSteps(s.Every), inSteps(s.Lasting)})
	}
	for i := range d.Flows {
		f := &d.Flows[i]
		port := ports[f.Port]
		plan := flowPlan{
			port: port,
			kind: f.Rhythm.Kind, noise: f.Rhythm.Noise, depth: f.Rhythm.Depth, phase: f.Rhythm.Phase,
			period: float64(f.Rhythm.Period) / float64(Step), schedule: schedules[f.Rhythm.Schedule],
			rest: f.Rhythm.Rest, backsOff: f.Protocol == TCP || f.Protocol == IPoIB, first: len(p.streams),
		}
		p.streams = p.ports[port].streams(p.streams, f, i, port)
		plan.last = len(p.streams)
		p.flows = append(p.flows, plan)
		if f.Accepted {
			p.ports[port].accepted += uint64(f.Connections)
		} else {
			p.ports[port].initiated += uint64(f.Connections)
		}
	}
	for _, f := range d.Faults {
		p.faults = append(p.faults, faultPlan{
			port: ports[f.Port], schedule: schedules[f.Schedule], priority: f.Priority, kind: f.Kind, share: f.Share,
		})
	}
	return p
}

func newPortPlan(adapter *Adapter, a, i int) portPlan {
	d := &adapter.Ports[i]
	p := portPlan{
		adapter: a, index: i, description: d, buffer: float64(d.BufferBytes),
		rate: float64(min(d.SpeedGbps, d.Switch.SpeedGbps)) * 1e9, overhead: wire.PreambleGap,
		hostPackets: float64(d.HostPacketsPerSecond) * Step.Seconds(), ackBytes: uint64(adapter.ReceivedAckBytes),
	}
	if d.Link == InfiniBand {
		p.rate, p.overhead = wire.InfiniBandRate(d.SpeedGbps), 0
	}
	p.line = p.rate / 8 * Step.Seconds() * headroom
	p.global = d.FlowControl == GlobalPause && d.Switch.FlowControl == GlobalPause
	if d.FlowControl == PriorityPause && d.Switch.FlowControl == PriorityPause {
		p.lossless = bits(d.Lossless) & bits(d.Switch.Lossless)
	}
	return p
}

func bits(priorities []int) (set uint16) {
	for _, p := range priorities {
		set |= 1 << p
	}
	return set
}

func inSteps(span []Duration) (steps [2]int64) {
	for i := range steps {
		steps[i] = int64(time.Duration(span[i]) / Step)
	}
	return steps
}

// acknowledgement says for each protocol how long its acknowledgement is as an IP packet, and how many data frames one
// of them answers; 0 when the protocol has none. RDMA: base and acknowledge headers over UDP (PERF-10 gives 70 bytes
// with a tag); TCP: every other segment, with timestamps.
var acknowledgement = [...]struct {
	ip  int
	per float64
}{TCP: {52, 2}, UDP: {}, RDMA: {48, 8}, IPoIB: {52, 2}}

// streams appends the streams of a flow: each frame size in each direction that has a rate, and the acknowledgements.
func (p *portPlan) streams(list []stream, f *Flow, flow, port int) []stream {
	priority, tags := Untagged, 0
	if f.Priority != nil {
		priority, tags = *f.Priority, 1
	}
	base := stream{
		flow: int32(flow), port: int32(port), priority: int32(priority), rdma: f.Protocol == RDMA,
		multicast: f.Multicast, ring: f.Protocol != RDMA,
		lossless: p.global || priority != Untagged && p.lossless>>priority&1 == 1,
	}
	length := func(ip int) int {
		if f.Protocol == IPoIB {
			return wire.IPoIBBytes(ip)
		}
		return wire.FrameBytes(ip, tags)
	}
	var mean float64
	for _, size := range f.Packets {
		mean += float64(length(size.IP)) * size.Share
	}
	for direction, gbps := range [...]float64{receive: f.ReceiveGbps, send: f.SendGbps} {
		if gbps == 0 {
			continue
		}
		frames := gbps * 1e9 / 8 / mean * Step.Seconds()
		for _, size := range f.Packets {
			s := base
			s.direction = uint8(direction)
			s.setFrame(length(size.IP), p.overhead)
			s.perStep = frames * size.Share
			list = append(list, s)
		}
		ack := acknowledgement[f.Protocol]
		if ack.per == 0 || f.Multicast {
			continue
		}
		s := base
		s.direction, s.ack, s.perStep = uint8(1-direction), true, 1/ack.per
		s.setFrame(length(ack.ip), p.overhead)
		if s.rdma && s.direction == receive && p.ackBytes > 0 {
			s.rdmaFrame = p.ackBytes
		}
		list = append(list, s)
	}
	return list
}

func (s *stream) setFrame(length int, overhead float64) {
	s.frame, s.wire = uint64(length), float64(length)+overhead
	if s.rdma {
		s.rdmaFrame = s.frame
	}
}
