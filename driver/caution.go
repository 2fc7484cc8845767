package driver

import (
	"cmp"
	"maps"
	"slices"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/registry"
	"cxdeck/driver/teams"
)

// cautions lists the warnings about a reviewed plan; done is the copy on which the plan was run and time has passed. They are
// verdicts on its values, verdicts on other values that were better before, events that only the plan causes, and changes that
// do not take effect yet.
func (h *Host) cautions(done *Host, review *Review) (list []Caution) {
	if m := review.Management; m.Lost {
		list = append(list, Caution{eventlog.Error, m.Connection, "", m.Why})
	} else if m.Touched {
		list = append(list, Caution{eventlog.Warning, m.Connection, "", m.Why})
	}
	ports := map[int]bool{}
	for _, c := range review.Changes {
		ports[c.port] = true
		for _, reason := range c.Verdict.Reasons {
			list = append(list, Caution{severityOf(reason.Grade), c.Target, c.Row.Name, reason.Why})
		}
		if !c.InEffect {
			list = append(list, Caution{eventlog.Information, c.Target, c.Row.Name, "it takes effect " + momentWords[c.Applies]})
		}
	}
	for i := range review.Unreceived {
		list = append(list, review.Unreceived[i].caution())
	}
	list = append(list, h.worsenedVerdicts(done, review, ports)...)
	list = append(list, done.EffectsOf(review.Plan)...)
	for _, why := range done.LimitsOf(review.Plan) {
		if slices.ContainsFunc(list, func(c Caution) bool { return c.Text == why }) {
			continue // its value has it
		}
		list = append(list, Caution{Severity: eventlog.Warning, Text: why})
	}
	list = append(list, h.failovers(done)...)
	list = append(list, h.lostRecords(done, review.Plan)...)
	list = append(list, h.qosCautions(review.Moved, done, review.Plan)...)
	for _, e := range done.EventsAfter(h.events.Last()) {
		if e.Severity >= eventlog.Warning && e.Source != teams.Source && !slices.Contains(linkEvents, e.Key) {
			list = append(list, Caution{e.Severity, e.Adapter, "", e.Message})
		}
	}
	for _, o := range review.Plan.Operations {
		if connection, adapter, key, ok := valueOf(o); ok && !h.differs(done, connection, adapter, key) {
			list = append(list, Caution{eventlog.Information, connection + adapter, key, "it is already as planned"})
		}
	}
	slices.SortStableFunc(list, func(a, b Caution) int { return cmp.Compare(b.Severity, a.Severity) })
	return list
}

// linkEvents are the events that every restart causes.
var linkEvents = []string{
	lifeEvents[0][onLinkDown], lifeEvents[0][onStopped], lifeEvents[1][onLinkDown], lifeEvents[1][onStopped],
}

// momentWords say when a value takes effect that no restart of the plan brings into effect.
var momentWords = map[registry.EffectTime]string{
	registry.AtOnce:    "when the adapter runs",
	registry.AtRestart: "when the adapter starts next",
	registry.AtReload:  "when the driver is loaded next",
	registry.AtReboot:  "when the host starts next",
	registry.AtNewVM:   "for virtual machines that are created or started later",
}

func severityOf(grade registry.Grade) eventlog.Severity {
	switch grade {
	case registry.Invalid:
		return eventlog.Error
	case registry.Doubtful:
		return eventlog.Warning
	default:
		return eventlog.Information
	}
}

// worsenedVerdicts returns the verdicts on keys that the plan leaves alone and that are worse after it.
func (h *Host) worsenedVerdicts(done *Host, review *Review, ports map[int]bool) (list []Caution) {
	for _, port := range slices.Sorted(maps.Keys(ports)) {
		before := h.effectiveInputs(port)
		for _, finding := range done.effectiveInputs(port).Findings() {
			mine := slices.ContainsFunc(review.Changes, func(c Change) bool { return c.Row == finding.Row })
			if mine {
				continue
			}
			was := before.Verdict(finding.Row)
			for _, reason := range finding.Verdict.Reasons {
				known := slices.ContainsFunc(was.Reasons, func(r registry.Reason) bool { return r.Why == reason.Why })
				if !known {
					list = append(list, Caution{
						severityOf(reason.Grade), h.layout.Owner(port, finding.Row.Scope), finding.Row.Name, reason.Why,
					})
				}
			}
		}
	}
	return list
}

// differs reports whether the stored value of a key differs on a copy.
func (h *Host) differs(done *Host, connection, adapter, key string) bool {
	port, r, err := h.layout.Find(connection, adapter, key)
	if err != nil {
		return true
	}
	at := h.layout.Place(port, r.Scope)
	return h.hive.GetRow(at, r) != done.hive.GetRow(at, r)
}
