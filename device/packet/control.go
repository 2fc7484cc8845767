package packet

import (
	"encoding/binary"

	"cxdeck/device/description"
)

// Frames of link-level flow control (IEEE 802.3 annex 31B, IEEE 802.1Qbb).
const (
	typeControl   = 0x8808
	pauseOpcode   = 0x0001
	classesOpcode = 0x0101
	longest       = 0xffff // quanta
)

// controlAddress receives pause frames; no switch forwards them.
var controlAddress = description.MAC{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01}

// pause appends a pause frame. The first of two pauses for the longest time, and the second ends the pause.
func (b *Builder) pause(g *Group) {
	from := g.Far
	if g.Sent {
		from = g.Host
	}
	b.frame = append(append(b.frame, controlAddress[:]...), from[:]...)
	b.frame = binary.BigEndian.AppendUint16(b.frame, typeControl)
	quanta := uint16(0)
	if g.next%2 == 1 {
		quanta = longest
	}
	if g.Kind == Pause {
		b.frame = binary.BigEndian.AppendUint16(b.frame, pauseOpcode)
		b.frame = binary.BigEndian.AppendUint16(b.frame, quanta)
		return
	}
	b.frame = binary.BigEndian.AppendUint16(b.frame, classesOpcode)
	b.frame = binary.BigEndian.AppendUint16(b.frame, 1<<g.Priority)
	for priority := range 8 {
		time := uint16(0)
		if priority == g.Priority {
			time = quanta
		}
		b.frame = binary.BigEndian.AppendUint16(b.frame, time)
	}
}
