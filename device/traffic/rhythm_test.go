package traffic_test

import (
	"math"
	"testing"

	"cxdeck/device/traffic"
)

// TestHowATCPSenderAnswersLosses has the loss from which on a sender holds back, and that from which on it only tries, to
// the frame.
func TestHowATCPSenderAnswersLosses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		window        float64
		arrived, lost uint64
		want          float64
	}{
		{"nothing lost", 0.5, 1000, 0, 0.508},
		{"one in a thousand", 0.5, 1000, 1, 0.508},
		{"more than one in a thousand", 0.5, 999, 1, 0.46},
		{"two in two thousand", 0.5, 2000, 2, 0.508},
		{"no more than all", 1, 1000, 0, 1},
		{"nearly all", 0.995, 1000, 0, 1},
		{"no less than its least", 0.31, 1000, 100, 0.3},
		{"below its least already", 0.1, 1000, 100, 0.1},
		{"half", 0.5, 10, 5, 0.46},
		{"more than half", 0.25, 10, 6, 0.23},
		{"more than half, at the end", 0.021, 10, 10, 0.02},
		{"nothing sent", 0.5, 0, 0, 0.508},
	} {
		r := traffic.Rhythm{Window: c.window}
		if r.Answer(c.arrived, c.lost, 1); math.Abs(r.Window-c.want) > 1e-12 {
			t.Errorf("%s: a window of %g becomes %g, want %g", c.name, c.window, r.Window, c.want)
		}
	}
}
