package journal

import (
	"errors"
	"fmt"
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
