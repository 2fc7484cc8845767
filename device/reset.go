package device

// ResetDriver clears the counters that the driver keeps in software: those of received packets by processor and kind,
// which begin anew at each start of the driver.
func (l *Lab) ResetDriver(port int) {
	at := l.plant.layout.kinds[port]
	clear(l.counters[at : at+l.plant.layout.processors*ReceiveKinds])
}

// ResetCard clears all counters of a card and its ports, as a restart of the card or a power cycle of the host does.
// What is open or set up now stays.
func (l *Lab) ResetCard(adapter int) {
	layout := l.plant.layout
	for port := range l.plant.ports {
		if l.plant.ports[port].adapter != adapter {
			continue
		}
		active := l.counters[Cell(port, RDMAActive)]
		clear(l.counters[port*portStride : (port+1)*portStride])
		l.counters[Cell(port, RDMAActive)], l.counters[Cell(port, RDMAInitiated)] = active, active
		clear(l.counters[layout.receive[port] : layout.receive[port]+layout.slots[port]*int(receiveRingCounters)])
		clear(l.counters[layout.send[port] : layout.send[port]+layout.slots[port]*int(sendRingCounters)])
		l.lastFrames[port] = [2]uint64{}
		l.ResetDriver(port)
		l.showRings(port)
	}
	at := l.CardCell(adapter, 0)
	clear(l.counters[at : at+int(cardCounters)])
	l.filled = -1
}

// StartCounting makes a port that keeps counts by processor and kind begin with them, because someone looks.
func (l *Lab) StartCounting(port int) {
	if l.settings[port].CountRSS {
		l.links[port].Counting = true
	}
}

// Counting says whether a port counts received packets by processor and kind now.
func (l *Lab) Counting(port int) bool { return l.links[port].Counting }

// Rings is how many receive rings, and as many send rings, a port is set up with now.
func (l *Lab) Rings(port int) int { return len(l.plan.ports[port].rings) }
