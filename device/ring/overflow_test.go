package ring_test

import (
	"math"
	"testing"

	"cxdeck/device/ring"
)

// TestOverflowOfAQueue holds the figures of the M/M/1/K queue, and that deeper queues lose less.
func TestOverflowOfAQueue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ load, bursts, lost float64 }{
		{0.5, 4, 0.032258065}, {1, 4, 0.2}, {2, 1, 2. / 3}, {2, 1000, 0.5}, {0.01, 4, 0}, {0.5, 1000, 0}, {4, 1000, 0.75},
	} {
		if got := ring.Overflow(c.load, c.bursts); math.Abs(got-c.lost) > 1e-6 {
			t.Errorf("overflow(%v, %v) = %v, want %v", c.load, c.bursts, got, c.lost)
		}
	}
	for load := 0.1; load < 5; load += 0.01 {
		for bursts := 2.0; bursts < 4096; bursts *= 2 {
			if shallow, deep := ring.Overflow(load, bursts/2), ring.Overflow(load, bursts); deep > shallow+1e-9 || deep < 0 || deep >= 1 {
				t.Fatalf("load %v: %v bursts lose %v, half as many %v", load, bursts, deep, shallow)
			}
		}
	}
}
