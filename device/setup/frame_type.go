package setup

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

// FrameTypes returns all kinds.
func FrameTypes() []FrameType {
	return []FrameType{IPv4Frame, ARPFrame, IPv6Frame, TrialFrame}
}

// EtherType returns the Ethertype.
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

// Has reports whether a kind is in a set.
func (s FrameTypeSet) Has(t FrameType) bool { return s>>t&1 == 1 }

// FrameTypeOf returns the kind of a flow's frames on Ethernet. Frames without IP count as address resolution.
func FrameTypeOf(f *description.Flow) FrameType {
	switch {
	case f.Protocol == description.NotIP:
		return ARPFrame
	case f.Local.Is6() && !f.Local.Is4In6():
		return IPv6Frame
	}
	return IPv4Frame
}
