package packet

import (
	"encoding/binary"

	"cxdeck/device/description"
)

// Neighbour is the content of an LLDP frame (IEEE 802.1AB) with the settings of DCBX (IEEE 802.1Qaz).
type Neighbour struct {
	// System and Port name the sender.
	System, Port string
	// DCBX reports that the settings follow: Willing, the bandwidth share of each traffic class in percent, the class of each priority,
	// the priorities with PFC as bits, and applications.
	DCBX, Willing bool
	Shares        [8]uint8
	Strict        [8]bool
	ClassOf       [8]uint8
	Lossless      uint8
	Applications  []Application
}

// Application assigns a priority to a protocol: Selector 1 is an Ethertype, 2 a TCP, 3 a UDP port, 4 either.
type Application struct {
	Priority, Selector uint8
	Protocol           uint16
}

const typeDiscovery = 0x88cc

// discoveryAddress receives LLDP frames; no bridge forwards them.
var discoveryAddress = description.MAC{0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e}

// discovery appends an LLDP frame.
func (b *Builder) discovery(g *Group) {
	from := g.Far
	if g.Sent {
		from = g.Host
	}
	b.frame = append(append(b.frame, discoveryAddress[:]...), from[:]...)
	b.frame = binary.BigEndian.AppendUint16(b.frame, typeDiscovery)
	n := g.Discovery
	const chassis, port, life, description, system, specific = 1, 2, 3, 4, 5, 127
	b.element(chassis, append([]byte{4}, from[:]...))
	b.element(port, append([]byte{5}, n.Port...))
	b.element(life, []byte{0, 120})
	b.element(description, []byte(n.Port))
	b.element(system, []byte(n.System))
	if n.DCBX {
		willing := byte(0)
		if n.Willing {
			willing = 0x80
		}
		classes := make([]byte, 0, 20)
		for i := 0; i < 8; i += 2 {
			classes = append(classes, n.ClassOf[i]<<4|n.ClassOf[i+1])
		}
		classes = append(classes, n.Shares[:]...)
		for _, strict := range n.Strict {
			algorithm := byte(2) // ETS
			if strict {
				algorithm = 0
			}
			classes = append(classes, algorithm)
		}
		b.element(specific, append([]byte{0x00, 0x80, 0xc2, 9, willing}, classes...))
		b.element(specific, append([]byte{0x00, 0x80, 0xc2, 10, 0}, classes...))
		b.element(specific, []byte{0x00, 0x80, 0xc2, 11, willing | 8, n.Lossless})
		if len(n.Applications) > 0 {
			list := []byte{0x00, 0x80, 0xc2, 12, 0}
			for _, a := range n.Applications {
				list = binary.BigEndian.AppendUint16(append(list, a.Priority<<5|a.Selector), a.Protocol)
			}
			b.element(specific, list)
		}
	}
	b.element(0, nil)
}

// element appends a type, the length and a value.
func (b *Builder) element(kind uint16, value []byte) {
	b.frame = binary.BigEndian.AppendUint16(b.frame, kind<<9|uint16(len(value)))
	b.frame = append(b.frame, value...)
}
