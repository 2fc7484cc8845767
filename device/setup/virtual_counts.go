package setup

import (
	"cxdeck/device/counter"
)

// VirtualCounts holds the current counts of the virtual ports of a port, with an index of the first row of each slot.
type VirtualCounts struct {
	Rows  []VirtualCount
	first []int32 // by slot, the default slot first; -1 for a slot without rows
}

// Begin empties the index.
func (p *VirtualCounts) Begin() {
	if p.first == nil {
		p.first = make([]int32, 1+counter.GuestSlots)
	}
	for i := range p.first {
		p.first[i] = -1
	}
}

// Open begins the counts of a virtual port.
func (p *VirtualCounts) Open(slot int) {
	p.first[slot-DefaultSlot] = int32(len(p.Rows))
	p.Rows = append(p.Rows, VirtualCount{Slot: slot, Processor: AllProcessors})
}

// Add returns the count of a processor of the virtual port that was opened last; it adds the row if necessary.
func (p *VirtualCounts) Add(slot, processor int) *VirtualCount {
	if row := p.Find(slot, processor); row != nil {
		return row
	}
	p.Rows = append(p.Rows, VirtualCount{Slot: slot, Processor: processor})
	return &p.Rows[len(p.Rows)-1]
}

// Find returns the count of a processor of a virtual port, nil for none.
func (p *VirtualCounts) Find(slot, processor int) *VirtualCount {
	if len(p.Rows) == 0 || slot < DefaultSlot || slot >= counter.GuestSlots || p.first[slot-DefaultSlot] < 0 {
		return nil
	}
	for i := int(p.first[slot-DefaultSlot]); i < len(p.Rows) && p.Rows[i].Slot == slot; i++ {
		if p.Rows[i].Processor == processor {
			return &p.Rows[i]
		}
	}
	return nil
}
