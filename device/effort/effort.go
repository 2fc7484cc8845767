// Package effort divides the work for packets between the processors and the adapter: what the processors do for a received packet,
// and for a posted send, with the offloads of a port.
package effort

import (
	"cxdeck/device/completion"
	"cxdeck/device/description"
	"cxdeck/device/offload"
	"cxdeck/device/setup"
)

// Processor time per packet, relative to the time of a received packet.
const (
	receiveWork   = 1.0    // a packet or a joined segment
	JoinWork      = 0.35   // a segment that is joined to another
	sendWork      = 0.5    // a send that is posted
	segmentWork   = 0.4    // a segment that the stack cut from a larger send
	InterruptTime = 1.5e-6 // of a receive interrupt, in seconds, with the indication to the stack
	SendDoneTime  = 0.4e-6 // of an interrupt for send completions, in seconds
	checksumTime  = 0.3e-9 // of a checksum for each byte, in seconds
	checksumSetup = 150e-9 // of a checksum for each packet, in seconds
	threadedWork  = 1.05   // factor of threaded DPCs
	splitWork     = 0.95   // factor of a packet whose payload does not enter the processor's cache
	filterWork    = 1.5    // factor of a multicast packet that Windows filters
	fastWork      = 0.7    // factor of a datagram on the fast path of Windows
	fetchedWork   = 0.95   // factor of a small send whose descriptor the card fetches, instead of the processor writing it into the card
	VLANWork      = 1.1    // factor of a packet whose VLAN the virtual switch checks
)

// smallSend is the packet length below which the driver copies sends while it has free buffers.
const smallSend = 128

// splitPacket is the minimum length of an IP packet for which splitting header and payload saves work.
const splitPacket = 512

// ipHeader is the length of an IPv4 header without options.
const ipHeader = 20

// maxCoalesced is the longest joined segment in bytes.
const maxCoalesced = 65535

// Packet is a packet of a flow at a port.
type Packet struct {
	// Unit is the time for a received packet in seconds, Slowness the factor by which the processors are slower.
	Unit, Slowness float64
	// Receives: it is received; Ack: it acknowledges others; Filtered: Windows filters it by its multicast group; HiddenOverlay:
	// it is in an overlay that the adapter does not offload; Ethernet: the port is Ethernet.
	Receives, Ack, Filtered, HiddenOverlay, Ethernet bool
}

// Work is the processor time that a packet costs.
type Work struct {
	// Seconds is the time for a received packet or a posted send, without interrupts.
	Seconds float64
	// SlowChecksum: the processor verifies its checksum.
	SlowChecksum bool
	// Coalesces is the maximum number of segments that are joined, Copied the fraction that the driver copies, Sends the number of
	// packets of a posted send.
	Coalesces, Copied, Sends float64
}

// Split returns the work for a packet of a flow with a length as an IP packet. RDMA bypasses the processors.
func (p *Packet) Split(settings *setup.Port, f *description.Flow, ip int) Work {
	w := Work{Coalesces: 1, Sends: 1}
	tcp, v6 := f.Protocol == description.TCP || f.Protocol == description.IPoIB, f.Peer.Is6()
	checksum := offload.Checksum(settings.ChecksumUDPIPv4)
	switch {
	case tcp && v6:
		checksum = offload.Checksum(settings.ChecksumTCPIPv6)
	case tcp:
		checksum = offload.Checksum(settings.ChecksumTCPIPv4)
	case v6:
		checksum = offload.Checksum(settings.ChecksumUDPIPv6)
	}
	summed := tcp || f.Protocol == description.UDP
	header := offload.Checksum(settings.ChecksumHeader)
	hidden := f.VXLAN && (!settings.InnerOffload || settings.TunnelPort != setup.VXLANPort)
	hidden = hidden || p.HiddenOverlay
	if hidden { // the adapter sees only UDP or GRE
		checksum, header = 0, 0
	}
	v4 := !v6 && (summed || f.Protocol == description.OtherIP)
	unit := p.Unit
	if p.Receives {
		w.Seconds = unit * receiveWork
		if settings.ThreadedDPC {
			w.Seconds *= threadedWork
		}
		if settings.SplitsHeaders && ip >= splitPacket {
			w.Seconds *= splitWork
		}
		if p.Filtered {
			w.Seconds *= filterWork
		}
		if summed && !checksum.Receives() {
			w.SlowChecksum = true
			w.Seconds += p.checksum(ip)
		}
		if v4 && !header.Receives() {
			w.Seconds += p.checksum(ipHeader)
		}
		on := settings.CoalesceIPv4
		if v6 {
			on = settings.CoalesceIPv6
		}
		if on && tcp && !p.Ack && p.Ethernet && !hidden {
			w.Coalesces = float64(max(1, maxCoalesced/ip))
		}
		return w
	}
	w.Seconds = unit * sendWork
	if f.Protocol == description.UDP && ip > setup.FastDatagramUsual && ip <= settings.FastDatagram {
		w.Seconds *= fastWork
	}
	if !settings.BlueFlame {
		w.Seconds *= fetchedWork
	}
	if ip < smallSend {
		w.Copied = min(1, float64(settings.SendBuffers)/completion.Burst)
	}
	if summed && !checksum.Sends() {
		w.Seconds += p.checksum(ip)
	}
	if v4 && !header.Sends() {
		w.Seconds += p.checksum(ipHeader)
	}
	large := offload.DefaultSettings(ip)
	large.Largest = settings.LargeSendBytes
	on := settings.LargeSendIPv4
	if v6 {
		on = settings.LargeSendIPv6
	}
	bulk := tcp && !p.Ack && ip > 1000
	cut := 1
	if on && settings.LargeSendOptions && !hidden && large.On() { // segments in the lab have timestamps
		cut = large.Cut(offload.Send{Payload: large.Largest, IPv6: v6}).Packets
	}
	switch {
	case bulk && cut >= settings.LargeSendMin:
		w.Sends = float64(cut)
	case bulk:
		w.Seconds += unit * segmentWork
	}
	w.Seconds *= w.Sends // per posted send; a large send costs as much as a small one
	if w.Sends > 1 {     // too long for BlueFlame
		w.Seconds = unit * sendWork
		if summed && !checksum.Sends() {
			w.Seconds += p.checksum(ip) * w.Sends
		}
		if v4 && !header.Sends() {
			w.Seconds += p.checksum(ipHeader) * w.Sends
		}
	}
	return w
}

// checksum returns the processor time for the checksum of a number of bytes, in seconds.
func (p *Packet) checksum(bytes int) float64 {
	return (checksumSetup + checksumTime*float64(bytes)) * p.Slowness
}
