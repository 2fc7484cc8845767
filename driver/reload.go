package driver

import (
	"fmt"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// The time that a reload and a reboot take in addition to stopping and starting an adapter. The manuals give no times: loading a driver takes
// about two seconds, and starting a server about a minute.
const (
	loadTime = 2 * time.Second
	bootTime = 60 * time.Second
)

// driverPorts returns the ports of a driver.
func (h *Host) driverPorts(driver string) (ports []int, err error) {
	for port := range h.miniports {
		if h.family(port).Driver() == driver {
			ports = append(ports, port)
		}
	}
	if ports == nil {
		return nil, &UnknownDriverError{driver}
	}
	return ports, nil
}

// UnknownDriverError is a driver that the host does not have.
type UnknownDriverError struct{ Driver string }

// Error names it and the remedy.
func (e *UnknownDriverError) Error() string {
	return fmt.Sprintf("the host runs no driver %q; use %s for WinOF or %s for WinOF-2 adapters that it has",
		e.Driver, description.WinOF.Driver(), description.WinOF2.Driver())
}

// Reboot restarts Windows.
func (h partHost) Reboot() {
	ports := make([]int, len(h.miniports))
	for port := range ports {
		ports[port] = port
	}
	h.bootWindows(stopTime+bootTime, func() { h.stopAll(ports, registry.AtReboot, stopTime+bootTime+startTime) })
}

// bootWindows brings into effect what waits for a boot, the firmware after stop; services start after a time.
func (h *Host) bootWindows(services time.Duration, stop func()) {
	h.changeVirtual(virtualization.Hypervisor.Boot)
	h.dumpSet().Boot()
	h.programSet().GoDown(h.lab.Elapsed() + services)
	h.mpi.Boot()
	h.packages.Boot()
	if signs := h.stackSet().Boot(); h.qosSet().Boot() || signs {
		h.panicOn(partHost{h}.Reclassify())
	}
	stop()
	for adapter := range h.lab.Description().Adapters {
		h.loadFirmware(adapter)
		h.lab.ResetCard(adapter)
	}
}

// stopAll restarts the ports that are not disabled, for a kind of start.
func (h *Host) stopAll(ports []int, moment registry.EffectTime, until time.Duration) {
	for _, port := range ports {
		if h.miniports[port].state != Stopped {
			h.stop(port, Restarting, until)
		}
		h.miniports[port].start = moment
	}
}

// starts returns the ports that an Operation restarts, and the kind of restart; none for any other Operation.
func (h *Host) starts(o Operation) (ports []int, moment registry.EffectTime) {
	switch o := o.(type) {
	case adapters.RestartAdapter:
		if port, err := h.port(o.Connection); err == nil {
			return []int{port}, registry.AtRestart
		}
	case adapters.ReloadDriver:
		ports, _ = h.driverPorts(o.Driver) // none for an unknown driver
		return ports, registry.AtReload
	case adapters.Reboot:
		for port := range h.miniports {
			ports = append(ports, port)
		}
		return ports, registry.AtReboot
	}
	return nil, ""
}

// reads reports whether a driver reads a key at a kind of start.
func reads(moment registry.EffectTime, r *registry.Row) bool {
	if moment == "" {
		moment = registry.AtRestart
	}
	return moment.Covers(r.Applies)
}

// reread returns the values that the driver of a port uses after a start: keys that this kind of start does not read keep their
// old values.
func (h *Host) reread(port int) *registry.Effective {
	m := &h.miniports[port]
	now, rows := h.readRegistry(port), h.catalogue(port).Rows
	var kept map[*registry.Row]registry.Reading
	for i := range rows {
		r := &rows[i]
		if was := m.effective.Reading(r); !reads(m.start, r) && was != now.Reading(r) {
			if kept == nil {
				kept = map[*registry.Row]registry.Reading{}
			}
			kept[r] = was
		}
	}
	if kept == nil {
		return now
	}
	return now.Replace(kept)
}
