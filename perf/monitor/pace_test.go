package monitor

import (
	"testing"
	"time"
)

// TestALiveMachineStaysOnItsGrid: however late a machine is read, the next reading is due at the next full interval, at most
// one interval from now.
func TestALiveMachineStaysOnItsGrid(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const interval = time.Second
	for late := time.Duration(0); late < 4*interval; late += interval / 4 {
		p := pace{live: true, speed: 1}
		p.set(settings{interval: interval, speed: 1}, start)
		p.begin(start)
		p.end(interval, 0)
		now := start.Add(interval + late)
		if expected := p.begin(now); expected != interval {
			t.Errorf("%s late: the expected time is %s", late, expected)
		}
		p.end(interval, 0)
		if wait := p.due.Sub(now); wait <= 0 || wait > interval || p.due.Sub(start)%interval != 0 {
			t.Errorf("%s late: the next is due in %s, %s after the start", late, wait, p.due.Sub(start))
		}
	}
}
