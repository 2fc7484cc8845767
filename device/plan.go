package device

import (
	"cmp"
	"slices"
	"time"

	"cxdeck/device/completion"
	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/effort"
	"cxdeck/device/ets"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/pause"
	"cxdeck/device/ring"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
	"cxdeck/device/wire"
)

// plan is the setup of the lab in the form that a step needs. It never changes: a changed setup gets a new plan.
type plan struct {
	ports   []portPlan
	cards   []cardPlan
	flows   []flowPlan
	streams []stream
	lanes   []lane
	ndspi   []int // the RDMA flows of applications other than SMB Direct
	blocked []blockedFlow
}

// headroom is the fraction of a line or slot that traffic may fill. The rest covers the frames that remainders carry from one
// step to the next, so that no interval exceeds the physical rate.
const headroom = 0.998

type portPlan struct {
	adapter int
	// rate is the line rate in bits per second; line is its capacity in a step, in bytes on the wire.
	rate, line float64
	// overhead is the preamble and gap of a frame, 0 on InfiniBand.
	overhead        float64
	buffer          float64
	ethernet        bool
	flowControl     pause.Control
	ackBytes        uint64
	maxFrame        uint64 // header to FCS, without tags
	ignoreFCS, qos  bool
	classes         [counter.Priorities]ets.Class
	classOf         [counter.Untagged]int // the place in classes of each priority's class
	limited         bool                  // a class has a limit
	rings           []ringPlan
	firstRing       int // the place of its rings in Lab.rings
	unit            float64
	countRSS        bool
	completion      completion.Settings
	receiveBuffers  float64
	ringCapacity    float64 // packets that a ring and its reserve can hold
	headLoss        float64 // the part of the frames behind a long pause that is dropped
	transmitBuffers float64
	// burstLoss and burstWait are the fractions of arriving and of posted packets in bursts that exceed the rings.
	burstLoss, burstWait float64
	// sendInterrupt is the time of an interrupt for completed sends, in seconds.
	sendInterrupt float64
	control       dcqcn.Control
	congestion    dcqcn.Parameters
	marking       dcqcn.Marking
	// crowdedGroups: the host joins more multicast groups than the card filters.
	crowdedGroups bool
	remote        remotePlan
	// forwards is the processor that does half of the work of sends, -1 for none.
	forwards int
	// slowness is the factor by which the processors are slower.
	slowness float64
	// rdma are the RDMA flows of the port.
	rdma []int
	// accepted and initiated count the RDMA connections of all flows; refused counts connections that this end fails to open,
	// because its peers have another RoCE mode.
	accepted, initiated, refused uint64
	// connected counts all reliable RDMA connections, including the ones that no counter reports.
	connected int
	// carried counts the five-tuples that it carries in each direction, without virtual functions.
	carried [2]float64
}

// ringPlan is the processor of a pair of rings, with the first cells of its counters.
type ringPlan struct {
	processor     int
	receive, send int // first cells
}

type cardPlan struct {
	// slot is the capacity of the PCIe slot in a step in one direction, in bytes; raw is the same without packet overhead,
	// for both directions together.
	slot, raw    float64
	speed, lanes uint64 // tenths of GT/s of a lane, lanes
	pairs, rings int
}

type flowPlan struct {
	port int
	traffic.Course
	backsOff    bool
	recovery    float64 // how fast TCP sends more after losses, 1 with selective acknowledgements
	first, last int     // its streams
	// pairs are the queue pairs of an RDMA flow; demand is the wire rate of its data at level 1 in each direction, in
	// bits per second.
	pairs int
	// connections are the five-tuples that it represents.
	connections int
	// shared are other ports to which its peer sends.
	shared []int
	slow   bool // goes to the slow peer of its port
	// priority is the priority of its sent frames, arrives the priority of received ones.
	priority, arrives int
	rdma              bool
	ipoib             bool
	crowded           bool // the port has no room for all its RDMA connections
	accepted          bool
	ndspi             bool // its application is not SMB Direct
	transport         description.Transport
	leases            bool // DHCP traffic of virtual machines: its level is the due leases
	demand            [2]float64
	frame             float64 // its longest frame on the wire
	crossing          site.Crossing
	crosses           bool // through the subnet
}

// newPlan makes the plan of a lab's setup.
func (l *Lab) newPlan() *plan {
	d, p := l.plant.description, new(plan)
	for a := range d.Adapters {
		s := l.setup.Slots[a]
		usable := wire.PCIeUsable(s.Generation, s.Lanes, d.Adapters[a].PCIeMaxPayload)
		p.cards = append(p.cards, cardPlan{
			slot: usable * headroom * stepSeconds, raw: 2 * usable * stepSeconds,
			speed: [...]uint64{1: 25, 2: 50, 3: 80, 4: 160}[s.Generation], lanes: uint64(s.Lanes),
		})
	}
	for port := range l.plant.ports {
		p.ports = append(p.ports, l.newPortPlan(port))
		p.cards[p.ports[port].adapter].rings += len(p.ports[port].rings)
	}
	for i := range l.plant.traffic {
		p.addFlow(l, i)
	}
	return p
}

func (p *plan) addFlow(l *Lab, i int) {
	f, place, parts := l.effectiveFlow(i), &l.plant.flows[i], l.parts(i)
	port := &p.ports[place.port]
	flow := flowPlan{
		port: place.port, Course: traffic.NewCourse(&f.Rhythm, place.schedule, Step),
		backsOff: f.Protocol == description.TCP || f.Protocol == description.IPoIB, recovery: recoveryOf(&l.setup.Ports[place.port]), first: len(p.streams),
		rdma: f.Protocol == description.RDMA, ipoib: f.Protocol == description.IPoIB, pairs: max(f.Flows, f.Connections), connections: f.Flows,
		shared: l.sharedPorts(i), slow: f.Protocol == description.RDMA && l.goesToSlowPeer(f, place.port),
		priority: l.countedPriority(f, place.port), arrives: l.arrivingPriority(f, place.port), accepted: f.Accepted,
		ndspi: !f.Application.SMB(), transport: f.Transport,
	}
	builders := make([]streamBuilder, len(parts))
	for j, part := range parts {
		b := &builders[j]
		*b = streamBuilder{lab: l, plan: p, port: &p.ports[part.port], flow: f, number: i, at: part.port, tuples: part.tuples, way: part.way}
		b.disallowed = b.way == setup.FunctionPath && l.disallowsFlow(b.at, f)
		for direction := range b.parts {
			b.parts[direction] = float64(len(part.tuples[direction])) / float64(len(place.tuples)) * part.scale
			b.acks[direction] = b.parts[direction] / l.scale(f, place.port)
			if !f.Virtual {
				p.ports[part.port].carried[direction] += b.parts[direction] * float64(f.Flows)
			}
		}
	}
	shareAcknowledgements(builders)
	for j := range builders {
		builders[j].build()
	}
	flow.last = len(p.streams)
	if flow.leases = place.kind == traffic.LeaseFlow; flow.leases {
		p.countLeases(&flow)
	}
	for j := flow.first; j < flow.last; j++ {
		if s := &p.streams[j]; !s.ack {
			flow.demand[s.direction] += s.perStep * s.wire * 8 / stepSeconds
			flow.frame = max(flow.frame, s.wire)
		}
	}
	flow.rdma = flow.rdma && flow.last > flow.first // not in a VLAN without an adapter on the host, or that the switch does not forward
	opened := uint64(f.Connections)
	if flow.rdma {
		port.rdma = append(port.rdma, i)
		if flow.transport == description.Reliable {
			opened = uint64(p.limitConnections(&flow, f, l.setup.Ports[place.port].Connections))
		}
	}
	flow.crossing, flow.crosses = site.CrossingOf(place.port, f), !port.ethernet && !place.loopback
	p.flows = append(p.flows, flow)
	if flow.ndspi { // its queue pairs exist while it runs, and no counter has its connections
		if flow.rdma {
			p.ndspi = append(p.ndspi, i)
		}
		return
	}
	if flow.rdma {
		p.cards[port.adapter].pairs += flow.pairs
	}
	switch described := &l.plant.traffic[i]; {
	case f.Protocol == description.RDMA && !flow.rdma:
		port.refused += uint64(f.Connections)
	case l.setup.Team(place.port), l.setup.Carrier(i) != setup.ByRDMA: // no receiver, so no attempts
	case f.Accepted:
		port.accepted += opened
		port.refused += uint64(f.Connections) - opened
	case described.Connections > f.Connections && l.setup.Ports[place.port].RoCE != description.NoRoCE:
		port.refused += uint64(described.Connections)
	default:
		port.initiated += opened
		port.refused += uint64(f.Connections) - opened
	}
}

// limitConnections reduces a flow to the RDMA connections for which its port has room, and returns the number of its
// connections.
func (p *plan) limitConnections(flow *flowPlan, f *description.Flow, limit int) int {
	port, wanted := &p.ports[flow.port], cmp.Or(f.Connections, flow.pairs)
	opened := wanted
	if limit > 0 {
		opened = min(wanted, max(0, limit-port.connected))
	}
	port.connected += opened
	if flow.crowded = opened < wanted; flow.crowded {
		part := float64(opened) / float64(wanted)
		flow.pairs = max(min(1, opened), int(float64(flow.pairs)*part))
		for i := flow.first; i < flow.last; i++ {
			if s := &p.streams[i]; !s.ack {
				s.perStep *= part
			}
		}
		for direction := range flow.demand {
			flow.demand[direction] *= part
		}
	}
	return min(opened, f.Connections)
}

// recoveryWithoutSACK is the factor of TCP's recovery speed without selective acknowledgements: TCP then also resends
// segments that arrived.
const recoveryWithoutSACK = 0.5

func recoveryOf(s *setup.Port) float64 {
	if s.SlowRecovery {
		return recoveryWithoutSACK
	}
	return 1
}

// shareAcknowledgements removes the acknowledgements of traffic that virtual functions may not send: as it does not arrive,
// little is acknowledged.
func shareAcknowledgements(parts []streamBuilder) {
	if !slices.ContainsFunc(parts, func(b streamBuilder) bool { return b.disallowed }) {
		return
	}
	var all [2]float64
	for i := range parts {
		b := &parts[i]
		if b.acks = b.parts; b.disallowed {
			b.acks = [2]float64{receive: 0, send: b.parts[send] * b.attemptedShare()}
		}
		all[receive] += b.acks[receive]
		all[send] += b.acks[send]
	}
	for i := range parts {
		for direction, sum := range all {
			if sum > 0 {
				parts[i].acks[direction] /= sum
			}
		}
	}
}

// priorityOf returns the priority of the flow's frames.
func priorityOf(f *description.Flow) int {
	if f.Priority == nil {
		return counter.Untagged
	}
	return *f.Priority
}

// countedPriority returns the priority that counts the frames of a flow at a port.
func (l *Lab) countedPriority(f *description.Flow, port int) int {
	if own := l.setup.Ports[port].UntaggedPriority; f.Priority == nil && own > 0 {
		return own
	}
	return priorityOf(f)
}

// arrivingPriority returns the priority that a port reads from received frames of the flow.
func (l *Lab) arrivingPriority(f *description.Flow, port int) int {
	if l.plant.ports[port].description.Link != description.Ethernet {
		return l.countedPriority(f, port)
	}
	h := l.header(f, port, receive)
	return h.Adapter
}

// header returns what frames of a flow carry on the cable of its Ethernet port.
func (l *Lab) header(f *description.Flow, port, direction int) setup.Header {
	path := setup.HostPath
	if f.Virtual {
		path = setup.FunctionPath
	}
	t := l.setup.TagFrames(f, port, path)
	return l.setup.Header(f, port, direction, &t)
}

// priorityOf returns the priority of a flow's frames in a direction.
func (f *flowPlan) priorityOf(direction int) int {
	if direction == receive {
		return f.arrives
	}
	return f.priority
}

// referenceQueues is the number of rings for which a description gives HostPacketsPerSecond.
const referenceQueues = 8

func (l *Lab) newPortPlan(port int) portPlan {
	place := &l.plant.ports[port]
	here, there := l.Operational(port)
	s, far := &here, &there
	d := place.description
	p := portPlan{
		adapter: place.adapter, buffer: float64(d.BufferBytes), ethernet: d.Link == description.Ethernet,
		rate: float64(description.AgreedSpeed(&l.plant.description.Adapters[place.adapter], d, far.SpeedGbps)) * 1e9, overhead: wire.PreambleGap,
		ackBytes: uint64(l.plant.description.Adapters[place.adapter].ReceivedAckBytes),
		maxFrame: uint64(s.MaxFrame + wire.FrameCheck), ignoreFCS: s.IgnoreFCS, qos: s.QoS,
		unit: referenceQueues / float64(d.HostPacketsPerSecond) / l.setup.Speeds[port], countRSS: s.CountRSS,
		completion: s.CompletionSettings(), receiveBuffers: float64(s.ReceiveBuffers), ringCapacity: s.RingCapacity(),
		transmitBuffers: float64(s.TransmitBuffers), congestion: s.Congestion, marking: far.Marking,
		slowness: 1 / l.setup.Speeds[port],
	}
	settings := l.setup.FarEnd(port)
	p.remote.Remote, p.remote.dropsCNPs = settings.Remote(s, far, setup.PrioritySet(d.CongestionControl)), settings.DropsCNPs
	if s.DropsHeadOfQueue {
		p.headLoss = min(1, headOfLineLoss*setup.DefaultHeadLimit/float64(cmp.Or(s.HeadLimit, setup.DefaultHeadLimit)))
	}
	p.burstLoss, p.burstWait = ring.Beyond(p.ringCapacity, ring.MeanArrival), ring.Beyond(p.transmitBuffers, ring.MeanWrite)
	if !p.completion.Polling.Always {
		p.sendInterrupt = effort.SendDoneTime * p.slowness
	}
	if !p.ethernet {
		p.rate, p.overhead = wire.InfiniBandRate(d.SpeedGbps), 0
	}
	p.line = p.rate / 8 * stepSeconds * headroom
	p.remote.takes = settings.Takes * p.line
	p.crowdedGroups = l.groups(port) > s.MulticastFilters
	p.control = dcqcn.NewControl(&p.congestion, p.rate/1e6)
	p.flowControl = pause.NewControl(s, far, p.ethernet)
	for priority := range p.classes {
		class := &p.classes[priority]
		if priority != counter.Untagged {
			class.Priority, class.Weight = uint8(priority), s.Shares[priority]
			class.Strict = s.StrictPriorities>>priority&1 == 1
			p.classOf[priority] = s.Class(priority)
			class.Limit = float64(s.Limits[priority]) * 1e6 / 8 * stepSeconds
			p.limited = p.limited || class.Limit > 0
		}
	}
	l.placeRings(port, &p)
	p.forwards = l.forwards(port, &p)
	return p
}

// placeRings assigns processors to the rings of a port (RSS-5, RSS-6).
func (l *Lab) placeRings(port int, p *portPlan) {
	s := &l.setup.Ports[port]
	where := rss.AppendProcessors(nil, l.plant.processors, s.ProcessorGroup, s.BaseProcessor, s.Node)
	if len(where) == 0 { // a base beyond the last processor: use the first ones
		where = l.plant.processors
	}
	n := rss.QueueSettings{
		On: s.RSS || s.MachineQueues, Queues: s.Queues, MaxProcessors: s.MaxProcessors, DriverMax: l.RingSlots(port),
		Available: len(where), AnyNumber: !p.ethernet,
	}.Count()
	for ring := range n {
		processor := where[ring].Group*groupSize + where[ring].Number
		p.rings = append(p.rings, ringPlan{
			processor: processor, receive: l.ReceiveRingCell(port, ring, 0), send: l.SendRingCell(port, ring, 0),
		})
	}
	if s.DefaultProcessor >= 0 && s.DefaultProcessor < len(l.plant.processors) && !s.RSS {
		p.rings[0].processor = s.DefaultProcessor
	}
	p.firstRing = l.FirstRing(port)
}

// forwards returns the processor that does half of the work of a port's sends, -1 for none.
func (l *Lab) forwards(port int, p *portPlan) int {
	s := &l.setup.Ports[port]
	switch {
	case !s.Forwards:
		return -1
	case s.ForwardProcessor >= 0 && s.ForwardProcessor < l.Processors():
		return s.ForwardProcessor
	}
	return (p.rings[len(p.rings)-1].processor + 1) % l.Processors()
}

// groups returns how many multicast groups the host joins at a port: each five-tuple of a multicast flow is one.
func (l *Lab) groups(port int) (n int) {
	for i := range l.plant.traffic {
		if f := &l.plant.traffic[i]; f.Multicast && f.ReceiveGbps > 0 && l.plant.flows[i].port == port {
			n += f.Flows
		}
	}
	return n
}

// stepSeconds is the length of a step.
const stepSeconds = float64(Step) / float64(time.Second)
