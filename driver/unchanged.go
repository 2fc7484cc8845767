package driver

import (
	"bytes"
	"errors"
	"slices"

	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// Skipped is an Operation of a plan that would leave the host as it is. Why is a phrase: "its cable is out already".
type Skipped struct {
	Operation Operation
	Why       string
}

// Needed is a plan without the Operations that would leave the host as it is when their turn comes, and these. It tries
// them on a copy; one that fails stays in the plan, with all behind it.
func (h *Host) Needed(plan Plan) (needed Plan, skipped []Skipped) {
	copied := h.Clone()
	needed.Title = plan.Title
	for i, o := range plan.Operations {
		why, err := copied.idle(o)
		switch {
		case err != nil:
			needed.Operations = append(needed.Operations, plan.Operations[i:]...)
			return h.withoutIdleStarts(needed, skipped)
		case why != "":
			skipped = append(skipped, Skipped{o, why})
		default:
			needed.Operations = append(needed.Operations, o)
		}
	}
	return h.withoutIdleStarts(needed, skipped)
}

// withoutIdleStarts leaves out starts for values of a plan that were all skipped, when nothing else waits for them.
func (h *Host) withoutIdleStarts(needed Plan, skipped []Skipped) (Plan, []Skipped) {
	if len(skipped) == 0 {
		return needed, skipped
	}
	for _, o := range needed.Operations {
		if ports, _ := h.starts(o); len(ports) == 0 || slices.ContainsFunc(ports, h.waitsForStart) {
			return needed, skipped
		}
	}
	for _, o := range needed.Operations {
		skipped = append(skipped, Skipped{o, "no value waits for it"})
	}
	needed.Operations = nil
	return needed, skipped
}

// waitsForStart says whether a key of a port waits for a start other than the one that it is in.
func (h *Host) waitsForStart(port int) bool {
	m := &h.miniports[port]
	return slices.ContainsFunc(h.waitingKeys(port), func(r *registry.Row) bool {
		return m.state != Restarting || !reads(m.start, r)
	})
}

// idle applies an Operation and says why that leaves the host as it is; empty when it does not.
func (h *Host) idle(o Operation) (why string, err error) {
	const same = "it is so already"
	if h.Idle(o) {
		return same, nil
	}
	_, store := o.(StoreValues)
	_, _, _, value := valueOf(o)
	var before []byte
	if !value && !store { // Idle has seen those
		if before, err = h.saveState(); err != nil {
			return "", err
		}
	}
	var already *request.UnchangedError
	if _, err := h.run(Plan{Title: o.Describe(), Operations: []Operation{o}}); errors.As(err, &already) {
		return already.Why, nil
	} else if err != nil || value || store {
		return "", err
	}
	after, err := h.saveState()
	if err == nil && bytes.Equal(before, after) {
		return same, nil
	}
	return "", err
}

// saveState is all that can change of a host but its journal.
func (h *Host) saveState() ([]byte, error) {
	c := *h
	c.journal = nil
	return c.Save()
}
