package driver

import (
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// Host is the lab with Windows and the driver on it. One goroutine owns it.
type Host struct {
	lab       *device.Lab
	hive      *registry.Hive
	miniports []miniport
	events    eventlog.Log
	journal   []Entry
	actor     Actor
	// management is the port that the operator's own session goes through, or nowhere.
	management int
	team       teams.State
	fabric     fabric.State
	qos        qos.State
	// drawn is how many GUIDs came from the seed.
	drawn int
	// virtual is Hyper-V, and what of the computer and the cards it depends on.
	virtual *virtualization.State
	// planning is true while a plan is applied, owned when virtual is a copy that belongs to this plan, and guestsDirty when
	// the lab has not got the guests that the plan changed.
	planning, owned, guestsDirty bool
	// guard is the entry that waits for its confirmation.
	guard Guard
	// layout is where the registry keeps the values of ports, cards, drivers and system.
	layout *registry.Layout
	// missing are the features that the versions of each port do not have; see lacks.
	missing func() missingFeatures
}

// NewHost puts Windows and freshly installed drivers on a lab, with all adapters running that start, and that in the event
// log. The host owns the lab from now on.
func NewHost(lab *device.Lab) *Host {
	h := &Host{lab: lab, miniports: make([]miniport, lab.Ports())}
	h.layout, h.missing = registry.NewLayout(lab.Description()), h.findMissingFeatures()
	h.management = h.describedManagement()
	h.qos = *qos.Describe(lab.Description())
	h.install()
	h.describeVirtual()
	h.start()
	return h
}

// start starts the drivers of a host that has its registry.
func (h *Host) start() {
	h.panicOn(h.lab.SetMarks(h.qosSet().Marks()))
	for port := range h.miniports {
		h.miniports[port].effective = h.readRegistry(port)
		h.miniports[port].functions = h.hypervisor().OpenFunctions(port)
		h.configure(port)
	}
	for port := range h.miniports {
		if code := h.startErrorCode(port); code != 0 {
			h.miniports[port].state, h.miniports[port].code = Failed, code
			h.panicOn(h.lab.SetEnabled(port, false))
			continue
		}
		h.logPortEvent(h.lab.Elapsed(), port, onStarted)
		h.noteStart(port, false)
		if h.lab.State(port).Up {
			h.logPortEvent(h.lab.Elapsed(), port, onLinkUp)
		}
	}
	h.reallocateVirtual()
	h.changeVirtual(virtualization.Hypervisor.ClearHistories)
}

// StartCounting is called when someone begins to look at a port's counters by processor and kind: if a key allows it, the
// driver counts from then on (R5). It is not in the journal, as looking changes nothing that the operator configured.
func (h *Host) StartCounting(port int) { h.lab.StartCounting(port) }

// Advance moves the host's time by d. What falls due on the way happens at its own time, so that the result does not
// depend on how the time was cut.
func (h *Host) Advance(d time.Duration) {
	end := h.lab.Elapsed() + d
	for {
		due, port := h.nextDue()
		until := h.teamSet().NextLook(end)
		if port < 0 || due > until {
			if h.lab.Elapsed() >= end {
				break
			}
			h.advanceTo(until)
			continue
		}
		if due > h.lab.Elapsed() && !h.advanceTo(due) {
			continue
		}
		switch m := &h.miniports[port]; {
		case m.state == Restarting:
			h.finish(port)
		case m.hang == due:
			h.findHang(port)
		default:
			h.hypervisor().ReadFunctions(port)
		}
	}
}

// advanceTo moves the hardware to a time, or to the next change of a link, and reports whether the time is reached.
func (h *Host) advanceTo(until time.Duration) bool {
	h.lab.AdvanceToLink(until - h.lab.Elapsed())
	h.noteLinks()
	if h.lab.Elapsed() < until {
		return false
	}
	h.teamSet().Look()
	return true
}

// Now returns the host's time.
func (h *Host) Now() time.Time { return h.lab.Now() }

// SetNow sets the host's clock. A restored host uses the clock of its description until then.
func (h *Host) SetNow(now time.Time) { h.lab.SetNow(now) }

// Lab returns the hardware. Only the host's owner may touch it, and nothing but the host may change it.
func (h *Host) Lab() *device.Lab { return h.lab }

// Clone returns a copy that goes its own way, for a rehearsal.
func (h *Host) Clone() *Host {
	if h.owned {
		h.owned = false // both have it from now on
	}
	c := *h
	c.lab = h.lab.Clone()
	c.hive = h.hive.Clone()
	c.miniports = slices.Clone(h.miniports)
	c.events = h.events.Clone()
	c.journal = slices.Clip(h.journal) // entries never change: both have them, and neither sees what the other adds
	c.team = h.team.Clone()
	return &c
}
