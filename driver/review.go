package driver

import (
	"cmp"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/impact"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// Review is the effect of a plan on a host, computed before anything is done. It is plain data.
type Review struct {
	// Plan is the reviewed plan, with the restarts that its values need, see Host.Complete.
	Plan Plan
	// Refusal is the reason why the plan can't be applied now; nil when it can. The review of a refused plan has nothing else.
	Refusal error
	// Changes are the values that it changes, by port and in the order of the catalogue.
	Changes []Change
	// Steps describe its other Operations, except restarts, in order.
	Steps []string
	// Restarts are the adapters, drivers and machines that it restarts, in order.
	Restarts []Restart
	// Unreceived is current traffic that will find no receiver, the highest rate first. Warnings include it.
	Unreceived []Unreceived
	// Moved says which traffic loses its traffic class, a sentence without its full stop for each class. Warnings include it.
	Moved []string
	// Warnings are the reasons against it, the most severe first.
	Warnings []Caution
	// Management is its effect on the operator's own session.
	Management ManagementRisk
	// Reversible reports that the plan can be undone: a restart or a reset can't.
	Reversible bool
	// After is the sequence of the newest change that the host had when it was reviewed.
	After uint64
	// Impact is its effect on the users of the host.
	Impact impact.Impact
}

// Change is a value that a plan changes.
type Change struct {
	// Connection or Adapter is the owner of the key as the Operation names it; Target is the owner's own name: a connection, a
	// card, a driver or the host.
	Connection, Adapter, Target string
	Row                         *registry.Row
	// From is the stored value now, To the one after the plan. A value that does not exist is absent.
	From, To registry.Value
	// Effective is the value that the driver uses now, Next the value once To takes effect.
	Effective, Next registry.Value
	// Applies is the moment at which the new value takes effect; InEffect reports that it is in effect after the plan with its
	// restarts.
	Applies  registry.EffectTime
	InEffect bool
	// Verdict rates the new value, given all other values.
	Verdict registry.Verdict

	port int
}

// Caution is a warning about a plan.
type Caution struct {
	Severity eventlog.Severity
	// Target is the connection, team, card, driver or host concerned. Key is a key of it, not necessarily one that the plan
	// changes. Both may be empty.
	Target, Key string
	// Text is a sentence without a full stop.
	Text string
}

// Review returns the effect of a plan. It runs the plan on a copy, and lets time pass there until everything that the plan
// stops has started again.
func (h *Host) Review(plan Plan) Review {
	r := Review{Plan: plan, After: h.Newest().Sequence}
	if r.Refusal = h.Check(plan); r.Refusal != nil {
		return r
	}
	return h.review(plan, h.Complete(plan), false)
}

// ReviewWithoutRestarts is Review for a plan that is applied without the restarts that its values need.
func (h *Host) ReviewWithoutRestarts(plan Plan) Review {
	r := Review{Plan: plan, After: h.Newest().Sequence}
	if r.Refusal = h.Check(plan); r.Refusal != nil {
		return r
	}
	return h.review(plan, plan, false)
}

// ReviewUndo returns a journal entry and the review of its undo. The refusal says why UndoEntry would fail.
func (h *Host) ReviewUndo(sequence uint64) (Entry, Review) {
	found, err := h.journal.Find(sequence, h.touches)
	switch {
	case err != nil:
		return found, Review{Plan: found.Inverse, Refusal: err}
	case h.guard.Sequence != 0:
		return found, Review{Plan: found.Inverse, Refusal: &journal.UnconfirmedError{Guard: h.guard}}
	}
	return found, h.review(found.Inverse, found.Inverse, true)
}

// review reviews a plan with its required restarts; back marks the plan of an undo.
func (h *Host) review(plan, complete Plan, back bool) Review {
	r := Review{Plan: complete}
	given := len(plan.Operations)
	done := h.Clone()
	inverse, err := done.runRecording(r.Plan, back, nil)
	if r.Refusal = err; err != nil {
		return r
	}
	r.Reversible = len(inverse) > 0
	r.Changes = h.changesTo(done, r.Plan)
	downs := done.awaitLinks(h)
	for i, o := range r.Plan.Operations {
		if restart, ok := h.interruption(o, downs); ok {
			restart.Needed = i >= given
			r.Restarts = append(r.Restarts, restart)
		} else if _, _, _, value := valueOf(o); !value {
			r.Steps = append(r.Steps, o.Describe())
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		c.InEffect = done.miniports[c.port].effective.Reading(c.Row).Value == c.Next
	}
	settled := h.settled()
	if settled != h {
		done.awaitLinks(settled)
	}
	r.Unreceived = settled.unreceived(done, r.Restarts)
	r.Moved = done.qosSet().Cautions(&h.qos)
	r.Management = h.managementRisk(done, &r, downs)
	r.Warnings = h.cautions(done, &r)
	r.Impact = h.impact(done, &r, downs)
	return r
}

// changesTo returns the values that differ on a host on which a plan was run.
func (h *Host) changesTo(done *Host, plan Plan) (list []Change) {
	seen := map[rowPlace]bool{}
	for _, o := range plan.Operations {
		connection, adapter, key, ok := valueOf(o)
		if !ok {
			continue
		}
		port, r, err := h.layout.Find(connection, adapter, key)
		if err != nil {
			continue // impossible: the plan was run
		}
		at := h.layout.Place(port, r.Scope)
		from, to := h.hive.GetRow(at, r), done.hive.GetRow(at, r)
		if seen[rowPlace{at, r}] || from == to {
			continue
		}
		seen[rowPlace{at, r}] = true
		would := done.effectiveInputs(port)
		list = append(list, Change{
			Connection: connection, Adapter: adapter, Target: h.layout.Owner(port, r.Scope), Row: r, From: from, To: to,
			Effective: h.miniports[port].effective.Reading(r).Value, Next: would.Reading(r).Value,
			Applies: r.Applies, Verdict: would.Verdict(r), port: port,
		})
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.port, b.port), cmp.Compare(a.Row.Index, b.Row.Index))
	})
	return list
}

// OwnerOf returns the owner of the object that an Operation changes: for a value the owner of its key, which may be a card, a
// driver or the host.
func (h *Host) OwnerOf(o Operation) string {
	if _, path := o.(edit.StoreValues); path {
		return "other places of the registry"
	}
	if connection, adapter, key, ok := valueOf(o); ok {
		if port, r, err := h.layout.Find(connection, adapter, key); err == nil {
			owner := h.layout.Owner(port, r.Scope)
			if owner == h.family(port).Driver() {
				return "the driver " + owner
			}
			return owner
		}
	}
	return o.Target()
}

// linkTimeout limits the wait for the links of a plan in a review, after its last adapter has started.
const linkTimeout = 5 * time.Second

// downtime is the time for which the link of a port was down; back reports that it came up again.
type downtime struct {
	down time.Duration
	back bool
}

// awaitLinks lets time pass on a copy on which a plan was run, until every link that was up before is up again or can't come
// up. It returns the downtime of each link.
func (h *Host) awaitLinks(original *Host) []downtime {
	const interval = 100 * time.Millisecond
	downs := make([]downtime, len(h.miniports))
	if len(h.team.Teams) > 0 { // they react at the end of a step
		h.Advance(device.Step)
	}
	end := h.lab.Elapsed() + linkTimeout
	for {
		waiting := false
		for port := range downs {
			d := &downs[port]
			if h.miniports[port].state == Restarting {
				end = max(end, h.miniports[port].due+linkTimeout)
			}
			wasUp := original.lab.State(port).Up
			d.back = h.lab.State(port).Up || !wasUp && h.miniports[port].state != Restarting // it may restart with its link down
			stays := h.miniports[port].state == Stopped || h.miniports[port].state == Failed || !h.lab.State(port).Cabled
			waiting = waiting || !d.back && !stays
		}
		if !waiting || h.lab.Elapsed() >= end {
			return downs
		}
		for port := range downs {
			if !downs[port].back && original.lab.State(port).Up {
				downs[port].down += interval
			}
		}
		h.Advance(interval)
	}
}
