package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// disallows reports whether a port blocks frames of a type from a virtual function (IOV-9).
func (l *Lab) disallows(port int, t setup.FrameType) bool {
	return l.plant.ports[port].description.Link == description.Ethernet && l.setup.Ports[port].Bars.Has(t)
}

// disallowsFlow reports whether a virtual function of a port can't send a flow: its frames are blocked, or its address resolution.
func (l *Lab) disallowsFlow(port int, f *description.Flow) bool {
	t := setup.FrameTypeOf(f)
	return l.disallows(port, t) || t == setup.IPv4Frame && l.disallows(port, setup.ARPFrame)
}

// dropsDisallowedFrames reports whether the card's switch drops the disallowed frames of a port's virtual functions; otherwise they are
// sent damaged, and counted as sent (IOV-9).
func (l *Lab) dropsDisallowedFrames(port int) bool {
	return l.plant.ports[port].family == description.WinOF2
}

// dropDisallowed drops disallowed frames of a stream, and counts them for each virtual function by its share. It counts the
// growth of each share of the total, so that no frame is lost between steps.
func (l *Lab) dropDisallowed(s *stream, n uint64) {
	if n == 0 {
		return
	}
	port := int(s.port)
	total := &l.counters[counter.Cell(port, counter.FunctionsDisallowedType)]
	before := *total
	*total += n
	count := func(function int, share float64) {
		l.countDisallowed(port, function, uint64(share*float64(*total))-uint64(share*float64(before)), s.frame)
	}
	parts, managed := l.setup.PathShares(port)
	if !managed {
		for f, share := range l.FunctionShares(l.VirtualFunctions(port), port) {
			count(f, share)
		}
		return
	}
	for i := range l.setup.Guests[port] {
		if g := &l.setup.Guests[port][i]; g.Function != setup.NoFunction && g.Share > 0 {
			count(g.Function, min(traffic.WholeShare, g.Share/parts[setup.FunctionPath]))
		}
	}
}

// dropDisallowedLeases drops the DHCP frames that virtual functions may not send.
func (l *Lab) dropDisallowedLeases(s *stream) {
	for i := range l.renewals {
		if r := &l.renewals[i]; r.port == int(s.port) && r.usesPathOf(s) {
			l.counters[counter.Cell(r.port, counter.FunctionsDisallowedType)] += r.frames
			l.countDisallowed(r.port, r.guest.Function, r.frames, s.frame)
		}
	}
}

// countDisallowed counts frames of a length that a virtual function may not send.
func (l *Lab) countDisallowed(port, function int, n, frame uint64) {
	cells := l.counters[l.FunctionCell(port, function, 0):]
	cells[counter.FunctionBarredTypePackets] += n
	cells[counter.FunctionBarredTypeBytes] += n * frame
}
