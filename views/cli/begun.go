package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/store"
)

// beginning is a change of a source's host that begins.
func beginning(info perf.SourceInfo, plan driver.Plan, newest uint64) store.BegunChange {
	return store.BegunChange{LabHash: info.LabHash, Seed: info.Seed, Newest: newest, Plan: plan}
}

// tellBegun finds what became of the changes of a host that a cxdeck had begun when it was killed, and says so; it is
// empty when there are none. Those of another cxdeck that runs now are left to it.
func tellBegun(ctx context.Context, db *store.DB, info perf.SourceInfo, host *driver.Host) string {
	changes, err := db.BegunChanges(ctx, info.LabHash, info.Seed)
	if err != nil {
		return fmt.Sprintf("it can't be found out whether a change was cut short: %v", err)
	}
	var told []string
	for _, change := range changes {
		err := db.EndChange(ctx, change.ID)
		if errors.Is(err, store.ErrReadOnly) {
			return ""
		}
		told = append(told, whatBecame(host, change))
		if err != nil {
			told = append(told, err.Error())
		}
	}
	return strings.Join(told, "; ")
}

func whatBecame(host *driver.Host, change store.BegunChange) string {
	if change.Err != nil {
		return fmt.Sprintf("a change that was begun on %s was cut short, and can't be read: %v", stamp(change.Time), change.Err)
	}
	entry, applied, err := host.Begun(change.Plan, change.Newest, host.Now())
	title := fmt.Sprintf("cxdeck ended in the middle of a change, %q, on %s", change.Plan.Title, stamp(change.Time))
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %v", title, err)
	case applied:
		return fmt.Sprintf("%s: the host has all of it, as change %d", title, entry.Sequence)
	}
	return title + ": the host has nothing of it, and is as it was before"
}
