package driver

import (
	"cxdeck/driver/power"
	"cxdeck/driver/registry"
)

func (h *Host) powerSet() power.Set { return power.Set{Host: partHost{h}, State: &h.power} }

// Power returns the power state, to look at.
func (h *Host) Power() power.Set {
	state := h.power
	return power.Set{Host: partHost{h}, State: &state}
}

func (h partHost) GoDown() (ports []int) {
	for port := range h.miniports {
		if h.miniports[port].state != Stopped {
			ports = append(ports, port)
			h.stop(port, Stopped, 0)
		}
	}
	return ports
}

func (h partHost) ComeUp(ports []int, from power.Mode) {
	moment, until := registry.AtRestart, power.ResumeTime+startTime
	if from == power.Off {
		moment, until = registry.AtReboot, bootTime+startTime
		h.bootWindows(bootTime, func() {})
	}
	for _, port := range ports {
		m := &h.miniports[port]
		m.state, m.due, m.start = Restarting, h.lab.Elapsed()+until, moment
	}
	h.reallocateVirtual()
}
