package device

import (
	"cxdeck/device/completion"
	"cxdeck/device/description"
	"cxdeck/device/effort"
	"cxdeck/device/offload"
	"cxdeck/device/pause"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
	"cxdeck/device/tunnel"
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
	tags int
	base stream
}

// switchWork is the factor of processor time for a frame through a virtual switch: an assumption of the lab.
const switchWork = 1.4

// acknowledgement has for each protocol the length of an acknowledgement as an IP packet, and the number of data frames for
// one; 0 when the protocol has none. RDMA: base and acknowledge headers over UDP (PERF-10 gives 70 bytes with a tag); TCP:
// every other segment, with timestamps. Over IPv6 it is longer by the difference of the headers.
var acknowledgement = [...]struct {
	ip  int
	per float64
}{description.TCP: {52, 2}, description.UDP: {}, description.RDMA: {48, 8}, description.IPoIB: {52, 2}, description.OtherIP: {}, description.NotIP: {}}

// The number of back-to-back frames of a flow: from one sender, and from very many that answer at once.
const (
	defaultBurst = completion.Burst
	incastBurst  = 32
)

// rdmaHeaders is the overhead of a RoCE v2 IP packet in bytes: IP, UDP and base transport headers, and the invariant CRC.
const rdmaHeaders = 20 + 8 + 12 + 4

func (b *streamBuilder) build() {
	f, p := b.flow, b.port
	priority := b.lab.countedPriority(f, b.at)
	b.Tagging = b.lab.setup.TagFrames(f, b.at, b.way)
	if !b.Reachable {
		b.addBlockedFlow()
		return
	}
	if f.Priority != nil {
		b.tags = 1
	}
	b.base = stream{
		team: b.Team, vlan: b.VLAN, broken: b.Broken,
		flow: int32(b.number), port: int32(b.at), priority: int32(priority), rdma: f.Protocol == description.RDMA,
		multicast: f.Multicast, ring: f.Protocol != description.RDMA, virtual: b.way == setup.FunctionPath, synthetic: b.way.Synthetic(),
		overlay: b.way == setup.OverlayPath, disallowed: b.disallowed,
		ndspi: !f.Application.SMB(), sends: 1, coalesces: 1, burst: defaultBurst,
	}
	if f.Rhythm.Kind == description.Burst {
		b.base.burst = incastBurst
	}
	mean := 0.0
	for _, size := range f.Packets {
		mean += float64(b.length(size.IP)) * size.Share
	}
	for direction, gbps := range [...]float64{receive: f.ReceiveGbps, send: f.SendGbps} {
		if gbps == 0 {
			continue
		}
		frames := b.windowed(gbps) * 1e9 / 8 / mean * stepSeconds
		for _, size := range f.Packets {
			if !b.carries(direction) {
				break
			}
			s := b.base
			b.setDirection(&s, direction)
			ip := b.adaptedSize(size.IP, direction)
			b.size(&s, ip)
			if s.rdma && !s.ndspi {
				s.data = uint64(max(0, ip-rdmaHeaders))
			}
			// The described bytes are sent in frames of the adapted size.
			s.perStep = frames * size.Share * float64(b.length(size.IP)) / float64(b.length(ip)) * b.parts[direction] * b.attemptedShare()
			b.splitWork(&s, ip)
			b.add(s)
		}
		ack := acknowledgement[f.Protocol]
		if !answered(f) || b.Unowned || !b.carries(1-direction) {
			continue
		}
		s := b.base
		b.setDirection(&s, 1-direction)
		s.ack, s.perStep = true, 1/ack.per*b.acks[1-direction]
		ip := ack.ip
		if f.Peer.Is6() {
			ip += wire.IPv6Longer
		}
		b.size(&s, ip)
		if s.rdma && s.direction == receive && p.ackBytes > 0 {
			s.rdmaFrame = p.ackBytes
		}
		b.splitWork(&s, ip)
		b.add(s)
	}
}

// roundTrip is the round-trip time of TCP in the networks of labs, in seconds.
const roundTrip = 500e-6

// windowed returns what is left of a rate in Gb/s with a fixed TCP window, of which a stream sends one each round trip.
func (b *streamBuilder) windowed(gbps float64) float64 {
	window := b.lab.setup.Ports[b.at].Window
	if b.flow.Protocol != description.TCP || window == 0 {
		return gbps
	}
	return min(gbps, float64(b.flow.Flows)*float64(window)*8/roundTrip/1e9)
}

// attemptedShare returns the fraction of a flow that is sent when nothing arrives at the other end: acknowledged flows, and
// flows without a peer, only retry occasionally.
func (b *streamBuilder) attemptedShare() float64 {
	if b.disallowed && (answered(b.flow) || setup.FrameTypeOf(b.flow) == setup.IPv4Frame && b.lab.disallows(b.at, setup.ARPFrame)) {
		return traffic.TrialShare
	}
	return 1
}

// answered reports whether frames of a flow are acknowledged.
func answered(f *description.Flow) bool {
	return acknowledgement[f.Protocol].per > 0 && !f.Multicast && f.Transport == description.Reliable
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
	b.tags = b.Tags[direction]
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

// length returns the length of an IP packet's frame, from header to FCS.
func (b *streamBuilder) length(ip int) int {
	if b.flow.VXLAN {
		ip += tunnel.VXLAN.Added()
	}
	if b.flow.Protocol == description.IPoIB {
		return wire.IPoIBBytes(ip)
	}
	return wire.FrameBytes(ip, b.tags)
}

// largestPacket returns the length of the largest IP packet in a frame of a limit.
func (b *streamBuilder) largestPacket(maxFrame int) int {
	room := maxFrame - wire.EthernetHeader - wire.VLANTag*b.tags - b.overlayLength()
	if b.flow.VXLAN {
		room -= tunnel.VXLAN.Added()
	}
	return room
}

// nearlyFull is the free space in a frame, in bytes, up to which a packet is taken to have the maximum size.
const nearlyFull = 16

// adaptedSize returns the size of a packet under the current frame limit. TCP negotiates segments with its peers, so that full
// ones grow and shrink; RDMA negotiates a path MTU; frames from this end are cut to its own limit; UDP frames of peers arrive
// unchanged.
func (b *streamBuilder) adaptedSize(ip, direction int) int {
	d := b.lab.plant.ports[b.at].description
	if b.flow.Protocol == description.IPoIB {
		return min(ip, b.lab.setup.Ports[b.at].MaxFrame)
	}
	ours, described := b.largestPacket(b.lab.setup.Ports[b.at].MaxFrame), b.largestPacket(d.MaxFrame)
	switch {
	case b.flow.Protocol == description.RDMA:
		around := wire.RoCEPacket(0, 2)
		payload := offload.RoCEMTU(ours)
		if maxPayload := b.lab.setup.Ports[b.at].RDMAPayload; maxPayload > 0 {
			payload = min(payload, maxPayload)
		}
		return min(ip, around+payload)
	case b.flow.Protocol == description.TCP && ours > described && ip >= described-nearlyFull:
		return max(ip, min(ours, b.largestPacket(min(d.Switch.MaxFrame, jumbo))))
	case b.flow.Protocol == description.TCP || direction == send:
		return min(ip, ours)
	}
	return ip
}

// jumbo is the frame limit of peers with jumbo frames.
const jumbo = 9014

func (b *streamBuilder) size(s *stream, ip int) {
	length := b.length(ip + b.overlayLength())
	s.frame, s.wire = uint64(length), float64(length)+b.port.overhead
	if s.rdma {
		s.rdmaFrame = s.frame
	}
	if b.port.ethernet {
		tagged := wire.FrameCheck + wire.VLANTag*b.tags
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
