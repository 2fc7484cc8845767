package driver

import (
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/intent"
	"cxdeck/driver/journal"
	"cxdeck/driver/mpi"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/programs"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// Host is the lab with Windows and the driver on it. One goroutine owns it.
type Host struct {
	lab       *device.Lab
	hive      *registry.Hive
	miniports []miniport
	events    eventlog.Log
	journal   journal.Journal
	actor     Actor
	// management is the port that the operator's own session goes through, or nowhere.
	management int
	team       teams.State
	fabric     fabric.State
	qos        qos.State
	stack      stack.State
	mpi        mpi.State
	boot       boot.State
	power      power.State
	dumps      dump.State
	programs   programs.State
	healing    healing.State
	flash      flash.State
	packages   packages.State
	// intent is the stored intent, nil for none. It never changes: copies of the host share it.
	intent *intent.Kept
	// drawn is the number of GUIDs drawn from the seed.
	drawn int
	// virtual is the state of Hyper-V, with the BIOS and the settings of cards that it depends on.
	virtual *virtualization.State
	// planning is true while a plan is applied, owned when virtual is a copy that belongs to this plan, and guestsDirty when
	// the plan changed guests that were not passed to the lab yet.
	planning, owned, guestsDirty bool
	// guard is the entry that waits for its confirmation.
	guard Guard
	// layout has the places of registry values of ports, cards, drivers and system.
	layout *registry.Layout
	// missing returns the features that the versions of each port do not have.
	missing func() missingFeatures
}

// NewHost installs Windows and the drivers on a lab. All adapters that can start are running, and their starts are in the event
// log. The host owns the lab from now on.
func NewHost(lab *device.Lab) *Host {
	h := &Host{lab: lab, miniports: make([]miniport, lab.Ports()), healing: healing.New(lab.Ports())}
	h.layout = registry.NewLayout(lab.Description())
	h.missing = h.findMissingFeatures()
	h.management = h.describedManagement()
	h.qos = *qos.Describe(lab.Description())
	h.install()
	h.describeVirtual()
	h.start()
	for _, text := range lab.Description().TwinSetup() {
		if o, err := journal.UnmarshalOperation([]byte(text)); err == nil {
			_, _ = h.run(Plan{Operations: []Operation{o}}) // the maker of the twin has listed what the lab refuses
		}
	}
	return h
}

// start starts the drivers of a host that has its registry.
func (h *Host) start() {
	h.programSet().LinuxChanged()
	h.panicOn(h.setMarks())
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

// Advance moves the host's time by d. Each event happens at its own time, so that the result does not depend on the size of d.
func (h *Host) Advance(d time.Duration) {
	end := h.lab.Elapsed() + d
	for {
		due, port := h.nextDue()
		until := h.programSet().Next(h.healingSet().NextLook(h.stackSet().NextPoll(h.teamSet().NextUpdate(end))))
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
			h.finishRestart(port)
		case m.watch.Due == due:
			h.hypervisor().ReadFunctions(port)
		default:
			h.healingSet().Act(port)
		}
	}
}

// advanceTo moves the hardware to a time, or to the next change of a link, and reports whether the time is reached.
func (h *Host) advanceTo(until time.Duration) bool {
	h.lab.AdvanceToLink(until - h.lab.Elapsed())
	h.noteLinks()
	h.programSet().Run()
	if h.lab.Elapsed() < until {
		return false
	}
	h.teamSet().Update()
	h.healingSet().FollowSchedules()
	if h.stackSet().Poll() {
		h.panicOn(h.setMarks())
	}
	return true
}

// Now returns the host's time.
func (h *Host) Now() time.Time { return h.lab.Now() }

// SetNow sets the host's clock. A restored host uses the clock of its description until then.
func (h *Host) SetNow(now time.Time) { h.lab.SetNow(now) }

// Lab returns the hardware. Only the host's owner may touch it, and nothing but the host may change it.
func (h *Host) Lab() *device.Lab { return h.lab }

// Clone returns an independent copy, on which a plan can be tried.
func (h *Host) Clone() *Host {
	if h.owned {
		h.owned = false // both share it from now on
	}
	c := *h
	c.lab = h.lab.Clone()
	c.hive = h.hive.Clone()
	c.miniports = slices.Clone(h.miniports)
	c.events = h.events.Clone()
	c.journal = slices.Clip(h.journal) // entries never change: both share them, and neither sees the other's new ones
	c.team, c.healing = h.team.Clone(), h.healing.Clone()
	return &c
}
