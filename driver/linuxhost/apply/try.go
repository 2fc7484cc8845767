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
	// Keep waits for the operator's answer after the plan is applied, at most for the time Within; nil keeps it at once.
	Keep   func() bool
	Within time.Duration
	// Guard starts the process that restores the old values if this one is killed; nil for none.
	Guard func(GuardRequest) (*Guard, error)
}

// Try applies a plan, restores the old values unless it is kept, and writes the journal: before the first setting changes, and again with
// the outcome. An entry with a number is in the journal, also beside an error.
func Try(t Target, trial Trial) (Entry, error) {
	if err := os.MkdirAll(filepath.Dir(trial.Journal), 0o700); err != nil { // before anything is changed
		return Entry{}, err
	}
	entry := Entry{Time: trial.Now.UTC(), Changes: trial.Plan, Outcome: Waiting, Undoes: trial.Undoes}
	if backer, can := t.(Backer); can {
		path, err := backer.Backup(filepath.Dir(trial.Journal), trial.Plan)
		if err != nil {
			return Entry{}, fmt.Errorf("nothing was changed, because the backup failed: %w", err)
		}
		entry.Backup = path
	}
	entry, err := AppendJournal(trial.Journal, entry)
	if err != nil {
		return entry, err
	}
	var guard *Guard
	if trial.Guard != nil {
		guard, err = trial.Guard(GuardRequest{Journal: trial.Journal, Entry: entry, Within: trial.Within})
		if err != nil {
			err = fmt.Errorf("nothing was changed: the process that would restore the values if this one is killed did not start: %w", err)
			entry.Outcome, entry.Reason = Failed, err.Error()
			return entry, errors.Join(err, AmendJournal(trial.Journal, entry))
		}
	}
	defer guard.release()
	failure := Run(t, trial.Plan)
	entry.Outcome = Kept
	switch {
	case failure != nil:
		entry.Outcome, entry.Reason = Failed, failure.Error()
	case trial.Keep != nil:
		guard.wait()
		keep := trial.Keep()
		if owned, err := guard.claim(); !owned {
			if err == nil {
				err = ErrUnconfirmed
			}
			return reread(trial.Journal, entry, err)
		}
		if keep {
			break
		}
		entry.Outcome, entry.Reason = Reverted, "it was not confirmed"
		if failure = Revert(t, trial.Plan.Inverse()); failure != nil {
			entry.Outcome, entry.Reason = Failed, failure.Error()
		} else {
			failure = ErrUnconfirmed
		}
	}
	return entry, errors.Join(failure, AmendJournal(trial.Journal, entry))
}

// reread returns an entry as the guard has written it.
func reread(journal string, entry Entry, failure error) (Entry, error) {
	entries, _, err := ReadJournal(journal)
	for _, e := range entries {
		if e.Number == entry.Number {
			entry = e
		}
	}
	return entry, errors.Join(failure, err)
}
