package driver

import (
	"errors"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
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

// Why an Operation can't be applied.
var (
	errRunning    = request.Unchanged("it is enabled already")
	errStopped    = errors.New("it is disabled; enable it first")
	errStarting   = request.Unchanged("it is starting already")
	errRestarting = errors.New("it is still starting; wait until it runs")
	errFailed     = errors.New("it is enabled, and its driver failed to start; restart it when the cause is fixed")
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

// inverse is nil: a restart leaves the host as it was.
func (o RestartAdapter) inverse(h *Host) (Operation, error) {
	state, err := h.state(o.Connection)
	if err == nil {
		err = [...]error{Running: nil, Stopped: errStopped, Restarting: errRestarting, Failed: nil}[state]
	}
	return nil, err
}

func (o EnableAdapter) inverse(h *Host) (Operation, error) {
	state, err := h.state(o.Connection)
	if err == nil && state != Stopped {
		err = [...]error{Running: errRunning, Restarting: errStarting, Failed: errFailed}[state]
	}
	return DisableAdapter(o), err
}

func (o DisableAdapter) inverse(h *Host) (Operation, error) {
	state, err := h.state(o.Connection)
	if err == nil && state == Stopped {
		err = request.Unchanged("it is disabled already")
	}
	return EnableAdapter(o), err
}

func (o RestartAdapter) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	h.stop(port, Restarting, stopTime+startTime)
	return nil
}

func (o EnableAdapter) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	m := &h.miniports[port]
	m.state, m.due, m.code = Restarting, h.lab.Elapsed()+startTime, 0
	h.reallocateVirtual() // adapters that wait for the port get it
	return nil
}

func (o DisableAdapter) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	h.stop(port, Stopped, 0)
	return nil
}

func (h *Host) state(connection string) (AdapterState, error) {
	port, err := h.port(connection)
	if err != nil {
		return 0, err
	}
	return h.miniports[port].state, nil
}
