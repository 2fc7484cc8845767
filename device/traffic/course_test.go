package traffic

import (
	"math"
	"testing"

	"cxdeck/device/description"
)

// TestWavesHaveTheirPeriodAndDepth: from full to full less the depth and back in a period, and noise stays in its bounds
// about that.
func TestWavesHaveTheirPeriodAndDepth(t *testing.T) {
	t.Parallel()
	const period = 400
	for _, depth := range []float64{0, 0.4, 1} {
		for _, phase := range []float64{0, 0.3} {
			f := Course{kind: description.Wave, period: period, depth: depth, phase: phase}
			lowest, highest, sum := math.Inf(1), math.Inf(-1), 0.0
			for step := range int64(period) {
				level := f.Level(&Rhythm{}, nil, step)
				lowest, highest, sum = min(lowest, level), max(highest, level), sum+level
				if again := f.Level(&Rhythm{}, nil, step+3*period); math.Abs(again-level) > 1e-9 {
					t.Fatalf("depth %v: step %d is at %v, and three periods later at %v", depth, step, level, again)
				}
			}
			if math.Abs(highest-1) > 1e-3 || math.Abs(lowest-(1-depth)) > 1e-3 || math.Abs(sum/period-(1-depth/2)) > 1e-3 {
				t.Errorf("depth %v: from %v to %v, %v on average", depth, lowest, highest, sum/period)
			}
			if full := f.Level(&Rhythm{}, nil, int64(math.Round((1-phase)*period))); math.Abs(full-1) > 1e-3 {
				t.Errorf("depth %v, phase %v: at the beginning of a period it is at %v", depth, phase, full)
			}
		}
	}
	noisy, lowest, highest, sum := Course{kind: description.Steady, noise: 0.2}, math.Inf(1), math.Inf(-1), 0.0
	const steps = 20_000
	for step := range int64(steps) {
		level := noisy.Level(&Rhythm{}, nil, step)
		lowest, highest, sum = min(lowest, level), max(highest, level), sum+level
	}
	if lowest < 0.8 || highest > 1.2 || lowest > 0.9 || highest < 1.1 || math.Abs(sum/steps-1) > 0.01 {
		t.Errorf("a fifth of noise goes from %v to %v, %v on average", lowest, highest, sum/steps)
	}
}
