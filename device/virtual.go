package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/setup"
)

// ResetVirtual sets the counters of a virtual miniport to 0.
func (l *Lab) ResetVirtual(slot int) {
	at := l.VirtualCell(slot, 0)
	clear(l.counters[at : at+int(counter.VirtualCount)])
}

// countVirtual counts frames at the virtual miniports on their path.
func (l *Lab) countVirtual(s *stream, n uint64) {
	if s.broken {
		l.dropVirtual(s, n)
		return
	}
	at := int(counter.VirtualReceivedBytes)
	if s.direction == send {
		at = int(counter.VirtualSentBytes)
	}
	for _, slot := range [...]int32{s.team, s.vlan} {
		if slot == setup.NoSlot {
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

// dropVirtual counts frames that virtual miniports drop.
func (l *Lab) dropVirtual(s *stream, n uint64) {
	l.addVirtual(s, counter.VirtualReceivedDiscards, counter.VirtualSentDiscards, n)
}

// loseVirtual counts frames that were lost in a failed member.
func (l *Lab) loseVirtual(s *stream, n uint64) {
	l.dropVirtual(s, n)
	l.addVirtual(s, counter.VirtualReceivedLost, counter.VirtualSentLost, n)
}

// addVirtual adds frames to a counter of their direction, at the virtual miniports on their path.
func (l *Lab) addVirtual(s *stream, received, sent counter.Virtual, n uint64) {
	at := received
	if s.direction == send {
		at = sent
	}
	for _, slot := range [...]int32{s.team, s.vlan} {
		if slot != setup.NoSlot {
			l.counters[l.VirtualCell(int(slot), at)] += n
		}
	}
}
