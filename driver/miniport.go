package driver

import (
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/health"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// AdapterState is the state of a connection's driver.
type AdapterState uint8

// The states of a driver.
const (
	Running AdapterState = iota
	Stopped
	Restarting // it starts, after a stop or a restart
	Failed
)

// String returns the state as a word.
func (s AdapterState) String() string {
	return [...]string{"running", "stopped", "restarting", "failed"}[s]
}

// The time that the driver takes to stop and to start.
const (
	stopTime  = 400 * time.Millisecond
	startTime = 1600 * time.Millisecond
)

// miniport is the driver's instance for one port.
type miniport struct {
	state AdapterState
	// due is the end of the restart, counted from the lab's start.
	due time.Duration
	// start is the kind of start in progress: the driver reads the keys that take effect with it. Empty means a restart of the
	// adapter alone.
	start registry.EffectTime
	// lost is the time at which its link was lost, counted from the lab's start; 0 while it is up.
	lost time.Duration
	// watch is the driver's periodic check of the port's virtual functions.
	watch virtualization.FunctionWatch
	// functions is the number of virtual functions that the driver opened at its last start.
	functions int
	// code is Device Manager's code of a failure, 0 for none.
	code int
	// effective holds the values that the driver read from the registry at its last start.
	effective *registry.Effective
}

// Codes of Device Manager: for a driver that failed to start, and for a lack of resources.
const (
	cannotStart = 10
	noDriver    = 28
	noResources = 12
)

// nextDue returns the port with the earliest event: the end of a restart, a check of self-healing or of virtual functions; -1
// for none.
func (h *Host) nextDue() (due time.Duration, port int) {
	port = -1
	for i := range h.miniports {
		m := &h.miniports[i]
		at, waits := m.due, m.state == Restarting
		if healing := h.healingSet().Due(i); m.state == Running && healing > 0 {
			at, waits = healing, true
		}
		if m.state == Running && m.watch.Due > 0 && (!waits || m.watch.Due < at) {
			at, waits = m.watch.Due, true
		}
		if waits && (port < 0 || at < due) {
			due, port = at, i
		}
	}
	return due, port
}

// finishRestart ends the restart of a port: the driver reads the registry, and starts or fails.
func (h *Host) finishRestart(port int) {
	m := &h.miniports[port]
	m.watch = virtualization.FunctionWatch{}
	loaded := m.start == registry.AtReload || m.start == registry.AtReboot
	m.effective, m.start = h.reread(port), ""
	if code := h.startErrorCode(port); code != 0 {
		m.state, m.code = Failed, code
		return
	}
	m.state, m.functions = Running, h.hypervisor().OpenFunctions(port)
	dropless := h.lab.Dropless(port)
	h.lab.ResetDriver(port)
	before := h.mac(port)
	h.hypervisor().ReloadPort(port)
	h.configure(port)
	h.stackSet().RefreshGIDs(h.connection(port))
	h.panicOn(partHost{h}.Reclassify())
	if h.mac(port) != before {
		h.teamSet().UpdateAddresses(port)
	}
	if !h.healingSet().Started(port, loaded) || h.family(port) != description.WinOF {
		h.logPortEvent(h.lab.Elapsed(), port, onStarted)
	}
	h.noteStart(port, loaded)
	h.startDropless(port, dropless)
	h.panicOn(h.lab.SetEnabled(port, true))
	h.reallocateVirtual()
}

const droplessKey = "DelayDropTimeout"

// droplessByKey reports whether the presence of a key enters dropless mode of a port, also with its default.
func (h *Host) droplessByKey(port int, r *registry.Row) bool {
	return r.Name == droplessKey && h.family(port) == description.WinOF2
}

// startDropless enters dropless mode of a WinOF-2 port that starts with a DelayDropTimeout other than 0; before reports that
// it was in that mode before. Without the key the mode waits for its OID (RES-5).
func (h *Host) startDropless(port int, before bool) {
	r, ok := h.catalogue(port).Find(droplessKey, registry.Miniport)
	if !ok || !h.droplessByKey(port, r) {
		return
	}
	if reading := h.miniports[port].effective.Reading(r); reading.Stored.Exists() && reading.Value.Number() > 0 {
		h.panicOn(h.lab.SetDropless(port, true))
		h.logDropless(h.lab.Elapsed(), port, health.DroplessEntered)
	} else if before {
		h.logDropless(h.lab.Elapsed(), port, health.DroplessLeft)
	}
}

// stop stops the driver of a port. Its counters stay: hardware keeps them.
func (h *Host) stop(port int, next AdapterState, until time.Duration) {
	m := &h.miniports[port]
	h.panicOn(h.lab.SetEnabled(port, false))
	h.noteLinks()
	if m.state != Failed { // a driver that did not start has nothing to stop
		h.logPortEvent(h.lab.Elapsed(), port, onStopped)
	}
	m.state, m.due, m.code = next, h.lab.Elapsed()+until, 0
	m.watch = virtualization.FunctionWatch{} // a stopped driver checks nothing
	h.reallocateVirtual()
}

// panicOn panics on an error, which the lab returns only for a port that it does not have.
func (h *Host) panicOn(err error) {
	if err != nil {
		panic("driver: " + err.Error())
	}
}

// port finds the port of a connection by its name.
func (h *Host) port(connection string) (int, error) { return h.layout.Port(connection) }

// mac returns the MAC address that a port uses.
func (h *Host) mac(port int) description.MAC { return h.lab.Address(port) }

// connection returns the name of a port's connection, empty for nowhere.
func (h *Host) connection(port int) string { return h.lab.Connection(port) }

// State returns the state of a port's driver. Ports are numbered as in the lab.
func (h *Host) State(port int) AdapterState { return h.miniports[port].state }

// Code returns Device Manager's code of a port whose driver failed to start, such as 10; 0 for other ports.
func (h *Host) Code(port int) int { return h.miniports[port].code }

// Starting reports whether any driver is starting.
func (h *Host) Starting() bool {
	return slices.ContainsFunc(h.miniports, func(m miniport) bool { return m.state == Restarting })
}

// ComingUp reports whether any driver is starting, or the link of any running driver with a cable is still down.
func (h *Host) ComingUp() bool {
	for port := range h.miniports {
		link := h.lab.State(port)
		if state := h.miniports[port].state; state == Restarting || state == Running && link.Cabled && !link.Up {
			return true
		}
	}
	return false
}

func (h *Host) cardOf(port int) int {
	_, card, _ := h.lab.Port(port)
	return card
}
