package device

import (
	"cxdeck/device/description"
	"cxdeck/device/framesize"
	"cxdeck/device/setup"
	"cxdeck/device/tunnel"
)

// offloadsOverlay reports whether the adapter offloads the inner packets of an overlay: every card can, except the first
// ConnectX-3.
func (b *streamBuilder) offloadsOverlay() bool {
	const connectX3 = 0x1003
	card := b.lab.plant.ports[b.at].adapter
	return b.lab.setup.Ports[b.at].OverlayOffload && b.lab.plant.description.Adapters[card].DeviceID != connectX3
}

// overlayOf returns the overlay of the n-th packet of a stream: the guests of its port with an overlay take turns.
func (l *Lab) overlayOf(s *stream, n uint64) tunnel.Overlay {
	if !s.overlay {
		return tunnel.Overlay{}
	}
	var list []tunnel.Overlay
	for i := range l.setup.Guests[s.port] {
		if g := &l.setup.Guests[s.port][i]; g.Path() == setup.OverlayPath {
			list = append(list, g.Overlay)
		}
	}
	return list[n%uint64(len(list))]
}

// LargestOverlayPacket returns the length of the longest IP packet that a port sends for a virtual machine through an overlay,
// without a VLAN tag.
func (l *Lab) LargestOverlayPacket(port int) int {
	return (&framesize.Frames{Flow: &description.Flow{}, Overlay: true}).LargestPacket(l.setup.Ports[port].MaxFrame)
}
