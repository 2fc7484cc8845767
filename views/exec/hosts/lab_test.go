package hosts

import (
	"testing"
	"time"

	"cxdeck/views/exec"
)

// TestSteps checks the length of the steps, each with a sample: at least minStep, and at most maxSteps of them.
func TestSteps(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]time.Duration{
		100 * time.Millisecond: time.Second, time.Minute: time.Second, 10 * time.Minute: time.Second,
		time.Hour: 6 * time.Second, 10 * time.Hour: time.Minute, exec.MaxAdvance: time.Minute,
	} {
		if got := stepOf(d); got != want {
			t.Errorf("%s passes in steps of %s, want %s", d, got, want)
		}
	}
}
