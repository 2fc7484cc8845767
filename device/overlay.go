package device

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/tunnel"
)

// Overlay is where the packets of a virtual machine travel inside of others (NVGRE, VIRT-6): between two hosts. The zero
// value is none.
type Overlay struct {
	// Subnet is the virtual subnet, which stands in the key of its packets (VIRT-7); 0 is none.
	Subnet uint32
	// Local and Remote are the provider addresses of this host and of the other one.
	Local, Remote netip.Addr
}

// MostVirtualSubnet is the highest number of a virtual subnet, which has 24 bits.
const MostVirtualSubnet = 1<<24 - 1

func (o Overlay) check() error {
	switch {
	case o == Overlay{}:
		return nil
	case o.Subnet == 0 || o.Subnet > MostVirtualSubnet:
		return fmt.Errorf("a virtual subnet is 1 to %d, and not %d", MostVirtualSubnet, o.Subnet)
	case !o.Local.Is4() || !o.Remote.Is4():
		return errors.New("the provider addresses of an overlay are of IPv4")
	}
	return nil
}

// around is what the frames of the stream have more than those of the flow: the headers of an overlay.
func (b *streamBuilder) around() int {
	if b.way == byOverlay {
		return tunnel.NVGRE.Added()
	}
	return 0
}

// knowsOverlay says whether the adapter works on what is inside of an overlay's packets: all do unless that is switched off,
// but for the first ConnectX-3.
func (b *streamBuilder) knowsOverlay() bool {
	const connectX3 = 0x1003
	card := b.lab.plant.ports[b.at].adapter
	return b.lab.settings[b.at].OverlayOffload && b.lab.plant.description.Adapters[card].DeviceID != connectX3
}

// overlayOf is the overlay of the n-th packet of a stream: the guests of its port that have one take turns.
func (l *Lab) overlayOf(s *stream, n uint64) Overlay {
	if !s.overlay {
		return Overlay{}
	}
	var list []Overlay
	for i := range l.guests[s.port] {
		if g := &l.guests[s.port][i]; g.way() == byOverlay {
			list = append(list, g.Overlay)
		}
	}
	return list[n%uint64(len(list))]
}

// appendOverlay appends an NVGRE packet (RFC 7637): the outer IP header, GRE with the virtual subnet and the flow in its
// key, and the inner frame.
func appendOverlay(b []byte, f *description.Flow, t rss.Tuple, o Overlay, length int) []byte {
	const keyed, bridged = 0x2000, 0x6558 // GRE with a key, of Ethernet
	at := len(b)
	b = binary.BigEndian.AppendUint16(b, typeIPv4)
	header := len(b)
	b = append(b, 0x45, byte(f.DSCP<<2))
	b = binary.BigEndian.AppendUint16(b, uint16(length))
	b = append(b, 0, 0, 0x40, 0, 64, tunnel.GREProtocol, 0, 0)
	b = append(append(b, o.Remote.AsSlice()...), o.Local.AsSlice()...)
	binary.BigEndian.PutUint16(b[header+10:], checksum(b[header:]))
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, keyed), bridged)
	b = binary.BigEndian.AppendUint32(b, tunnel.GREKey(o.Subnet, uint8(t.SourcePort)))
	inner, peer := peerAddress(t.Destination), peerAddress(t.Source)
	b = append(append(b, inner[:]...), peer[:]...)
	return appendIP(b, f, t, length-(len(b)-at)) // the Ethertype before the outer header stands for the inner one
}

// LargestOverlayPacket is the longest IP packet of a virtual machine that a port sends through an overlay without a VLAN
// tag.
func (l *Lab) LargestOverlayPacket(port int) int {
	b := streamBuilder{lab: l, at: port, flow: &description.Flow{}, way: byOverlay}
	return b.largestPacket(l.settings[port].MaxFrame)
}
