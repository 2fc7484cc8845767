package measurement

import (
	"errors"
	"net/netip"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/offload"
	"cxdeck/device/wire"
)

// Verb is the RDMA operation that a test measures.
type Verb uint8

// The verbs. A read moves data to the host that asks for it, the others away from it.
const (
	Write Verb = iota
	Read
	Send
)

// Test is a run of a performance tool at a port: for each size as many messages as the path carries, or for a latency test one message at a
// time. Its JSON form is part of saved labs.
type Test struct {
	// Name is unique among the tests of a lab.
	Name string
	// Port is the number of the port, Local its address and Peer the other end; both are the same in loopback.
	Port        int
	Local, Peer netip.Addr
	Verb        Verb
	// Latency reports one message at a time, each after the answer to the one before.
	Latency bool `json:",omitempty"`
	// Receives reports that the messages come from the peer: this host is the server of a write or send, or reads.
	Receives bool `json:",omitempty"`
	// Events reports that a program waits for completions by event instead of polling.
	Events bool `json:",omitempty"`
	// Sockets reports that the messages go through TCP instead of RDMA, over IPoIB on an InfiniBand port. Streams are its connections,
	// each with a thread, and Window is the receive buffer of each in bytes, 0 for one that grows as needed.
	Sockets bool `json:",omitempty"`
	IPoIB   bool `json:",omitempty"`
	Streams int  `json:",omitempty"`
	Window  int  `json:",omitempty"`
	// Processors is the number of processors that run the threads, 0 for one each.
	Processors int `json:",omitempty"`
	// Kernel reports RDMA of Windows itself, such as SMB Direct.
	Kernel bool `json:",omitempty"`
	// Slowdown is the fraction of their demand that the senders of streams leave out, because more did not arrive.
	Slowdown float64 `json:",omitempty"`
	// Priority is the priority of the frames, -1 for untagged ones, and DSCP their code point.
	Priority, DSCP int
	// Sizes are the lengths of the messages in bytes, one after another; each is sent for a number of steps.
	Sizes []int
	Steps int64
	// Begin is the step of the lab after which it begins.
	Begin int64
	// Results are the measured figures of each size.
	Results []Result
}

// Result is the result of one size so far.
type Result struct {
	// Messages is the number of messages that arrived, in Steps steps.
	Messages float64
	Steps    int64
	// Delay is the sum over the steps of the time from one end to the other, in seconds.
	Delay float64
}

// The largest message, the largest number of streams, and the largest number of sizes and steps of a test.
const (
	MaxSize    = 4 << 20
	MaxStreams = 1024
	MaxWindow  = 1 << 30

	maxSizes = 64
	maxSteps = 1 << 20
)

// errTest reports a test that no tool makes.
var errTest = errors.New("the lab has a damaged measurement")

// Check rejects a test that no tool makes. The time of the lab is steps.
func (t *Test) Check(ports int, steps int64) error {
	switch {
	case t.Name == "", t.Port < 0 || t.Port >= ports, !t.Local.IsValid() || !t.Peer.IsValid() || t.Local.Zone()+t.Peer.Zone() != "", t.Verb > Send,
		t.Priority < -1 || t.Priority > 7, t.DSCP < 0 || t.DSCP > 63,
		len(t.Sizes) == 0 || len(t.Sizes) > maxSizes || len(t.Results) != len(t.Sizes),
		slices.Min(t.Sizes) < 1 || slices.Max(t.Sizes) > MaxSize,
		t.Sockets != (t.Streams > 0), !t.Sockets && (t.IPoIB || t.Window != 0 || t.Processors != 0), t.Processors < 0 || t.Processors > MaxStreams, t.Streams < 0 || t.Streams > MaxStreams, t.Window < 0 || t.Window > MaxWindow,
		t.Sockets && t.Loopback(), !(t.Slowdown >= 0 && t.Slowdown < 1), !t.Sockets && t.Slowdown != 0,
		t.Steps < 1 || t.Steps > maxSteps, t.Begin < 0 || t.Begin > steps:
		return errTest
	}
	for i := range t.Results {
		if r := &t.Results[i]; !(r.Messages >= 0) || !(r.Delay >= 0) || r.Steps < 0 || r.Steps > t.Steps {
			return errTest
		}
	}
	return nil
}

// Loopback reports whether the messages never leave the card.
func (t *Test) Loopback() bool { return t.Local == t.Peer }

// Stage returns the place of the size that the test sends in a step of the lab; len(Sizes) when it has sent them all.
func (t *Test) Stage(step int64) int {
	return int(min(max(0, step-t.Begin-1)/t.Steps, int64(len(t.Sizes))))
}

// Clone returns an independent copy.
func (t *Test) Clone() Test {
	c := *t
	c.Results = slices.Clone(t.Results)
	return c
}

// Path is the capacity of the path that a test uses.
type Path struct {
	// Line is the line rate in bits per second, and Slot the usable rate of the slot in bytes per second. Card is the rate in
	// bytes per second at which the card loops data back.
	Line, Slot, Card float64
	// Payload is the largest payload of a frame in bytes, Around the bytes around it in an IP packet, and Frame the bytes around the IP packet, from
	// header to FCS. Gap is the time on the line around a frame, in bytes.
	Payload, Around, Frame, Gap int
	// MaxFrame is the longest frame of the port, without FCS.
	MaxFrame int
}

// The limits of one connection. The manuals give no figures; a card of these generations handles some million messages a second,
// and reads less because each waits for its answer.
const (
	messageRate     = 8e6 // messages per second
	readRate        = 5e6
	sendLatency     = 0.95e-6 // seconds from one end to the other
	writeLatency    = 0.85e-6
	readLatency     = 1.7e-6
	loopbackLatency = 0.3e-6 // less without a cable and a switch
	eventTime       = 6e-6   // to wake the program that waits for an event
)

// Card is what a path needs of a card and its port.
type Card struct {
	Generation, Lanes, MaxPayload int // of the slot
	// Line is the line rate in bits per second, MaxFrame the longest frame, and RDMAPayload the limit of the payload in bytes, 0 for none.
	Line                  float64
	MaxFrame, RDMAPayload int
	// InfiniBand ports have packets with its own headers.
	InfiniBand bool
}

// NewPath returns the path of a port, with or without a tag in its frames.
func NewPath(c *Card, tagged bool) Path {
	p := Path{
		Line: c.Line, Slot: wire.PCIeUsable(c.Generation, c.Lanes, c.MaxPayload), Card: wire.LoopbackRate(c.Generation, c.Lanes),
		Around: wire.RoCEPacket(0, 2), Frame: wire.EthernetHeader + wire.FrameCheck, Gap: wire.PreambleGap,
		Payload: max(256, offload.RoCEMTU(c.MaxFrame-wire.EthernetHeader)), MaxFrame: c.MaxFrame,
	}
	if c.InfiniBand {
		p.Payload, p.Gap, p.Frame = wire.InfiniBandPayload, 0, wire.InfiniBandBytes(0)-p.Around
	} else if tagged {
		p.Frame += wire.VLANTag
	}
	if c.RDMAPayload > 0 {
		p.Payload = min(p.Payload, c.RDMAPayload)
	}
	if p.Card == 0 { // the manuals give no figure
		p.Card = p.Slot
	}
	return p
}

// On returns a path as a test uses it: for sockets with full segments of TCP.
func (t *Test) On(p *Path) Path {
	if !t.Sockets {
		return *p
	}
	return p.segments(t)
}

// Frames returns the number of frames of a message.
func (p *Path) Frames(size int) int { return max(1, (size+p.Payload-1)/p.Payload) }

// wire returns the bytes of a message on the line.
func (p *Path) wire(size int) float64 {
	n := p.Frames(size)
	return float64(size + n*(p.Around+p.Frame+p.Gap))
}

// Time returns the time of a message from one end to the other on an idle path, in seconds (ours).
func (t *Test) Time(p *Path, size int) float64 {
	if t.Sockets {
		return t.socketTime(p, size)
	}
	base := [...]float64{Write: writeLatency, Read: readLatency, Send: sendLatency}[t.Verb]
	if t.Events {
		base += eventTime
	}
	if t.Loopback() {
		return base - loopbackLatency + float64(size)/p.Card
	}
	return base + p.wire(size)*8/p.Line + float64(min(size, p.Payload))/p.Slot
}

// Rate returns the messages that the programs offer, per second.
func (t *Test) Rate(p *Path, size int) float64 {
	if t.Sockets {
		return t.socketRate(p, size)
	}
	limit := messageRate
	if t.Verb == Read {
		limit = readRate
	}
	switch {
	case t.Latency: // there and back
		return 1 / (2 * t.Time(p, size))
	case t.Loopback():
		return min(limit, p.Card/float64(size))
	}
	return min(limit, p.Line/8/p.wire(size))
}

// Add adds a step to the results: the frames that arrived, and the time in seconds for which a frame waited on the path. It returns the
// fraction of its rate at which the test sends in the next step.
func (t *Test) Add(step int64, p *Path, frames uint64, wait float64) (pace float64) {
	stage := t.Stage(step)
	if stage >= len(t.Sizes) {
		return 1
	}
	r, size := &t.Results[stage], t.Sizes[stage]
	r.Steps++
	if t.Sockets {
		segments := p.segments(t)
		arrived := float64(frames) * float64(t.segment(&segments, size)) / float64(size)
		r.Messages += arrived
		t.adapt(arrived / (t.Offered(p, size) * stepSeconds))
	} else {
		r.Messages += float64(frames) / float64(p.Frames(size))
	}
	if r.Delay += t.Time(p, size); !t.Loopback() {
		r.Delay += wait
	}
	return 1 - t.Slowdown
}

// Flow returns the traffic of a stage at a connection; none after the last one.
func (t *Test) Flow(connection string, stage int, p *Path) description.Flow {
	if t.Sockets {
		return t.socketFlow(connection, stage, p)
	}
	f := description.Flow{
		Name: t.Name, Port: connection, Protocol: description.RDMA, Local: t.Local, Peer: t.Peer, Flows: 1, Connections: 1, Accepted: t.Receives,
		Application: description.NDSPI, DSCP: t.DSCP, Packets: []description.PacketSize{{IP: p.Around + p.Payload, Share: 1}},
	}
	if t.Kernel {
		f.Application = description.SMBDirect
	}
	if t.Priority >= 0 {
		priority := t.Priority
		f.Priority = &priority
	}
	if stage >= len(t.Sizes) {
		return f
	}
	size := t.Sizes[stage]
	frames := p.Frames(size)
	last := size - (frames-1)*p.Payload
	f.Packets = []description.PacketSize{{IP: p.Around + last, Share: 1 / float64(frames)}}
	if frames > 1 && last < p.Payload {
		f.Packets = append(f.Packets, description.PacketSize{IP: p.Around + p.Payload, Share: 1 - 1/float64(frames)})
	} else {
		f.Packets[0] = description.PacketSize{IP: p.Around + last, Share: 1}
	}
	gbps := t.Rate(p, size) * float64(size+frames*(p.Around+p.Frame)) * 8 / 1e9
	switch {
	case t.Loopback():
		f.ReceiveGbps, f.SendGbps = gbps, gbps
	case t.Receives:
		f.ReceiveGbps = gbps
	default:
		f.SendGbps = gbps
	}
	return f
}
