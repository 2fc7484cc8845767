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
	// Deadline is when it is reverted, by the clock of the machine that the console runs on: an operator who lost
	// the way to the host waits in real time, however fast the lab runs.
	Deadline time.Time `json:"deadline"`
}

// Remaining returns how much time there is to confirm it; 0 when it is over.
func (g Guard) Remaining(now time.Time) time.Duration { return max(g.Deadline.Sub(now), 0) }

// ErrNothingUnconfirmed is the error of Confirm and Revert when no change waits for a confirmation.
var ErrNothingUnconfirmed = errors.New("no change waits for a confirmation")

// UnconfirmedError is a change that was refused because an earlier one waits for its confirmation.
type UnconfirmedError struct{ Guard Guard }

// Error names it and the remedy.
func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("change %d (%s) waits for its confirmation; confirm or revert it first", e.Guard.Sequence, e.Guard.Title)
}

// ApplyGuarded is Apply for a plan that could cut the operator off: it must be confirmed before a time, or is reverted
// with Revert. Nothing else can be changed until then. The host does not know that time: whoever owns it watches the
// clock. A plan that can't be undone, such as a restart, needs no confirmation.
func (h *Host) ApplyGuarded(plan Plan, deadline time.Time) (Entry, error) {
	entry, err := h.Apply(plan)
	if err == nil && len(entry.Inverse.Operations) > 0 {
		h.guard = Guard{entry.Sequence, plan.Title, deadline}
	}
	return entry, err
}

// Unconfirmed returns the entry that waits for its confirmation; ok is false when none does.
func (h *Host) Unconfirmed() (guard Guard, ok bool) { return h.guard, h.guard.Sequence != 0 }

// Confirm keeps what waits for its confirmation. It gives ErrNothingUnconfirmed when nothing does.
func (h *Host) Confirm() error {
	if h.guard.Sequence == 0 {
		return ErrNothingUnconfirmed
	}
	h.guard = Guard{}
	return nil
}

// Revert undoes the change that waits for its confirmation; afterwards it no longer waits, even if the undo failed.
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
