package hyperv

import (
	"strings"
	"testing"
)

// TestARiseIsOfWhatWasCounted has what the vectors of the monitor leave out (IOV-14): keys that do not exist, and
// counters that restarted at 0.
func TestARiseIsOfWhatWasCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		most        Thresholds
		before, now Cost
		rise        Cost
		exceeded    bool
	}{
		"no key":              {Thresholds{}, Cost{}, Cost{1e9, 1e9}, Cost{1e9, 1e9}, false},
		"use alone":           {Thresholds{Use: new(uint64(5))}, Cost{1, 1}, Cost{7, 1}, Cost{6, 0}, true},
		"errors alone":        {Thresholds{Errors: new(uint64(5))}, Cost{1, 1}, Cost{1e9, 6}, Cost{1e9 - 1, 5}, false},
		"one of both":         {Thresholds{new(uint64(5)), new(uint64(5))}, Cost{}, Cost{0, 6}, Cost{0, 6}, true},
		"a counter began new": {Thresholds{new(uint64(5)), new(uint64(5))}, Cost{100, 100}, Cost{3, 100}, Cost{}, false},
	} {
		if rise, exceeded := c.most.Rise(c.before, c.now); rise != c.rise || exceeded != c.exceeded {
			t.Errorf("%s: it rose by %+v, and is exceeded: %t", name, rise, exceeded)
		}
	}
}

// TestResourceDumpRefuses refuses what the tool has no number for: 0xfffe and 0xffff mean something else to it.
func TestResourceDumpRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, last int
		counter     CostCounter
		refused     bool
	}{
		{0, 0xfffc, FwCPUUsage, false}, {0, 0xfffd, FwCPUUsage, true}, {0, 0xfffe, Errors2FW, true}, {3, 3, Errors2FW, false},
		{3, 2, FwCPUUsage, true}, {-1, 2, FwCPUUsage, true}, {0, 1, 0, true}, {0, 1, 3, true},
	} {
		command, err := ResourceDump(c.first, c.last, c.counter)
		if (err != nil) != c.refused || c.refused == strings.HasPrefix(command, "mlx5cmd") {
			t.Errorf("%d to %d of counter %d: %q, %v", c.first, c.last, c.counter, command, err)
		}
	}
}
