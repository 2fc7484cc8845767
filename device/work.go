package device

import "cxdeck/device/effort"

// splitWork divides the work for a stream between the processors and the adapter.
func (b *streamBuilder) splitWork(s *stream, ip int) {
	if s.rdma { // bypasses the host's stack
		return
	}
	p := effort.Packet{
		Unit: b.port.unit, Slowness: 1 / b.lab.setup.Speeds[b.at], Receives: s.direction == receive, Ack: s.ack,
		Filtered: s.multicast && b.port.crowdedGroups, HiddenOverlay: s.overlay && !b.offloadsOverlay(), Ethernet: b.port.ethernet,
	}
	w := p.Split(&b.lab.setup.Ports[b.at], b.flow, ip)
	s.work, s.slowChecksum, s.coalesces, s.copied, s.sends = w.Seconds, w.SlowChecksum, w.Coalesces, w.Copied, w.Sends
}
