package catalog

import (
	"errors"
	"sync"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
)

// TestConcurrentUse uses one host from several goroutines, like the processes that an exec serves, and resets it meanwhile.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	var running sync.WaitGroup
	for _, connection := range []string{"Ethernet 5", "Ethernet 7"} {
		running.Go(func() {
			plan := driver.Plan{Title: "Pull", Operations: []driver.Operation{hardware.PullCable{Connection: connection}}}
			for range 3 {
				if _, err := b.host.Apply(t.Context(), plan); err != nil {
					t.Error(err)
				}
				if err := b.host.Reset(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := b.host.Undo(t.Context()); err != nil && !errors.Is(err, journal.ErrNothingToUndo) {
					t.Error(err)
				}
			}
		})
	}
	running.Go(func() {
		for range 3 {
			series := []int{len(b.host.Schema().Series) - 1}
			if _, err := b.host.Measure(t.Context(), series, time.Second, make([]float64, 1)); err != nil {
				t.Error(err)
			}
		}
	})
	running.Wait()
}
