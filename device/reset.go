package device

import (
	"slices"

	"cxdeck/device/description"
)

// ResetDriver is what a start of the driver does to a port: the counters that it keeps in software, such as received
// packets by processor and kind, start at 0; dropless mode is off; send queues that made no progress are replaced.
func (l *Lab) ResetDriver(port int) {
	l.setDropless(port, false)
	l.captures[port] = nil
	if l.faults[port][description.SendHang] > 0 {
		l.faults = slices.Clone(l.faults)
		l.faults[port][description.SendHang] = 0
		l.counters[Cell(port, Hangs)]++
	}
	l.clearKinds(port)
}

func (l *Lab) clearKinds(port int) {
	at := l.plant.layout.kinds[port]
	clear(l.counters[at : at+(l.plant.layout.processors+sharedWays*l.plant.layout.slots[port])*ReceiveKinds])
	if v := &l.virtual[port]; v.Shared != nil || v.Taken != nil {
		l.virtual = slices.Clone(l.virtual)
		l.virtual[port] = virtualPorts{On: v.On}
	}
	l.filled = -1
}

// ResetRings clears the statistics of the receive rings of a port, of its send rings, or of both, as the vendor's tool
// does. What is set up now stays.
func (l *Lab) ResetRings(port int, receiving, sending bool) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	l.clearRings(port, receiving, sending)
	return nil
}

func (l *Lab) clearRings(port int, receiving, sending bool) {
	layout := l.plant.layout
	if receiving {
		clear(l.counters[layout.receive[port] : layout.receive[port]+layout.slots[port]*int(receiveRingCounters)])
	}
	if sending {
		clear(l.counters[layout.send[port] : layout.send[port]+layout.slots[port]*int(sendRingCounters)])
	}
	l.showRings(port)
}

// ResetCard clears all counters of a card and its ports, as a restart of the card or a power cycle of the host does.
// Settings and gauges stay.
func (l *Lab) ResetCard(adapter int) {
	for port := range l.plant.ports {
		if l.plant.ports[port].adapter != adapter {
			continue
		}
		active := l.counters[Cell(port, RDMAActive)]
		clear(l.counters[port*portStride : (port+1)*portStride])
		l.counters[Cell(port, RDMAActive)], l.counters[Cell(port, RDMAInitiated)] = active, active
		l.clearRings(port, true, true)
		l.lastFrames[port] = [2]uint64{}
		l.farEnds[port].forgetPort()
		l.clearKinds(port)
		clear(l.counters[l.FunctionCell(port, 0, 0):][:MaxFunctions*int(functionCounters)])
		clear(l.counters[l.GuestCell(port, 0, 0):][:GuestSlots*int(guestCounters)])
		l.resetShareBase(port)
	}
	at := l.CardCell(adapter, 0)
	clear(l.counters[at : at+int(cardCounters)])
	l.showCard(adapter)
	l.filled = -1
}

// StartCounting starts a port's counts by processor and kind when they are first read.
func (l *Lab) StartCounting(port int) {
	if l.settings[port].CountRSS {
		l.links[port].Counting = true
	}
}

// Counting says whether a port counts received packets by processor and kind now.
func (l *Lab) Counting(port int) bool { return l.links[port].Counting }

// Rings is how many receive rings, and as many send rings, a port is set up with now.
func (l *Lab) Rings(port int) int { return len(l.plan.ports[port].rings) }

// HostRings is how many of them serve the host, and with it the default virtual port: all with RSS, one without.
func (l *Lab) HostRings(port int) int {
	if !l.settings[port].RSS {
		return 1
	}
	return l.Rings(port)
}
