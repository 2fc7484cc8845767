package driver

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

// ReloadDriver unloads a driver and loads it again: all its adapters stop and start, and it reads the keys of its bus, too. It
// can't be undone.
type ReloadDriver struct {
	// Driver is its name: "mlx4" or "mlx5".
	Driver string `json:"driver"`
}

// Reboot shuts the host down and starts it again: every adapter goes down and comes back, the counters of the cards
// restart at 0, and all stored values take effect. It can't be undone.
type Reboot struct {
	// Host is its name: "LAB-N4".
	Host string `json:"host"`
}

// The time that they take in addition to stopping and starting an adapter. The manuals give no times: loading a driver takes
// about two seconds, and starting a server about a minute.
const (
	loadTime = 2 * time.Second
	bootTime = 60 * time.Second
)

func (ReloadDriver) Kind() string { return "reload-driver" }
func (Reboot) Kind() string       { return "reboot" }

func (o ReloadDriver) Target() string { return o.Driver }
func (o Reboot) Target() string       { return o.Host }

func (o ReloadDriver) Describe() string {
	return "reload the driver " + o.Driver + " with all its adapters"
}

func (o Reboot) Describe() string { return "reboot " + o.Host }

// Commands returns the commands that disable and enable all devices of the driver.
func (o ReloadDriver) Commands() []string {
	const devices = "Get-PnpDevice -Class Net,System -PresentOnly | Where-Object Service -like %s | %s -Confirm:$false"
	pattern := cmdlet.Quote(o.Driver + "*")
	return []string{fmt.Sprintf(devices, pattern, "Disable-PnpDevice") + "; " + fmt.Sprintf(devices, pattern, "Enable-PnpDevice")}
}

// Commands returns the PowerShell command, without its question: the console has asked.
func (o Reboot) Commands() []string {
	return []string{cmdlet.New("Restart-Computer").With("ComputerName", o.Host).Switch("Force").String()}
}

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

// inverse is nil: a reload leaves the host as it was.
func (o ReloadDriver) inverse(h *Host) (Operation, error) {
	ports, err := h.driverPorts(o.Driver)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(ports, func(port int) bool { return h.miniports[port].state != Stopped }) {
		return nil, errors.New("all its adapters are disabled; it is loaded when the first is enabled")
	}
	return nil, nil
}

// inverse is nil: a reboot leaves the host as it was.
func (o Reboot) inverse(h *Host) (Operation, error) {
	if name := h.lab.Description().Host.Name; o.Host != name {
		return nil, request.Errorf("the host's name is %q, not %q", name, o.Host)
	}
	return nil, nil
}

func (o ReloadDriver) apply(h *Host) error {
	ports, err := h.driverPorts(o.Driver)
	if err != nil {
		return err
	}
	h.stopAll(ports, registry.AtReload, stopTime+loadTime+startTime)
	return nil
}

func (o Reboot) apply(h *Host) error {
	ports := make([]int, len(h.miniports))
	for port := range ports {
		ports[port] = port
	}
	h.bootWindows(stopTime+bootTime, func() { h.stopAll(ports, registry.AtReboot, stopTime+bootTime+startTime) })
	return nil
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
	case RestartAdapter:
		if port, err := h.port(o.Connection); err == nil {
			return []int{port}, registry.AtRestart
		}
	case ReloadDriver:
		ports, _ = h.driverPorts(o.Driver) // none for an unknown driver
		return ports, registry.AtReload
	case Reboot:
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
