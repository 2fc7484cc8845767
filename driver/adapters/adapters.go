// Package adapters has the Operations on whole adapters, drivers and the host: they enable, disable, restart, reload, reboot and reset,
// share the virtual functions of a card, and mark the connection of the operator's own session.
package adapters

import (
	"errors"

	"cxdeck/device"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/limits"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

// RestartAdapter stops the driver of a connection and starts it again, also one that failed to start. It can't be undone.
type RestartAdapter struct {
	Connection string `json:"connection"`
}

// EnableAdapter starts a connection's driver.
type EnableAdapter struct {
	Connection string `json:"connection"`
}

// DisableAdapter stops a connection's driver until it is enabled again.
type DisableAdapter struct {
	Connection string `json:"connection"`
}

// Why an Operation can't be applied; ErrFailed is an enabled adapter whose driver failed to start.
var (
	errRunning    = request.Unchanged("it is enabled already")
	errStopped    = errors.New("it is disabled; enable it first")
	errStarting   = request.Unchanged("it is starting already")
	errRestarting = errors.New("it is still starting; wait until it runs")
	ErrFailed     = errors.New("it is enabled, and its driver failed to start; restart it when the cause is fixed")
)

func (RestartAdapter) Kind() string { return "restart-adapter" }
func (EnableAdapter) Kind() string  { return "enable-adapter" }
func (DisableAdapter) Kind() string { return "disable-adapter" }

func (o RestartAdapter) Target() string { return o.Connection }
func (o EnableAdapter) Target() string  { return o.Connection }
func (o DisableAdapter) Target() string { return o.Connection }

func (o RestartAdapter) Describe() string { return "restart " + o.Connection }

func (o EnableAdapter) Describe() string { return "enable " + o.Connection }

func (o DisableAdapter) Describe() string { return "disable " + o.Connection }

// Commands returns the PowerShell command.
func (o RestartAdapter) Commands() []string { return onAdapter("Restart-NetAdapter", o.Connection) }

// Commands returns the PowerShell command.
func (o EnableAdapter) Commands() []string { return onAdapter("Enable-NetAdapter", o.Connection) }

// Commands returns the PowerShell command, without its question: the console has asked.
func (o DisableAdapter) Commands() []string {
	return []string{cmdlet.New("Disable-NetAdapter").With("Name", o.Connection).WithoutConfirm().String()}
}

func onAdapter(command, connection string) []string {
	return []string{cmdlet.New(command).With("Name", connection).String()}
}

// Host is what the Operations need of the host.
type Host interface {
	Lab() *device.Lab
	// Edits returns the registry.
	Edits() edit.Registry
	// Virtualization returns Hyper-V with the settings of cards.
	Virtualization() virtualization.Hypervisor
	// Lacks returns why the versions of a port lack a feature; empty if they have it.
	Lacks(port int, feature limits.Feature) string
	// Port finds the port of a connection, Card a card by its name, and DriverPorts the ports of a driver.
	Port(connection string) (int, error)
	Card(adapter string) (int, error)
	DriverPorts(driver string) ([]int, error)
	// Running, Restarting and Stopped report the state of a port's driver; it failed to start if none of them holds.
	Running(port int) bool
	Restarting(port int) bool
	Stopped(port int) bool
	// Enable starts the driver of a port, Disable stops it, and Restart does both unless it is stopped.
	Enable(port int)
	Disable(port int)
	Restart(port int)
	// ReloadDriver loads a driver with its ports again, Reboot restarts Windows, and ResetCard restarts the firmware of a card.
	ReloadDriver(ports []int)
	Reboot()
	ResetCard(card int)
	// Management returns the connection that carries the operator's own session, empty for none, and SetManagement sets it.
	Management() string
	SetManagement(connection string)
}

// Operation is an Operation of this package.
type Operation interface {
	operation.Any
	// Inverse returns the Operation that undoes it, found before it is applied, or why it can't be applied. It is nil for an
	// Operation that leaves the host as it was.
	Inverse(h Host) (operation.Any, error)
	// Apply applies it completely or not at all, after Inverse has found that it can be applied.
	Apply(h Host) error
}

func (o RestartAdapter) Inverse(h Host) (operation.Any, error) {
	port, err := h.Port(o.Connection)
	switch {
	case err != nil:
		return nil, err
	case h.Stopped(port):
		return nil, errStopped
	case h.Restarting(port):
		return nil, errRestarting
	}
	return nil, nil
}

func (o EnableAdapter) Inverse(h Host) (operation.Any, error) {
	port, err := h.Port(o.Connection)
	switch {
	case err != nil:
	case h.Running(port):
		err = errRunning
	case h.Restarting(port):
		err = errStarting
	case !h.Stopped(port):
		err = ErrFailed
	}
	return DisableAdapter(o), err
}

func (o DisableAdapter) Inverse(h Host) (operation.Any, error) {
	port, err := h.Port(o.Connection)
	if err == nil && h.Stopped(port) {
		err = request.Unchanged("it is disabled already")
	}
	return EnableAdapter(o), err
}

func (o RestartAdapter) Apply(h Host) error { return onPort(h, o.Connection, h.Restart) }
func (o EnableAdapter) Apply(h Host) error  { return onPort(h, o.Connection, h.Enable) }
func (o DisableAdapter) Apply(h Host) error { return onPort(h, o.Connection, h.Disable) }

// onPort calls a function with the port of a connection.
func onPort(h Host, connection string, do func(port int)) error {
	port, err := h.Port(connection)
	if err == nil {
		do(port)
	}
	return err
}

// Restarts returns the connection.
func (o RestartAdapter) Restarts() string { return o.Connection }
