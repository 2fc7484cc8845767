package adapters

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
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

func (o ReloadDriver) Inverse(h Host) (operation.Any, error) {
	ports, err := h.DriverPorts(o.Driver)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(ports, func(port int) bool { return !h.Stopped(port) }) {
		return nil, errors.New("all its adapters are disabled; it is loaded when the first is enabled")
	}
	return nil, nil
}

func (o Reboot) Inverse(h Host) (operation.Any, error) {
	if name := h.Lab().Description().Host.Name; o.Host != name {
		return nil, request.Errorf("the host's name is %q, not %q", name, o.Host)
	}
	return nil, nil
}

func (o ReloadDriver) Apply(h Host) error {
	ports, err := h.DriverPorts(o.Driver)
	if err == nil {
		h.ReloadDriver(ports)
	}
	return err
}

func (o Reboot) Apply(h Host) error {
	h.Reboot()
	return nil
}

// Restarts returns "": several adapters restart.
func (ReloadDriver) Restarts() string { return "" }

// Restarts returns "": all adapters restart.
func (Reboot) Restarts() string { return "" }

func (Reboot) Consequence() string {
	return "everything on the host goes down for about a minute; this can't be undone"
}
