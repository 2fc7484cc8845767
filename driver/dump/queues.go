package dump

import (
	"bytes"
	"fmt"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/driver/virtualization"
)

// queues returns the event queues of a port's card: the queue of commands, with its newest entries, then the queues of completions, one
// for each ring, whose consumer indexes count the interrupts of the ring. Without printed it is the raw entries.
func (s Set) queues(port int, printed bool) []byte {
	card, first, _ := s.card(port)
	lab := s.Lab()
	cells, list, posted := lab.Counters(), s.commands(port), s.posted(port)
	var b bytes.Buffer
	s.head(&b, port, "Event queues")
	const entries = 16
	fmt.Fprintf(&b, "EQ 0: commands, 128 entries, consumer index %d\n", posted)
	for i := max(0, len(list)-entries); i < len(list); i++ {
		c, number := list[i], token(posted, len(list), i)
		if printed {
			fmt.Fprintf(&b, "  [%3d] command completion, token 0x%04x, opcode 0x%03x, status %s\n", number%128, number, c.opcode, firstWord(c.status))
			continue
		}
		fmt.Fprintf(&b, "  [%3d] 0a000000 %08x %08x %08x\n", number%128, number, c.opcode, c.at.UnixMicro()&0xffff_ffff)
	}
	eq := 1
	for p := first; p < first+len(card.Ports); p++ {
		d, _, index := lab.Port(p)
		for ring := range lab.Rings(p) {
			interrupts := cells[lab.ReceiveRingCell(p, ring, counter.RingInterrupts)]
			sends := cells[lab.SendRingCell(p, ring, counter.SendRingInterrupts)]
			if printed {
				fmt.Fprintf(&b, "EQ %d: completions of port %d (%s), ring %d, processor %d, receive interrupts %d, send interrupts %d, consumer index %d\n", eq, index+1,
					d.Connection, ring, lab.RingProcessor(p, ring), interrupts, sends, interrupts+sends)
			} else {
				fmt.Fprintf(&b, "EQ %d: %08x %08x %08x %08x\n", eq, index+1, ring, (interrupts+sends)>>32, (interrupts+sends)&0xffff_ffff)
			}
			eq++
		}
	}
	return b.Bytes()
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, ":")
	return word
}

// The objects of the physical function and of a virtual function, as mlxtool dbg resources counts them: basic ones, and some for each
// queue pair.
var functionObjects = []struct {
	name           string
	basic, perPair int
}{{"QP", 2, 1}, {"CQ", 2, 2}, {"MPT", 1, 1}, {"MTT", 8, 16}}

// iovObjects returns the objects of SR-IOV: the functions and their state, with mode 2 and 3 their resources, with 3 the rings of their
// queue pairs, with 4 everything (DmnIovMode).
func (s Set) iovObjects(port, mode int) []byte {
	card, first, _ := s.card(port)
	functions := s.functionsOf(port)
	var b bytes.Buffer
	s.head(&b, port, fmt.Sprintf("Objects of SR-IOV, DmnIovMode %d", mode))
	fmt.Fprintf(&b, "Physical function: %d ports, %d virtual functions\n", len(card.Ports), len(functions))
	for i := range functions {
		f := &functions[i]
		d, _, index := s.Lab().Port(f.Port)
		fmt.Fprintf(&b, "VF %d: port %d (%s), state %s", f.ID, index+1, d.Connection, f.State)
		if f.VM != "" {
			fmt.Fprintf(&b, ", machine %q, adapter %q, address %s, VLAN %d", f.VM, f.Adapter, f.MAC, f.VLAN)
		}
		b.WriteByte('\n')
	}
	if mode >= 2 {
		b.WriteString("\nResources\n")
		for i := range functions {
			f := &functions[i]
			fmt.Fprintf(&b, "VF %d:", f.ID)
			for _, object := range functionObjects {
				n := 0
				if f.State != virtualization.VFFree {
					n = object.basic + f.QueuePairs*object.perPair
				}
				fmt.Fprintf(&b, " %s %d", object.name, n)
			}
			fmt.Fprintf(&b, " pages %d of %d\n", f.Pages, f.PageLimit)
		}
	}
	if mode >= 3 {
		b.WriteString("\nQueue pairs and their rings\n")
		number := 0x40
		for p := first; p < first+len(card.Ports); p++ {
			for ring := range s.Lab().Rings(p) {
				fmt.Fprintf(&b, "QP 0x%06x: PF, port %d, ring %d\n", number, p-first+1, ring)
				number++
			}
		}
		for i := range functions {
			if f := &functions[i]; f.State != virtualization.VFFree {
				for pair := range f.QueuePairs {
					fmt.Fprintf(&b, "QP 0x%06x: VF %d, ring %d\n", number, f.ID, pair)
					number++
				}
			}
		}
	}
	if mode >= 4 {
		b.WriteString("\nFaults and counters of functions\n")
		lab := s.Lab()
		cells := lab.Counters()
		for i := range functions {
			f := &functions[i]
			fmt.Fprintf(&b, "VF %d: faults %v, received packets %d, sent packets %d\n", f.ID, f.Faults, cells[lab.FunctionCell(f.Port, f.ID, counter.FunctionReceivedPackets)],
				cells[lab.FunctionCell(f.Port, f.ID, counter.FunctionSentPackets)])
		}
	}
	return b.Bytes()
}
