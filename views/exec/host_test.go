package exec

import (
	"testing"
	"time"
)

// TestSteps holds that time is sampled often enough, and not too often.
func TestSteps(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]time.Duration{
		100 * time.Millisecond: time.Second, time.Minute: time.Second, 10 * time.Minute: time.Second,
		time.Hour: 6 * time.Second, 10 * time.Hour: time.Minute, MaxAdvance: time.Minute,
	} {
		if got := stepOf(d); got != want {
			t.Errorf("%s passes in steps of %s, want %s", d, got, want)
		}
	}
}
