package driver

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
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
		return Entry{}, journal.ErrNothingToUndo
	}
	return h.UndoEntry(e.Sequence)
}

// UndoEntry undoes one applied entry, which need not be the newest. It fails when the entry is undone already, has no inverse,
// or can't be undone in the current state. A *ConflictError lists later entries that changed the same objects: UndoEntry does
// not overwrite their changes.
func (h *Host) UndoEntry(sequence uint64) (Entry, error) {
	found, err := h.journal.Find(sequence, h.touches)
	if err != nil {
		return Entry{}, err
	}
	return h.apply(found.Inverse, sequence)
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
				if _, err := copied.journal.Find(next, copied.touches); errors.As(err, &conflict) {
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
func (h *Host) Changes() uint64 { return h.journal.Last() }

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
