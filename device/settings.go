package device

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/functions"
	"cxdeck/device/setup"
)

// Configure applies the settings of a port, as its driver does when the miniport starts. It takes effect at once, and keeps the
// counters.
func (l *Lab) Configure(port int, s setup.Port) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	l.closeVirtualPorts(port, functions.NoSlot) // other processors may serve it
	before := l.setup.Ports[port]
	l.setup.Ports = slices.Clone(l.setup.Ports)
	l.setup.Ports[port] = s
	l.replan()
	l.reconnect(port, &before)
	if before.Functions != s.Functions {
		l.resetFunctions(port)
	}
	l.countSettings(port, &before)
	l.links[port].Counting = s.CountRSS && s.CountFromStart
	l.resetRings(port)
	return nil
}

// countSettings counts the commands of changed settings.
func (l *Lab) countSettings(port int, before *setup.Port) {
	s, cells := &l.setup.Ports[port], l.portCells(port)
	l.countCommands(port, commandsToStart+commandsOfRing*uint64(len(l.plan.ports[port].rings)))
	if s.QoS != before.QoS || s.Lossless != before.Lossless || s.Shares != before.Shares || s.StrictPriorities != before.StrictPriorities ||
		s.Joined != before.Joined || s.Limits != before.Limits {
		cells[counter.PriorityUpdates] += uint64(len(l.plan.ports[port].rings))
	}
	for _, p := range [...]struct {
		parameter       dcqcn.Parameter
		raised, lowered counter.Port
	}{{dcqcn.AdditiveRate, counter.StepRaised, counter.StepLowered}, {dcqcn.AlphaGain, counter.GainRaised, counter.GainLowered}} {
		switch now, old := s.Congestion[p.parameter], before.Congestion[p.parameter]; {
		case now > old:
			cells[p.raised]++
		case now < old:
			cells[p.lowered]++
		}
	}
}

// Address returns the MAC address that a port uses: its own, or the configured one.
func (l *Lab) Address(port int) description.MAC {
	if own := l.setup.Ports[port].Address; own != (description.MAC{}) {
		return own
	}
	return l.plant.ports[port].description.MAC
}

// Settings returns the settings of a port.
func (l *Lab) Settings(port int) setup.Port { return l.setup.Ports[port] }
