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

// TestOverflowIsTheSumOfItsQueue compares the closed form with the sum over the states of the queue, also next to a load of 1 and
// where the closed form is simplified. A light load loses nothing, and the next larger one does.
func TestOverflowIsTheSumOfItsQueue(t *testing.T) {
	t.Parallel()
	for _, load := range []float64{0.0501, 0.2, 0.5, 0.9, 0.99, 0.9999, 1 - 2e-9, 1, 1 + 2e-9, 1.0001, 1.01, 1.1, 2, 4, 30} {
		for _, bursts := range []float64{1, 2, 3, 8, 25, 26, 60, 250, 2600, 30000} {
			// The probability of the full queue: the last of the terms load^i, divided by their sum.
			sum, term := 0.0, 1.0
			for i := 0.0; i <= bursts && term > 1e-18; i++ {
				sum += term
				term /= load
				if load < 1 {
					term *= load * load
				}
			}
			want := 1 / sum
			if load < 1 {
				want = math.Pow(load, bursts) / sum
			}
			if got := ring.Overflow(load, bursts); math.Abs(got-want) > 1e-7*max(want, 1e-4) {
				t.Errorf("overflow(%v, %v) = %v, want %v", load, bursts, got, want)
			}
		}
	}
	if got := ring.Overflow(ring.LightLoad, 1); got != 0 {
		t.Errorf("a light load loses %v", got)
	}
}
