package driver

import (
	"errors"
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/flash"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// Apply applies a plan completely or not at all, and writes it to the journal in both cases. When an Operation fails, all
// earlier ones are rolled back, the host is as before, and an *OperationError says which one failed and why. A plan
// that the journal can't keep is refused without an entry, see Admit.
func (h *Host) Apply(plan Plan) (Entry, error) { return h.apply(plan, 0) }

// Undoable returns the entry that Undo would undo.
func (h *Host) Undoable() (Entry, bool) { return h.journal.Undoable() }

// Check returns why a plan can't be applied now; nil when it can. It tries the plan on a copy.
func (h *Host) Check(plan Plan) error {
	if h.guard.Sequence != 0 {
		return &journal.UnconfirmedError{Guard: h.guard}
	}
	_, err := h.Clone().run(plan)
	return err
}

func (h *Host) apply(plan Plan, undoes uint64) (Entry, error) {
	if h.guard.Sequence != 0 {
		return Entry{}, &journal.UnconfirmedError{Guard: h.guard}
	}
	before := h.Clone()
	entry := Entry{
		Sequence: h.journal.Last() + 1, Time: h.Now(), Plan: plan, Undoes: undoes, By: h.actor.By, Run: h.actor.Run,
	}
	inverse, err := h.runRecording(plan, undoes != 0, &entry)
	if err == nil {
		entry.Values, err = edit.ReadBack(h.edits(), editsOf(plan))
	}
	if err == nil {
		entry.Inverse = Plan{Title: "Undo: " + plan.Title, Operations: inverse}
		if len(inverse) == 0 {
			entry.Inverse.Title = "Nothing to undo"
		}
		if problem := entry.Check(); problem != nil {
			err = journal.CannotKeep(plan, problem)
		}
	}
	if err != nil {
		tried := h.journal
		*h = *before
		h.journal = tried
		entry.Inverse, entry.Values, entry.Err = Plan{}, nil, journal.Shorten(err.Error())
		if entry.Check() != nil {
			return Entry{}, err
		}
	}
	h.journal = append(h.journal, entry)
	return entry, err
}

// run applies the Operations of a plan in order and returns their inverses.
func (h *Host) run(plan Plan) (inverse []Operation, err error) {
	return h.runRecording(plan, false, nil)
}

// runRecording is run that also records the commands of each Operation in an entry. A plan that undoes another one need not
// restart a driver that is off or still starting: the driver reads the registry when it starts.
func (h *Host) runRecording(plan Plan, back bool, entry *Entry) (inverse []Operation, err error) {
	if len(plan.Operations) == 0 {
		return nil, errors.New("the plan is empty")
	}
	h.planning = true
	defer func() {
		h.planning, h.owned = false, false
		if h.guestsDirty {
			h.guestsDirty = false
			h.updateGuests()
		}
	}()
	for i, o := range plan.Operations {
		if entry != nil {
			entry.RecordCommands(i, h.Commands(o))
		}
		if back && h.restartsInactive(o) {
			continue
		}
		undo, err := h.inverse(o)
		if err == nil {
			err = h.change(o)
		}
		if err != nil {
			for rest := i + 1; entry != nil && rest < len(plan.Operations); rest++ {
				entry.RecordCommands(rest, h.Commands(plan.Operations[rest]))
			}
			return nil, &OperationError{Index: i, Operation: o, Err: err}
		}
		if undo != nil {
			inverse = append(inverse, undo)
		}
	}
	slices.Reverse(inverse)
	return append(inverse, restarts(plan)...), nil
}

// restartsInactive reports whether an Operation restarts only drivers that are off, or that are in a start of the same kind. A
// host that is starting has read its firmware and BIOS already.
func (h *Host) restartsInactive(o Operation) bool {
	ports, moment := h.starts(o)
	if moment == registry.AtReboot && (h.virtual.NeedsBoot() || h.flashSet().AnyNeedsReset() || h.packages.Pending()) {
		return false
	}
	for _, port := range ports {
		m := &h.miniports[port]
		starting := m.state == Restarting && (moment == registry.AtRestart || m.start == moment)
		if m.state != Stopped && !starting {
			return false
		}
	}
	return len(ports) > 0
}

// restarts returns the restarts of a plan after which changes of the registry, the firmware or the BIOS took effect: an undo
// ends with the same restarts.
func restarts(plan Plan) (again []Operation) {
	changed := false
	for _, o := range plan.Operations {
		switch o := o.(type) {
		case edit.Operation, virtualization.SetFirmware, virtualization.SetBIOS, virtualization.SetRole, flash.Burn:
			changed = true
		case adapters.RestartAdapter, adapters.ReloadDriver, adapters.Reboot, adapters.ResetCard:
			if changed && !slices.Contains(again, o) {
				again = append(again, o)
			}
		}
	}
	return again
}
