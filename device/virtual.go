package device

// VirtualCounter is one of the counters kept for each virtual miniport: a network device that Windows shows for a team
// or a VLAN.
type VirtualCounter int

// The counters of a virtual miniport. Bytes are frame lengths from header to FCS.
const (
	VirtualReceivedBytes VirtualCounter = iota
	VirtualReceivedPackets
	VirtualReceivedMulticast
	// VirtualReceivedDiscards are frames for it that nobody took: of a VLAN that it does not have, or lost on the way
	// into a member that had failed.
	VirtualReceivedDiscards
	VirtualSentBytes
	VirtualSentPackets
	VirtualSentMulticast
	// VirtualSentDiscards are frames that it lost because they went out by a member that had failed.
	VirtualSentDiscards
	// VirtualReceivedLost and VirtualSentLost are the parts of the discards that went into a member that had failed.
	VirtualReceivedLost
	VirtualSentLost
	virtualCounters
)

// VirtualSlots is how many virtual miniports a lab has room for.
const VirtualSlots = 64

// VirtualCell is the place of a virtual miniport's counter in Counters; slots count from 0 to VirtualSlots.
func (l *Lab) VirtualCell(slot int, c VirtualCounter) int {
	return l.plant.layout.virtual + slot*int(virtualCounters) + int(c)
}

// ResetVirtual sets the counters of a virtual miniport to 0.
func (l *Lab) ResetVirtual(slot int) {
	at := l.VirtualCell(slot, 0)
	clear(l.counters[at : at+int(virtualCounters)])
}

// countVirtual adds frames to the virtual miniports that they go through.
func (l *Lab) countVirtual(s *stream, n uint64) {
	if s.broken {
		l.dropVirtual(s, n)
		return
	}
	at := int(VirtualReceivedBytes)
	if s.direction == send {
		at = int(VirtualSentBytes)
	}
	for _, slot := range [...]int32{s.team, s.vlan} {
		if slot == NoSlot {
			continue
		}
		cells := l.counters[l.VirtualCell(int(slot), 0):]
		cells[at] += n * s.frame
		cells[at+1] += n
		if s.multicast {
			cells[at+2] += n
		}
	}
}

// dropVirtual counts frames that virtual miniports lose.
func (l *Lab) dropVirtual(s *stream, n uint64) {
	l.addVirtual(s, VirtualReceivedDiscards, VirtualSentDiscards, n)
}

// loseVirtual counts frames that went into a member that had failed.
func (l *Lab) loseVirtual(s *stream, n uint64) {
	l.dropVirtual(s, n)
	l.addVirtual(s, VirtualReceivedLost, VirtualSentLost, n)
}

// addVirtual adds frames to a counter of its direction, of the virtual miniports that they go through.
func (l *Lab) addVirtual(s *stream, received, sent VirtualCounter, n uint64) {
	at := received
	if s.direction == send {
		at = sent
	}
	for _, slot := range [...]int32{s.team, s.vlan} {
		if slot != NoSlot {
			l.counters[l.VirtualCell(int(slot), at)] += n
		}
	}
}
