package device

// ResetDriver clears the counters that the driver keeps in software: those of received packets by processor and kind,
// which begin anew at each start of the driver.
func (l *Lab) ResetDriver(port int) {
	at := l.plant.layout.kinds[port]
	clear(l.counters[at : at+l.plant.layout.processors*ReceiveKinds])
}

// StartCounting makes a port that keeps counts by processor and kind begin with them, because someone looks.
func (l *Lab) StartCounting(port int) {
	if l.settings[port].CountRSS {
		l.links[port].counting = true
	}
}

// Rings is how many receive rings, and as many send rings, a port is set up with now.
func (l *Lab) Rings(port int) int { return 1 }
