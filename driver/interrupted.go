package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"cxdeck/driver/journal"
)

// ResolveInterrupted returns the outcome of a plan that a cxdeck began, when after was the newest entry of the journal, and did not finish.
// applied reports that the plan is on the host. Otherwise the host is unchanged, and gets an entry that says so.
func (h *Host) ResolveInterrupted(plan Plan, after uint64, at time.Time) (entry Entry, applied bool, err error) {
	wanted, err := json.Marshal(plan)
	if err != nil {
		return Entry{}, false, fmt.Errorf("the interrupted plan can't be read: %w", err)
	}
	for _, e := range h.journal {
		if e.Sequence <= after {
			continue
		}
		if has, err := json.Marshal(e.Plan); err == nil && bytes.Equal(has, wanted) {
			return e, e.Err == "", nil
		}
	}
	entry = Entry{Sequence: h.journal.Last() + 1, Time: at, Plan: plan, Err: journal.ErrInterrupted.Error()}
	h.journal = append(h.journal, entry)
	return entry, false, nil
}
