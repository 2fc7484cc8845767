package device

import (
	"math"

	"cxdeck/device/description"
	"cxdeck/device/offload"
	"cxdeck/device/setup"
)

// Processor time per packet, relative to the time of a received packet.
const (
	receiveWork   = 1.0    // a packet or a joined segment
	joinWork      = 0.35   // a segment that is joined to another
	sendWork      = 0.5    // a send that is posted
	segmentWork   = 0.4    // a segment that the stack cut from a larger send
	interruptTime = 1.5e-6 // including the hand-over to the stack; for send completions:
	sendDoneTime  = 0.4e-6
	checksumTime  = 0.3e-9 // per byte; and per packet:
	checksumLook  = 150e-9
	threadedWork  = 1.05 // of what threaded DPCs do
	splitWork     = 0.95 // of a packet whose payload stays out of the processor's cache
	filterWork    = 1.5  // of a multicast packet that Windows filters
	fastWork      = 0.7  // of a datagram on the fast path of Windows
)

// smallSend: the driver copies sends of packets below this length while it has free buffers.
const smallSend = 128

// splitPacket is the length of an IP packet from which splitting header and payload pays.
const splitPacket = 512

// ipHeader is the length of an IPv4 header without options.
const ipHeader = 20

// maxCoalesced is the longest joined segment in bytes.
const maxCoalesced = 65535

// splitWork divides the work for a stream between the processors and the adapter.
func (b *streamBuilder) splitWork(s *stream, ip int) {
	settings, f := &b.lab.setup.Ports[b.at], b.flow
	tcp, v6 := f.Protocol == description.TCP || f.Protocol == description.IPoIB, f.Peer.Is6()
	if s.rdma { // bypasses the host's stack
		return
	}
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
	hidden = hidden || s.overlay && !b.offloadsOverlay()
	if hidden { // the adapter sees only UDP or GRE
		checksum, header = 0, 0
	}
	v4 := !v6 && (summed || f.Protocol == description.OtherIP)
	unit := b.port.unit
	if s.direction == receive {
		s.work = unit * receiveWork
		if settings.ThreadedDPC {
			s.work *= threadedWork
		}
		if settings.SplitsHeaders && ip >= splitPacket {
			s.work *= splitWork
		}
		if s.multicast && b.port.crowdedGroups {
			s.work *= filterWork
		}
		if summed && !checksum.Receives() {
			s.slowChecksum = true
			s.work += b.checksumWork(ip)
		}
		if v4 && !header.Receives() {
			s.work += b.checksumWork(ipHeader)
		}
		on := settings.CoalesceIPv4
		if v6 {
			on = settings.CoalesceIPv6
		}
		if on && tcp && !s.ack && b.port.ethernet && !hidden {
			s.coalesces = float64(max(1, maxCoalesced/ip))
		}
		return
	}
	s.work = unit * sendWork
	if f.Protocol == description.UDP && ip > setup.FastDatagramUsual && ip <= settings.FastDatagram {
		s.work *= fastWork
	}
	if ip < smallSend {
		s.copied = math.Min(1, float64(settings.SendBuffers)/defaultBurst)
	}
	if summed && !checksum.Sends() {
		s.work += b.checksumWork(ip)
	}
	if v4 && !header.Sends() {
		s.work += b.checksumWork(ipHeader)
	}
	large := offload.DefaultSettings(ip)
	large.Largest = settings.LargeSendBytes
	on := settings.LargeSendIPv4
	if v6 {
		on = settings.LargeSendIPv6
	}
	bulk := tcp && !s.ack && ip > 1000
	cut := 1
	if on && settings.LargeSendOptions && !hidden && large.On() { // segments in the lab have timestamps
		cut = large.Cut(offload.Send{Payload: large.Largest, IPv6: v6}).Packets
	}
	switch {
	case bulk && cut >= settings.LargeSendMin:
		s.sends = float64(cut)
	case bulk:
		s.work += unit * segmentWork
	}
	s.work *= s.sends // per posted send; a large send costs as much as a small one
	if s.sends > 1 {
		s.work = unit * sendWork
		if summed && !checksum.Sends() {
			s.work += b.checksumWork(ip) * s.sends
		}
		if v4 && !header.Sends() {
			s.work += b.checksumWork(ipHeader) * s.sends
		}
	}
}

// checksumWork returns the processor time for the checksum of a packet, in seconds.
func (b *streamBuilder) checksumWork(ip int) float64 {
	return (checksumLook + checksumTime*float64(ip)) * b.processorFactor()
}

// processorFactor returns the factor by which the processors are slower for the port.
func (b *streamBuilder) processorFactor() float64 { return 1 / b.lab.setup.Speeds[b.at] }
