package device

import "cxdeck/device/description"

// FrameType is a kind of frames that virtual functions of the lab send, by the Ethertype behind their VLAN tags.
type FrameType uint8

// The kinds.
const (
	IPv4Frame FrameType = iota // also RDMA, which is RoCE v2 in the lab
	ARPFrame
	IPv6Frame
	TrialFrame // an unused Ethertype for experiments, which a misbehaving function sends
	frameTypes
)

// FrameTypes are all kinds.
func FrameTypes() []FrameType {
	return []FrameType{IPv4Frame, ARPFrame, IPv6Frame, TrialFrame}
}

// EtherType is its number.
func (t FrameType) EtherType() uint16 {
	return [frameTypes]uint16{IPv4Frame: 0x0800, ARPFrame: 0x0806, IPv6Frame: 0x86DD, TrialFrame: 0x88B5}[t]
}

// FrameTypeSet is a set of kinds.
type FrameTypeSet uint8

// SetOfFrameTypes makes a set.
func SetOfFrameTypes(list ...FrameType) (s FrameTypeSet) {
	for _, t := range list {
		s |= 1 << t
	}
	return s
}

// Has says whether a kind is in a set.
func (s FrameTypeSet) Has(t FrameType) bool { return s>>t&1 == 1 }

// frameTypeOf is the kind of a flow's frames on Ethernet. Frames without IP count as address resolution.
func frameTypeOf(f *description.Flow) FrameType {
	switch {
	case f.Protocol == description.NotIP:
		return ARPFrame
	case f.Local.Is6() && !f.Local.Is4In6():
		return IPv6Frame
	}
	return IPv4Frame
}

// bars says whether a port stops frames of a kind that come from a virtual function (IOV-9).
func (l *Lab) bars(port int, t FrameType) bool {
	return l.plant.ports[port].description.Link == description.Ethernet && l.settings[port].Bars.Has(t)
}

// barsFlow says whether a virtual function of a port can send nothing of a flow: its frames are stopped, or its address
// resolution.
func (l *Lab) barsFlow(port int, f *description.Flow) bool {
	t := frameTypeOf(f)
	return l.bars(port, t) || t == IPv4Frame && l.bars(port, ARPFrame)
}

// drops says whether the card's switch drops the barred frames of a port's virtual functions; otherwise they leave
// damaged, and count as sent (IOV-9).
func (l *Lab) drops(port int) bool { return l.plant.ports[port].family == description.WinOF2 }

// dropBarred drops barred frames of a stream, and counts them for each virtual function by its share. It counts the
// growth of each share of the total, so that no frame is lost between steps.
func (l *Lab) dropBarred(s *stream, n uint64) {
	if n == 0 {
		return
	}
	port := int(s.port)
	total := &l.counters[Cell(port, FunctionsBarredType)]
	before := *total
	*total += n
	count := func(function int, share float64) {
		l.countBarred(port, function, uint64(share*float64(*total))-uint64(share*float64(before)), s.frame)
	}
	parts, managed := l.ways(port)
	if !managed {
		for f, share := range l.FunctionShares(l.VirtualFunctions(port), port) {
			count(f, share)
		}
		return
	}
	for i := range l.guests[port] {
		if g := &l.guests[port][i]; g.Function != NoFunction && g.Share > 0 {
			count(g.Function, min(wholeShare, g.Share/parts[byFunction]))
		}
	}
}

// dropBarredLeases drops the frames of DHCP that virtual functions may not send.
func (l *Lab) dropBarredLeases(s *stream) {
	for i := range l.renewals {
		if r := &l.renewals[i]; r.port == int(s.port) && r.follows(s) {
			l.counters[Cell(r.port, FunctionsBarredType)] += r.frames
			l.countBarred(r.port, r.guest.Function, r.frames, s.frame)
		}
	}
}

// countBarred counts frames of a length that a virtual function may not send.
func (l *Lab) countBarred(port, function int, n, frame uint64) {
	cells := l.counters[l.FunctionCell(port, function, 0):]
	cells[FunctionBarredTypePackets] += n
	cells[FunctionBarredTypeBytes] += n * frame
}
