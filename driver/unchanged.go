package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
)

// Skipped is an Operation of a plan that would leave the host unchanged. Why is a phrase: "its cable is unplugged already".
type Skipped struct {
	Operation Operation
	Why       string
}

// Needed splits a plan into the Operations that change the host and the skipped ones, which would leave it unchanged.
// It applies them in order to a copy of the host; an Operation that fails stays in the plan, with all that follow it.
func (h *Host) Needed(plan Plan) (needed Plan, skipped []Skipped) {
	copied := h.Clone()
	needed.Title = plan.Title
	for i, o := range plan.Operations {
		why, err := copied.idleReason(o)
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

// withoutIdleStarts skips the remaining restarts when every value of the plan was skipped and no other value waits for
// a restart.
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

// waitsForStart reports whether a key of a port waits for a restart that is not in progress.
func (h *Host) waitsForStart(port int) bool {
	m := &h.miniports[port]
	return slices.ContainsFunc(h.waitingKeys(port), func(r *registry.Row) bool {
		return m.state != Restarting || !reads(m.start, r)
	})
}

// idleReason applies an Operation and returns the reason why the host stays unchanged; empty when it changes.
func (h *Host) idleReason(o Operation) (why string, err error) {
	const same = "this is already the case"
	if h.Idle(o) {
		return same, nil
	}
	var before *Host
	if _, edits := o.(edit.Operation); !edits {
		before = h.Clone()
	}
	var already *request.UnchangedError
	if _, err := h.run(Plan{Title: o.Describe(), Operations: []Operation{o}}); errors.As(err, &already) {
		return already.Why, nil
	} else if err != nil || before == nil || !h.equalsBefore(before) {
		return "", err
	}
	return same, nil
}

// equalsBefore reports whether a host equals its state before an Operation, except for the journal. The event log is compared
// first, because most Operations write an event.
func (h *Host) equalsBefore(before *Host) bool {
	if h.events.Last() != before.events.Last() || !h.lab.Same(before.lab) {
		return false
	}
	old, err := json.Marshal(before.saveSoftware())
	now, fault := json.Marshal(h.saveSoftware())
	return err == nil && fault == nil && bytes.Equal(old, now)
}
