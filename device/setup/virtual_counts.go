package setup

import (
	"cxdeck/device/counter"
)

// VirtualCounts are the counts of the virtual ports of a port as they are now, and the first one of each slot.
type VirtualCounts struct {
	Rows  []VirtualCount
	first []int32 // -1 for a slot without any; the default one precedes them
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

// Add returns the count of a processor of the virtual port that was opened last, a new one unless it is there.
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
