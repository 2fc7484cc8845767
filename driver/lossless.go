package driver

import (
	"fmt"
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
)

// Paths compares the ends of each port's cable, in the order of the lab: the settings of host, adapter and switch port for
// priorities and flow control. view is the current QoS state, as QoS returns it.
func (h *Host) Paths(view *qos.View) []lossless.Path {
	list := make([]lossless.Path, h.lab.Ports())
	for port := range list {
		d, _, _ := h.lab.Port(port)
		here, there := h.lab.Operational(port)
		list[port] = lossless.Compare(&lossless.Ends{QoS: view, Port: port, Adapter: here, SwitchName: d.Switch.Name, Switch: there, Remote: h.lab.Remote(port), Far: h.lab.FarEndSettings(port), Counts: h.lab.RemotePath(port)})
		if h.miniports[port].state == Restarting { // it is about to read its keys
			list[port].Mismatches = slices.DeleteFunc(list[port].Mismatches, func(m lossless.Mismatch) bool { return m.Restarts })
		}
		for i := range list[port].Mismatches {
			if m := &list[port].Mismatches[i]; m.Restarts {
				m.Fix = append(m.Fix, adapters.RestartAdapter{Connection: d.Connection})
			}
		}
	}
	h.addNeeds(list)
	return list
}

// maxAgreementRounds limits the search for a plan: a mismatch that reappears is not fixed.
const maxAgreementRounds = 16

// AgreementPlan returns the plan that fixes all mismatches of a port that can be fixed, one after the other on a copy. It has no
// Operations if the ends agree.
func (h *Host) AgreementPlan(port int) (Plan, error) {
	d, _, _ := h.lab.Port(port)
	plan := Plan{Title: fmt.Sprintf("Make %s and %s agree", d.Connection, d.Switch.Name)}
	copied, restarts := h.Clone(), false
	for range maxAgreementRounds {
		fix, found := copied.firstFix(port)
		if !found {
			break
		}
		if _, err := copied.Apply(fix); err != nil {
			return Plan{}, fmt.Errorf("%s: %w", fix.Title, err)
		}
		for _, o := range fix.Operations {
			if _, ok := o.(adapters.RestartAdapter); ok { // one at the end does for all
				restarts = true
				copied.Advance(stopTime + startTime)
				continue
			}
			plan.Operations = append(plan.Operations, o)
		}
	}
	if restarts {
		plan.Operations = append(plan.Operations, adapters.RestartAdapter{Connection: d.Connection})
	}
	return plan, nil
}

// firstFix returns the plan of the first mismatch of a port that has one.
func (h *Host) firstFix(port int) (plan Plan, found bool) {
	view := h.QoS()
	path := h.Paths(&view)[port]
	for _, m := range slices.Concat(path.Needs, path.Mismatches) {
		if len(m.Fix) > 0 {
			plan.Title = m.Title
			for _, o := range m.Fix {
				plan.Operations = append(plan.Operations, o)
			}
			return plan, true
		}
	}
	return Plan{}, false
}
