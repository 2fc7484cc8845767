package device

import (
	"cxdeck/device/completion"
	"cxdeck/device/description"
	"cxdeck/device/effort"
	"cxdeck/device/framesize"
	"cxdeck/device/pause"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
	"cxdeck/device/wire"
)

// Directions of a stream.
const (
	receive = 0
	send    = 1
)

// stream is one frame size of a flow in one direction.
type stream struct {
	flow, port, priority int32
	class                int32 // the priority whose traffic class sends it
	atSwitch             int32 // its priority in the switch
	spills               bool  // the switch drops what the host holds back, because it can't hold the peers
	slow                 bool  // goes to a slow peer
	// team and vlan are the virtual miniports that count it, or NoSlot.
	team, vlan      int32
	direction       uint8
	ack             bool // acknowledgements for the other direction
	rdma, multicast bool
	ndspi           bool // RDMA of an application other than SMB Direct
	lossless        bool
	asked           bool    // its priority requests pauses from the far end, even if that ignores them
	ring            bool    // goes through the host's rings
	virtual         bool    // belongs to virtual functions
	synthetic       bool    // virtual machines' traffic through the host
	overlay         bool    // synthetic traffic in packets of an overlay
	tooLong         bool    // longer than the port accepts
	loopback        bool    // never leaves the card
	blocked         bool    // longer than the switch forwards
	unowned         bool    // in a VLAN without an adapter on the host
	disallowed      bool    // virtual functions may not send frames of its kind
	broken          bool    // its team drops it
	slowChecksum    bool    // the processor verifies its checksum
	copied          float64 // the fraction that the driver copies, because it is small
	frame           uint64
	rdmaFrame       uint64  // the frame's bytes in RDMA Activity
	data            uint64  // its data of an RDMA application
	wire            float64 // bytes on the wire with preamble and gap
	// perStep is the number of frames in a step at level 1, or of acknowledgements for each data frame.
	perStep float64
	// work is the time of a processor for a frame received or a send posted, in seconds, without interrupts.
	work float64
	// sends is the number of frames of a posted send; coalesces the maximum number of segments that are joined on receipt.
	sends, coalesces float64
	// burst is the number of back-to-back frames; excess is the fraction of a described burst that its ring can't hold.
	burst, excess float64
	// connections are the five-tuples that it represents.
	connections float64
	first, last int // its lanes
}

// streamBuilder builds the streams of a flow: each frame size in each direction with a rate, and the acknowledgements.
type streamBuilder struct {
	lab    *Lab
	plan   *plan
	port   *portPlan
	flow   *description.Flow
	number int
	// at is the port, tuples are the five-tuples that it carries, and parts their fractions of all, by direction.
	at     int
	tuples [2][]traffic.Tuple
	parts  [2]float64
	// disallowed reports that it belongs to virtual functions that may not send its frames.
	disallowed bool
	// acks are its fractions of the flow's acknowledgements by direction, way is the path of its virtual machines.
	acks [2]float64
	way  setup.Path
	setup.Tagging
	frames framesize.Frames
	base   stream
}

// switchWork is the factor of processor time for a frame through a virtual switch: an assumption of the lab.
const switchWork = 1.4

// The number of back-to-back frames of a flow: from one sender, and from very many that answer at once.
const (
	defaultBurst = completion.Burst
	incastBurst  = 32
)

func (b *streamBuilder) build() {
	f, p := b.flow, b.port
	priority := b.lab.countedPriority(f, b.at)
	b.Tagging = b.lab.setup.TagFrames(f, b.at, b.way)
	if !b.Reachable {
		b.addBlockedFlow()
		return
	}
	b.frames = framesize.Frames{Flow: f, Overlay: b.way == setup.OverlayPath, InfiniBand: !p.ethernet}
	if f.Priority != nil {
		b.frames.Tags = 1
	}
	b.base = stream{
		team: b.Team, vlan: b.VLAN, broken: b.Broken,
		flow: int32(b.number), port: int32(b.at), priority: int32(priority), rdma: f.Protocol == description.RDMA,
		multicast: f.Multicast, ring: f.Protocol != description.RDMA, virtual: b.way == setup.FunctionPath, synthetic: b.way.Synthetic(),
		overlay: b.way == setup.OverlayPath, disallowed: b.disallowed,
		ndspi: !f.Application.SMB(), sends: 1, coalesces: 1, burst: defaultBurst,
	}
	b.base.loopback = b.lab.plant.flows[b.number].loopback
	if f.Rhythm.Kind == description.Burst {
		b.base.burst = incastBurst
	}
	mean := b.frames.Mean()
	own, site := &b.lab.setup.Ports[b.at], b.lab.plant.ports[b.at].description
	limits := framesize.Limits{MaxFrame: own.MaxFrame, Described: site.MaxFrame, Switch: site.Switch.MaxFrame, RDMAPayload: own.RDMAPayload}
	for direction, gbps := range [...]float64{receive: f.ReceiveGbps, send: f.SendGbps} {
		if gbps == 0 {
			continue
		}
		frames := framesize.Windowed(f, gbps, own.Window) * 1e9 / 8 / mean * stepSeconds
		for _, size := range f.Packets {
			if !b.carries(direction) {
				break
			}
			s := b.base
			b.setDirection(&s, direction)
			ip := b.frames.Adapted(size.IP, direction == send, limits)
			b.size(&s, ip)
			if s.rdma && !s.ndspi {
				s.data = uint64(framesize.RDMAData(ip))
			}
			// The described bytes are sent in frames of the adapted size.
			s.perStep = frames * size.Share * float64(b.frames.Length(size.IP)) / float64(b.frames.Length(ip)) * b.parts[direction] * b.attemptedShare()
			b.splitWork(&s, ip)
			b.add(s)
		}
		if !framesize.Answered(f) || b.Unowned || !b.carries(1-direction) {
			continue
		}
		s := b.base
		b.setDirection(&s, 1-direction)
		ip, per := framesize.Acknowledgement(f)
		s.ack, s.perStep = true, 1/per*b.acks[1-direction]
		b.size(&s, ip)
		if s.rdma && s.direction == receive && p.ackBytes > 0 {
			s.rdmaFrame = p.ackBytes
		}
		b.splitWork(&s, ip)
		b.add(s)
	}
}

// attemptedShare returns the fraction of a flow that is sent when nothing arrives at the other end: acknowledged flows, and
// flows without a peer, only retry occasionally.
func (b *streamBuilder) attemptedShare() float64 {
	if b.disallowed && (framesize.Answered(b.flow) || setup.FrameTypeOf(b.flow) == setup.IPv4Frame && b.lab.disallows(b.at, setup.ARPFrame)) {
		return traffic.TrialShare
	}
	return 1
}

// carries reports whether the port carries the flow in a direction. The host sends nothing in a VLAN that it does not
// have.
func (b *streamBuilder) carries(direction int) bool {
	return len(b.tuples[direction]) > 0 && (!b.Unowned || direction == receive)
}

// setDirection sets the direction of a stream, and with it its tags, its priority, its traffic class and whether pauses protect it.
func (b *streamBuilder) setDirection(s *stream, direction int) {
	s.direction, s.unowned = uint8(direction), b.Unowned
	s.connections = float64(b.flow.Flows) * b.parts[direction]
	p := b.port
	b.frames.Tags = b.Tags[direction]
	if !p.ethernet {
		if direction == send && b.SendPriority >= 0 {
			s.priority = b.SendPriority
		}
		s.lossless, s.class = true, s.priority
		return
	}
	h := b.lab.setup.Header(b.flow, b.at, direction, &b.Tagging)
	s.priority, s.class = int32(h.Adapter), int32(h.Class)
	if burst := b.lab.setup.Burst(b.number, b.flow); direction == receive && s.ring && burst > 0 {
		s.excess = max(0, 1-p.ringCapacity/float64(burst))
	}
	s.asked = p.flowControl.Protects(&h)
	s.lossless = s.asked && p.flowControl.Obeys(h.Adapter) && (p.flowControl.Mode == pause.Global || h.Agree())
	b.planRemote(s, &h)
}

func (b *streamBuilder) size(s *stream, ip int) {
	length := b.frames.OnCable(ip)
	s.frame, s.wire = uint64(length), float64(length)+b.port.overhead
	if s.rdma {
		s.rdmaFrame = s.frame
	}
	if b.port.ethernet {
		tagged := wire.FrameCheck + wire.VLANTag*b.frames.Tags
		s.tooLong = s.direction == receive && length > b.lab.setup.Ports[b.at].MaxFrame+wire.FrameCheck
		s.blocked = length > b.lab.setup.Switches[b.at].MaxFrame+tagged
	}
}

func (b *streamBuilder) add(s stream) {
	if s.synthetic && s.ring {
		s.work *= switchWork
		if !b.lab.setup.Ports[b.at].FiltersVLANs && s.direction == receive && b.flow.VLAN != 0 {
			s.work *= effort.VLANWork
		}
	}
	s.first = len(b.plan.lanes)
	b.appendLanes(&s, len(b.plan.streams))
	s.last = len(b.plan.lanes)
	b.plan.streams = append(b.plan.streams, s)
}
