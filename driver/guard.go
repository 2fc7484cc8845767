package driver

import (
	"fmt"
	"slices"
	"time"

	"cxdeck/driver/journal"
)

// ApplyGuarded is Apply for a plan that could cut the operator off: unless it is confirmed before the deadline, the owner of
// the host calls Revert. Nothing else can be changed until then. The host reads no clock, so its owner watches the deadline. A
// plan that can't be undone, such as a restart, needs no confirmation.
func (h *Host) ApplyGuarded(plan Plan, deadline time.Time) (Entry, error) {
	entry, err := h.Apply(plan)
	if err == nil && len(entry.Inverse.Operations) > 0 {
		h.guard = Guard{Sequence: entry.Sequence, Title: plan.Title, Deadline: deadline}
	}
	return entry, err
}

// Unconfirmed returns the entry that waits for its confirmation; ok is false when none does.
func (h *Host) Unconfirmed() (guard Guard, ok bool) { return h.guard, h.guard.Sequence != 0 }

// Confirm keeps the unconfirmed change. It returns ErrNothingUnconfirmed when there is none.
func (h *Host) Confirm() error {
	if h.guard.Sequence == 0 {
		return journal.ErrNothingUnconfirmed
	}
	h.guard = Guard{}
	return nil
}

// Revert undoes the unconfirmed change; afterwards no change waits for a confirmation, even if the undo failed.
func (h *Host) Revert() (Entry, error) {
	if h.guard.Sequence == 0 {
		return Entry{}, journal.ErrNothingUnconfirmed
	}
	sequence := h.guard.Sequence
	h.guard = Guard{}
	return h.UndoEntry(sequence)
}

// restoreGuard takes over the guard of a saved host.
func (h *Host) restoreGuard(guard *Guard) error {
	if guard == nil {
		return nil
	}
	at := slices.IndexFunc(h.journal, func(e Entry) bool { return e.Sequence == guard.Sequence && e.Err == "" })
	if at < 0 {
		return fmt.Errorf("the saved host waits for the confirmation of change %d, which its journal does not have", guard.Sequence)
	}
	if h.journal[at].Unread == "" { // an entry that can't be read can't be undone
		h.guard = *guard
	}
	return nil
}
