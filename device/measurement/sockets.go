package measurement

import (
	"cxdeck/device/description"
	"cxdeck/device/framesize"
	"cxdeck/device/wire"
)

// The lengths of TCP segments: IP and TCP with timestamps, and the longest packet and the frame of IPoIB.
const (
	tcpHeaders  = 52
	tcpHeaders6 = 72
	ipoibPacket = 2044
	ipoibFrame  = 38
)

// The limits of a program that uses sockets (ours): the time of a call to the stack, the rate at which a thread copies, and the time of a
// message from one end to the other through both stacks.
const (
	callTime      = 2e-6  // seconds
	copyRate      = 8e9   // bytes per second
	socketLatency = 12e-6 // seconds
)

// segments returns the path with full segments of TCP.
func (p *Path) segments(t *Test) Path {
	s := *p
	s.Around = tcpHeaders
	if t.Local.Is6() {
		s.Around = tcpHeaders6
	}
	packet := s.MaxFrame - wire.EthernetHeader
	if t.IPoIB {
		packet, s.Frame, s.Gap = min(ipoibPacket, s.MaxFrame), ipoibFrame, 0
	}
	s.Payload = max(1, packet-s.Around)
	return s
}

// segment returns the payload of a packet. Between messages of a latency test the sender waits, so that a short one has a packet of its own.
func (t *Test) segment(s *Path, size int) int {
	if t.Latency {
		return min(size, s.Payload)
	}
	return s.Payload
}

// socketTime returns the time of a message through both stacks on an idle path, in seconds.
func (t *Test) socketTime(p *Path, size int) float64 {
	s := p.segments(t)
	return socketLatency + 2*float64(size)/copyRate + s.wire(size)*8/s.Line
}

// socketRate returns the messages that the threads offer, per second.
func (t *Test) socketRate(p *Path, size int) float64 {
	if t.Latency {
		return 1 / (2 * t.socketTime(p, size))
	}
	s := p.segments(t)
	full := float64(s.Payload) / float64(s.Payload+s.Around+s.Frame+s.Gap)
	thread := 1 / (callTime + float64(size)/copyRate)
	running := t.Streams
	if t.Processors > 0 {
		running = min(running, t.Processors)
	}
	return min(s.Line/8*full/float64(size), float64(running)*thread)
}

// Offered returns the messages that the threads of a test over sockets offer with their receive buffers, per second.
func (t *Test) Offered(p *Path, size int) float64 {
	bits := float64(size) * 8 / 1e9
	f := description.Flow{Flows: t.Streams}
	return framesize.Windowed(&f, t.socketRate(p, size)*bits, t.Window) / bits
}

// The reaction of the senders to a step: they fall back to what arrived, and go up by a small part while everything arrives.
const (
	stepSeconds = 0.05
	arrivesAll  = 0.995
	speedUp     = 0.01
	minPace     = 0.001
)

// adapt sets the pace of the next step by the part of the full rate that arrived.
func (t *Test) adapt(arrived float64) {
	pace := 1 - t.Slowdown
	if arrived < arrivesAll*pace {
		pace = max(minPace, arrived)
	} else {
		pace = min(1, pace+speedUp*max(pace, 0.1))
	}
	t.Slowdown = 1 - pace
}

// socketFlow returns the traffic of a stage at a connection: full segments, or one packet a message in a latency test of short ones.
func (t *Test) socketFlow(connection string, stage int, p *Path) description.Flow {
	s := p.segments(t)
	f := description.Flow{
		Name: t.Name, Port: connection, Protocol: description.TCP, Local: t.Local, Peer: t.Peer, Flows: t.Streams, Accepted: t.Receives,
		DSCP: t.DSCP, Packets: []description.PacketSize{{IP: s.Around + s.Payload, Share: 1}},
	}
	if t.IPoIB {
		f.Protocol = description.IPoIB
	} else if t.Priority >= 0 {
		priority := t.Priority
		f.Priority = &priority
	}
	if stage >= len(t.Sizes) {
		return f
	}
	data := t.segment(&s, t.Sizes[stage])
	f.Packets[0].IP = s.Around + data
	gbps := t.Offered(p, t.Sizes[stage]) * float64(t.Sizes[stage]) * 8 / 1e9 * float64(data+s.Around+s.Frame) / float64(data)
	switch {
	case t.Receives:
		f.ReceiveGbps = gbps
	default:
		f.SendGbps = gbps
	}
	return f
}
