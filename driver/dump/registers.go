package dump

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/virtualization"
)

// The layout of a register dump: the words of the card, then a block of each port. Counters take two words each, the high one first, in
// the order in which the lab counts; docs/dumps.md describes it for readers.
const (
	cardBase    = 0x000f0000
	cardCounter = 0x000f1000
	portBase    = 0x00100000
	portStride  = 0x00100000
	counterBase = 0x1000
	prioBase    = 0x4000
	ringBase    = 0x8000
)

// registerLine is the length of a line: an address and a word.
const registerLine = len("0x00000000 0x00000000\n")

// registerFile collects the lines of a register dump.
type registerFile struct{ data []byte }

func (r *registerFile) word(address, value uint32) {
	r.data = append(r.data, "0x"...)
	r.data = appendHex(r.data, address)
	r.data = append(r.data, " 0x"...)
	r.data = appendHex(r.data, value)
	r.data = append(r.data, '\n')
}

// pair writes a number of 64 bits, the high word first.
func (r *registerFile) pair(address uint32, value uint64) {
	r.word(address, uint32(value>>32))
	r.word(address+4, uint32(value&0xffff_ffff))
}

const hexDigits = "0123456789abcdef"

func appendHex(to []byte, value uint32) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		to = append(to, hexDigits[value>>shift&0xf])
	}
	return to
}

// registers returns a register dump of a port's card; dumps in a row differ in the card's clock, which counts 64 ns.
func (s Set) registers(port, turn int) []byte {
	card, first, _ := s.card(port)
	lab := s.Lab()
	_, a, _ := lab.Port(port)
	cells := lab.Counters()
	r := registerFile{make([]byte, 0, 1024*registerLine)}
	r.word(cardBase+0x14, uint32(card.Revision)<<16|uint32(card.DeviceID))
	r.word(cardBase+0x18, uint32(card.SubsystemID)<<16|uint32(card.SubvendorID))
	for i, part := range append(strings.Split(card.Firmware, "."), "0", "0", "0")[:3] {
		n, _ := strconv.ParseUint(part, 10, 32) // a version that is not a number is 0
		r.word(cardBase+0x20+uint32(i)*4, uint32(n))
	}
	r.pair(cardBase+0x30, uint64(card.NodeGUID))
	r.pair(cardBase+0x40, uint64(lab.Elapsed()/64)+uint64(turn)*uint64(time.Millisecond/64))
	slot := lab.Slot(a)
	r.word(cardBase+0x50, uint32(slot.Generation)<<16|uint32(slot.Lanes))
	for c := range counter.CardCount {
		r.pair(cardCounter+uint32(c)*8, cells[lab.CardCell(a, c)])
	}
	for p := first; p < first+len(card.Ports); p++ {
		s.portRegisters(&r, p, uint32(portBase+(p-first)*portStride))
	}
	return r.data
}

// portRegisters writes the block of a port: its state and address, its counters, and the counters of priorities and rings that are not 0.
func (s Set) portRegisters(r *registerFile, port int, base uint32) {
	lab := s.Lab()
	cells, state := lab.Counters(), lab.State(port)
	bits := uint32(0)
	for i, set := range []bool{state.Cabled, state.Enabled, state.Up, lab.Dropless(port)} {
		if set {
			bits |= 1 << i
		}
	}
	r.word(base, bits)
	r.word(base+4, uint32(state.Rate/1e6))
	mac := lab.Address(port)
	r.word(base+8, uint32(binary.BigEndian.Uint16(mac[:2])))
	r.word(base+12, binary.BigEndian.Uint32(mac[2:]))
	r.word(base+16, uint32(lab.Settings(port).MaxFrame))
	for c := range counter.PortCount {
		r.pair(base+counterBase+uint32(c)*8, cells[counter.Cell(port, c)])
	}
	for priority := range counter.Priorities {
		for c := range counter.PriorityCount {
			if n := cells[counter.PriorityCell(port, priority, c)]; n != 0 {
				r.pair(base+prioBase+uint32(priority)*0x100+uint32(c)*8, n)
			}
		}
	}
	for ring := range lab.Rings(port) {
		for c := range counter.ReceiveRingCount {
			if n := cells[lab.ReceiveRingCell(port, ring, c)]; n != 0 {
				r.pair(base+ringBase+uint32(ring)*0x200+uint32(c)*8, n)
			}
		}
		for c := range counter.SendRingCount {
			if n := cells[lab.SendRingCell(port, ring, c)]; n != 0 {
				r.pair(base+ringBase+uint32(ring)*0x200+0x100+uint32(c)*8, n)
			}
		}
	}
}

// functionsOf returns the open virtual functions of all ports of a port's card.
func (s Set) functionsOf(port int) (list []virtualization.VFView) {
	card, first, index := s.card(port)
	if card.Family == description.WinOF2 { // each port is a device of its own
		return s.VirtualFunctions(first + index)
	}
	for p := first; p < first+len(card.Ports); p++ {
		list = append(list, s.VirtualFunctions(p)...)
	}
	return list
}
