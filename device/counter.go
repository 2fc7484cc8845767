package device

import "cxdeck/device/counter"

// Counters returns all counters of all ports, in the order of Ports, then the counters of rings, processors, cards and virtual
// functions; see portCells and cardCells. The slice belongs to the lab: it may be read until the next Advance, and must not be
// modified.
func (l *Lab) Counters() []uint64 {
	if l.filled != l.steps {
		l.filled = l.steps
		l.derive()
		l.fillFunctions()
	}
	return l.counters
}

// portCells returns the counters of a port, and of its priorities.
func (l *Lab) portCells(port int) []uint64 {
	return l.counters[counter.Cell(port, 0):counter.Cell(port+1, 0)]
}

// cardCells returns the counters of a card.
func (l *Lab) cardCells(adapter int) []uint64 {
	return l.counters[l.CardCell(adapter, 0):l.CardCell(adapter+1, 0)]
}
