package opensm

import (
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
)

// assignLIDs gives each end port its LIDs: the ones it had under this manager, or the ones that it carries when no other port had them, or the
// lowest free ones. The manager's own port comes first, the others follow by their GUID.
func (m *Manager) assignLIDs(p *part) {
	if m.LIDs == nil {
		m.LIDs = map[description.GUID]uint16{}
	}
	owned := map[uint16]description.GUID{}
	claim := func(guid description.GUID, first uint16, number int) {
		for i := range number {
			owned[first+uint16(i)] = guid
		}
	}
	for guid, lid := range m.LIDs {
		claim(guid, lid, 1<<m.LMC)
	}
	// A LID that a port already carries is not given to another one.
	carried := map[uint16]description.GUID{}
	for _, end := range p.ends {
		port := p.End(end)
		for i := range 1 << port.LMC {
			if _, taken := carried[port.LID+uint16(i)]; !taken && port.LID != 0 {
				carried[port.LID+uint16(i)] = port.GUID
			}
		}
	}
	free := func(guid description.GUID, first, number int) bool {
		for lid := first; lid < first+number; lid++ {
			if lid > infiniband.MaxLID {
				return false
			}
			if owner, taken := owned[uint16(lid)]; taken && owner != guid {
				return false
			}
			if owner, taken := carried[uint16(lid)]; taken && owner != guid {
				return false
			}
		}
		return true
	}
	next := 1
	assign := func(end infiniband.Place) {
		port, number := p.End(end), 1<<m.LMC
		if p.Of(end).Kind == infiniband.Switch {
			number = 1
		}
		lid, known := m.LIDs[port.GUID]
		if !known && port.LID != 0 && int(port.LID)%number == 0 && free(port.GUID, int(port.LID), number) {
			lid, known = port.LID, true
		}
		if !known {
			first := (next + number - 1) / number * number
			for first+number-1 <= infiniband.MaxLID && !free(port.GUID, first, number) {
				first += number
			}
			if first+number-1 > infiniband.MaxLID {
				return // the subnet has more ports than LIDs
			}
			lid = uint16(first)
		}
		m.LIDs[port.GUID] = lid
		claim(port.GUID, lid, number)
		port.LID, port.LMC = lid, 0
		if number > 1 {
			port.LMC = m.LMC
		}
	}
	assign(m.Place)
	for _, end := range p.ends {
		if end != m.Place {
			assign(end)
		}
	}
}
