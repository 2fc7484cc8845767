package driver

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Guard is a journal entry that is reverted unless the operator confirms it in time.
type Guard struct {
	Sequence uint64 `json:"sequence"`
	// Title of its plan.
	Title string `json:"title"`
	// Deadline is the time of the revert, by the clock of the machine that runs the console: an operator who lost the
	// connection to the host waits in real time, however fast the lab runs.
	Deadline time.Time `json:"deadline"`
}

// Remaining returns the time left to confirm it, at least 0.
func (g Guard) Remaining(now time.Time) time.Duration { return max(g.Deadline.Sub(now), 0) }

// ErrNothingUnconfirmed is the error of Confirm and Revert when no change waits for a confirmation.
var ErrNothingUnconfirmed = errors.New("no change waits for a confirmation")

// UnconfirmedError is a change that was refused because an earlier one waits for its confirmation.
type UnconfirmedError struct{ Guard Guard }

// Error names it and the remedy.
func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("change %d (%s) waits for its confirmation; confirm or revert it first", e.Guard.Sequence, e.Guard.Title)
}

// ApplyGuarded is Apply for a plan that could cut the operator off: unless it is confirmed before the deadline, the owner of
// the host calls Revert. Nothing else can be changed until then. The host reads no clock, so its owner watches the deadline. A
// plan that can't be undone, such as a restart, needs no confirmation.
func (h *Host) ApplyGuarded(plan Plan, deadline time.Time) (Entry, error) {
	entry, err := h.Apply(plan)
	if err == nil && len(entry.Inverse.Operations) > 0 {
		h.guard = Guard{entry.Sequence, plan.Title, deadline}
	}
	return entry, err
}

// Unconfirmed returns the entry that waits for its confirmation; ok is false when none does.
func (h *Host) Unconfirmed() (guard Guard, ok bool) { return h.guard, h.guard.Sequence != 0 }

// Confirm keeps the unconfirmed change. It returns ErrNothingUnconfirmed when there is none.
func (h *Host) Confirm() error {
	if h.guard.Sequence == 0 {
		return ErrNothingUnconfirmed
	}
	h.guard = Guard{}
	return nil
}

// Revert undoes the unconfirmed change; afterwards no change waits for a confirmation, even if the undo failed.
func (h *Host) Revert() (Entry, error) {
	if h.guard.Sequence == 0 {
		return Entry{}, ErrNothingUnconfirmed
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
