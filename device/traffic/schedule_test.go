package traffic

import (
	"math"
	"testing"
)

// TestBurstsAreEven: a burst is off outside of its span, full in the middle, and comes and goes in equal parts of
// the ramp.
func TestBurstsAreEven(t *testing.T) {
	t.Parallel()
	for _, length := range []int64{1, ramp, 2 * ramp, 5 * ramp} {
		s := Schedule{ScheduleState: ScheduleState{From: 1000, Until: 1000 + length}}
		highest := 0.0
		for step := s.From - 3; step < s.Until+3; step++ {
			level, before, mirrored := s.Level(step), s.Level(step-1), s.Level(s.From+s.Until-1-step)
			if math.Abs(level-before) > 1.0/ramp+1e-9 || level != mirrored || level < 0 || level > 1 || (level > 0) != (step >= s.From && step < s.Until) {
				t.Fatalf("%d steps long: step %d is at %v after %v, and at %v from the other end", length, step-s.From, level, before, mirrored)
			}
			highest = max(highest, level)
		}
		if want := min(1, float64((length+1)/2)/ramp); math.Abs(highest-want) > 1e-9 {
			t.Errorf("%d steps long: it comes to %v, want %v", length, highest, want)
		}
	}
}
