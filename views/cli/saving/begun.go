package saving

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/fault"
)

// beginChange returns the record of a change that begins; newest is the newest journal entry of the host.
func beginChange(info perf.SourceInfo, plan driver.Plan, newest uint64) store.BegunChange {
	return store.BegunChange{LabHash: info.LabHash, Seed: info.Seed, Newest: newest, Plan: plan}
}

// ReportBegun returns sentences about the outcome of changes that a killed cxdeck had begun, and removes their records. It is
// empty if there are none. Changes of another running cxdeck are left alone.
func ReportBegun(ctx context.Context, db *store.DB, info perf.SourceInfo, host *driver.Host) string {
	changes, err := db.BegunChanges(ctx, info.LabHash, info.Seed)
	if err != nil {
		return fmt.Sprintf("can't check whether a change was interrupted: %v", err)
	}
	var notes []string
	for _, change := range changes {
		err := db.EndChange(ctx, change.ID)
		if errors.Is(err, fault.ErrReadOnly) {
			return ""
		}
		notes = append(notes, outcomeOf(host, change))
		if err != nil {
			notes = append(notes, err.Error())
		}
	}
	return strings.Join(notes, "; ")
}

func outcomeOf(host *driver.Host, change store.BegunChange) string {
	if change.Err != nil {
		return fmt.Sprintf("a change that began on %s was interrupted, and can't be read: %v", wording.Stamp(change.Time), change.Err)
	}
	entry, applied, err := host.ResolveInterrupted(change.Plan, change.Newest, host.Now())
	title := fmt.Sprintf("cxdeck ended in the middle of a change, %q, on %s", change.Plan.Title, wording.Stamp(change.Time))
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %v", title, err)
	case applied:
		return fmt.Sprintf("%s: it was applied completely, as change %d", title, entry.Sequence)
	}
	return title + ": it was not applied, and the host is unchanged"
}
