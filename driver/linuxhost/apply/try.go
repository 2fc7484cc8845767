package apply

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cxdeck/driver/linuxhost"
)

// ErrUnconfirmed reports that nobody confirmed a change in time, and that the old values are restored.
var ErrUnconfirmed = errors.New("the change was not confirmed: the old values are restored")

// Trial is a plan that an operator applies.
type Trial struct {
	Plan linuxhost.Plan
	// Now is the time of the journal's entry.
	Now time.Time
	// Undoes is the number of the journal's entry that it undoes, 0 for none.
	Undoes int
	// Journal is the file of the journal.
	Journal string
	// Keep waits for the operator's answer after the plan is applied; nil keeps it at once.
	Keep func() bool
}

// Try applies a plan, restores the old values unless it is kept, and writes the journal. An entry with a number is in the journal, also
// beside an error.
func Try(t Target, trial Trial) (Entry, error) {
	if err := os.MkdirAll(filepath.Dir(trial.Journal), 0o700); err != nil { // before anything is changed
		return Entry{}, err
	}
	entry := Entry{Time: trial.Now.UTC(), Changes: trial.Plan, Outcome: Kept, Undoes: trial.Undoes}
	if backer, can := t.(Backer); can {
		path, err := backer.Backup(filepath.Dir(trial.Journal), trial.Plan)
		if err != nil {
			return Entry{}, fmt.Errorf("nothing was changed, because the backup failed: %w", err)
		}
		entry.Backup = path
	}
	failure := Run(t, trial.Plan)
	switch {
	case failure != nil:
		entry.Outcome, entry.Reason = Failed, failure.Error()
	case trial.Keep != nil && !trial.Keep():
		entry.Outcome, entry.Reason = Reverted, "it was not confirmed"
		if failure = Revert(t, trial.Plan.Inverse()); failure != nil {
			entry.Outcome, entry.Reason = Failed, failure.Error()
		} else {
			failure = ErrUnconfirmed
		}
	}
	entry, err := AppendJournal(trial.Journal, entry)
	return entry, errors.Join(failure, err)
}
