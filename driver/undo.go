package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/subnet"
	"cxdeck/driver/teams"
)

// Undo undoes the newest applied entry that is not undone yet. It skips entries without an inverse, such as a restart, and returns
// ErrNothingToUndo when there is none.
func (h *Host) Undo() (Entry, error) {
	e, ok := h.Undoable()
	if !ok {
		return Entry{}, ErrNothingToUndo
	}
	return h.UndoEntry(e.Sequence)
}

// UndoEntry undoes one applied entry, which need not be the newest. It fails when the entry is undone already, has no inverse,
// or can't be undone in the current state. A *ConflictError lists later entries that changed the same objects: UndoEntry does
// not overwrite their changes.
func (h *Host) UndoEntry(sequence uint64) (Entry, error) {
	found, err := h.undoable(sequence)
	if err != nil {
		return Entry{}, err
	}
	return h.apply(found.Inverse, sequence)
}

// undoable returns the entry that UndoEntry undoes, or why it can't be undone.
func (h *Host) undoable(sequence uint64) (Entry, error) {
	var found *Entry
	undone := map[uint64]bool{}
	for i := range h.journal {
		e := &h.journal[i]
		if e.Err != "" {
			continue
		}
		if e.Undoes != 0 {
			undone[e.Undoes] = true
		}
		if e.Sequence == sequence && e.Undoes == 0 && len(e.Inverse.Operations) > 0 {
			found = e
		}
	}
	switch {
	case sequence != 0 && undone[sequence]:
		return Entry{}, fmt.Errorf("change %d is undone already", sequence)
	case found == nil:
		return Entry{}, h.whyNotUndoable(sequence)
	}
	if conflicts := h.conflicts(found, undone); len(conflicts) > 0 {
		return *found, &ConflictError{found.Sequence, found.Plan.Title, conflicts}
	}
	return *found, nil
}

// whyNotUndoable returns why the entry with a number has nothing to undo.
func (h *Host) whyNotUndoable(sequence uint64) error {
	for i := range h.journal {
		e := &h.journal[i]
		switch {
		case e.Sequence != sequence:
			continue
		case e.Unread != "":
			return fmt.Errorf("change %d can't be undone, because it can't be read: %s", sequence, e.Unread)
		case e.Err != "":
			return fmt.Errorf("change %d failed and changed nothing: there is nothing to undo", sequence)
		case e.Undoes != 0:
			return fmt.Errorf("change %d undid change %d: make change %d again", sequence, e.Undoes, e.Undoes)
		}
		return fmt.Errorf("change %d can't be undone: %s", sequence, e.Plan.Title)
	}
	return fmt.Errorf("there is no change %d to undo", sequence)
}

// UndoOrder returns the entries to undo, in order, so that the given entries are undone, the newest of which comes first: the later
// entries that changed the same objects, the newest first, and the entries themselves. Its error is why one of them can't be undone.
func (h *Host) UndoOrder(sequences ...uint64) (order []uint64, err error) {
	copied := h.Clone()
	for _, sequence := range sequences {
		for !slices.Contains(order, sequence) {
			next := sequence
			for {
				var conflict *ConflictError
				if _, err := copied.undoable(next); errors.As(err, &conflict) {
					next = conflict.Conflicts[len(conflict.Conflicts)-1].Sequence
					continue
				}
				break
			}
			if _, err := copied.UndoEntry(next); err != nil {
				return nil, err
			}
			order = append(order, next)
		}
	}
	return order, nil
}

// Inverse returns the plan that undoes an entry; empty if there is none.
func (h *Host) Inverse(sequence uint64) Plan {
	for i := range h.journal {
		if e := &h.journal[i]; e.Sequence == sequence && e.Err == "" && e.Undoes == 0 {
			return e.Inverse
		}
	}
	return Plan{}
}

// Changes returns the sequence of the newest entry of the journal: while it stays the same, the host has not been changed.
func (h *Host) Changes() uint64 { return h.lastEntry() }

// ConflictError is an entry that can't be undone, because later entries changed the same objects.
type ConflictError struct {
	// Sequence and Title identify the entry.
	Sequence  uint64
	Title     string
	Conflicts []Conflict
}

// Conflict is a later entry that changed the same objects as the entry to undo.
type Conflict struct {
	Sequence uint64
	Title    string
	// What lists the objects that both changed: "*JumboPacket of Ethernet 7".
	What []string
}

// Error lists the conflicts, and says how to resolve them.
func (e *ConflictError) Error() string {
	list := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		list[i] = fmt.Sprintf("%d (%s) changed %s", c.Sequence, c.Title, strings.Join(c.What, ", "))
	}
	return fmt.Sprintf("change %d can't be undone because later changes depend on it; undo them first: change %s",
		e.Sequence, strings.Join(list, "; change "))
}

// conflicts returns the later entries that changed the same objects and are not undone themselves, oldest first.
func (h *Host) conflicts(entry *Entry, undone map[uint64]bool) (list []Conflict) {
	mine := map[string]bool{}
	for _, what := range h.changedObjects(entry.Plan) {
		mine[strings.ToLower(what)] = true // Windows ignores case in names
	}
	for i := range h.journal {
		e := &h.journal[i]
		if e.Sequence <= entry.Sequence || e.Err != "" || e.Undoes != 0 || undone[e.Sequence] {
			continue
		}
		var both []string
		for _, what := range h.changedObjects(e.Plan) {
			if mine[strings.ToLower(what)] {
				both = append(both, what)
			}
		}
		if both != nil {
			list = append(list, Conflict{e.Sequence, e.Plan.Title, both})
		}
	}
	return list
}

// changedObjects returns the names of the objects that a plan changes permanently, each once.
func (h *Host) changedObjects(plan Plan) (list []string) {
	seen := map[string]bool{}
	for _, o := range plan.Operations {
		for _, what := range h.touches(o) {
			if !seen[what] {
				seen[what], list = true, append(list, what)
			}
		}
	}
	return list
}

func (h *Host) touches(o Operation) []string {
	switch o := o.(type) {
	case teams.Operation:
		return h.teamSet().Touches(o)
	case qos.Operation:
		return qos.Touches(o)
	case edit.Operation:
		return edit.Touches(h.edits(), o)
	case hardware.PullCable, hardware.PlugCable:
		return []string{"the cable of " + o.Target()}
	case adapters.EnableAdapter, adapters.DisableAdapter:
		return []string{"whether " + o.Target() + " is enabled"}
	case adapters.RestartAdapter, adapters.ReloadDriver, adapters.Reboot, hardware.ResetStatistics, subnet.ClearCounters:
		return nil
	case hardware.SetFault:
		return []string{fmt.Sprintf("%s of %s", o.Fault, o.Connection)}
	case adapters.MarkManagement:
		return []string{"the connection of your session"}
	case interface{ Touches() []string }:
		return o.Touches()
	}
	return []string{o.Kind() + " of " + o.Target()}
}
