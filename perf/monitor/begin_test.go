package monitor_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"cxdeck/driver"
	"cxdeck/perf/monitor"
)

// What is about to be changed is noted before, and the note is taken off after the host was handed over to be saved.
func TestAChangeIsNotedBeforeItBegins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string // the calls follow each other
		monitor := watching(t, newHost(t), monitor.Options{
			Keep: func(host *driver.Host) { log = append(log, fmt.Sprintf("keep %d", host.Changes())) },
			Begin: func(_ context.Context, plan driver.Plan, after uint64) func() {
				log = append(log, fmt.Sprintf("begin %q after %d", plan.Title, after))
				return func() { log = append(log, "end") }
			},
		})
		if _, err := monitor.Apply(t.Context(), jumbo); err != nil {
			t.Fatal(err)
		}
		if _, err := monitor.ApplyMade(t.Context(), func(*driver.Host) (driver.Plan, error) { return jumbo, nil }); err == nil {
			t.Error("a restart while it starts")
		}
		if _, err := monitor.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := monitor.TakeBack(t.Context(), 99); err == nil {
			t.Error("a change that is not there was taken back")
		}
		want := []string{
			`begin "Jumbo" after 0`, "keep 1", "end", `begin "Jumbo" after 1`, "end", `begin "Undo: Jumbo" after 2`, "keep 3", "end",
		}
		if !slices.Equal(log, want) {
			t.Errorf("%q", log)
		}
	})
}
