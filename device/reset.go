package device

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// ResetDriver resets a port as a start of its driver does: the counters that the driver keeps in software, such as received
// packets by processor and kind, restart at 0; dropless mode is off; stuck send queues are replaced.
func (l *Lab) ResetDriver(port int) {
	l.setDropless(port, false)
	l.captures[port] = nil
	if l.setup.Faults[port][description.SendHang] > 0 {
		l.setup.Faults = slices.Clone(l.setup.Faults)
		l.setup.Faults[port][description.SendHang] = 0
		l.counters[counter.Cell(port, counter.Hangs)]++
	}
	l.clearKinds(port)
}

func (l *Lab) clearKinds(port int) {
	at := l.KindCell(port, 0, 0)
	clear(l.counters[at : at+l.Kinds(port)])
	if v := &l.setup.Virtual[port]; v.Shared != nil || v.Taken != nil {
		l.setup.Virtual = slices.Clone(l.setup.Virtual)
		l.setup.Virtual[port] = setup.VirtualPorts{On: v.On}
	}
	l.filled = -1
}

// ResetRings clears the statistics of the receive rings of a port, of its send rings, or of both, as the vendor's tool does.
// Gauges of the settings stay.
func (l *Lab) ResetRings(port int, receiving, sending bool) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	l.clearRings(port, receiving, sending)
	return nil
}

func (l *Lab) clearRings(port int, receiving, sending bool) {
	if receiving {
		clear(l.counters[l.ReceiveRingCell(port, 0, 0):l.ReceiveRingCell(port, l.RingSlots(port), 0)])
	}
	if sending {
		clear(l.counters[l.SendRingCell(port, 0, 0):l.SendRingCell(port, l.RingSlots(port), 0)])
	}
	l.showRings(port)
}

// ResetCard clears all counters of a card and its ports, as a power cycle of the host does. Settings and gauges stay.
func (l *Lab) ResetCard(adapter int) {
	for port := range l.plant.ports {
		if l.plant.ports[port].adapter != adapter {
			continue
		}
		active := l.counters[counter.Cell(port, counter.RDMAActive)]
		clear(l.portCells(port))
		l.counters[counter.Cell(port, counter.RDMAActive)], l.counters[counter.Cell(port, counter.RDMAInitiated)] = active, active
		l.clearRings(port, true, true)
		l.lastFrames[port] = [2]uint64{}
		l.farEnds[port].forgetPort()
		l.clearKinds(port)
		clear(l.counters[l.FunctionCell(port, 0, 0):][:counter.MaxFunctions*int(counter.FunctionCount)])
		clear(l.counters[l.GuestCell(port, 0, 0):][:counter.GuestSlots*int(counter.GuestCount)])
		l.functionPorts().StoreBase(port)
	}
	clear(l.cardCells(adapter))
	l.showCard(adapter)
	l.filled = -1
}

// StartCounting starts a port's counts by processor and kind when they are first read.
func (l *Lab) StartCounting(port int) {
	if l.setup.Ports[port].CountRSS {
		l.links[port].Counting = true
	}
}

// Counting reports whether a port counts received packets by processor and kind now.
func (l *Lab) Counting(port int) bool { return l.links[port].Counting }

// Rings returns the current number of receive rings of a port, which is also the number of its send rings.
func (l *Lab) Rings(port int) int { return len(l.plan.ports[port].rings) }

// HostRings returns the number of receive rings that serve the host, and with it the default virtual port: all with RSS, one
// without.
func (l *Lab) HostRings(port int) int {
	if !l.setup.Ports[port].RSS {
		return 1
	}
	return l.Rings(port)
}
