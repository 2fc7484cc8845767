package dcqcn

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMinimumIntervalOfNotifications: CNPs of a flow are never closer than the interval, and no mark waits longer for one.
func TestMinimumIntervalOfNotifications(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var point Notifier
	last, waiting := int64(-Interval), int64(-1)
	sent := func(at int64) {
		if at-last < Interval {
			t.Fatalf("CNPs at %d and %d us", last, at)
		}
		if waiting >= 0 && at-waiting > Interval {
			t.Fatalf("the mark at %d us waited until %d", waiting, at)
		}
		last, waiting = at, -1
	}
	for now := int64(0); now < 200_000; now += int64(r.IntN(1 + r.IntN(120))) {
		if at, due := point.Due(now, Interval); due {
			sent(at)
		}
		if waiting < 0 {
			waiting = now
		}
		if point.Marked(now, Interval) > 0 {
			sent(now)
		}
	}
	if last < 199_000 {
		t.Errorf("the last CNP left at %d us", last)
	}
}

// TestMarkedSendsDelayedNotification: who never asks for the CNPs that were put off still gets their number.
func TestMarkedSendsDelayedNotification(t *testing.T) {
	t.Parallel()
	var point Notifier
	for _, c := range []struct {
		now  int64
		sent int
	}{{7, 1}, {8, 0}, {30, 0}, {60, 1}, {106, 0}, {156, 1}, {400, 2}} {
		if got := point.Marked(c.now, Interval); got != c.sent {
			t.Errorf("at %d us: %d CNPs", c.now, got)
		}
	}
}

func TestMarkingGrows(t *testing.T) {
	t.Parallel()
	m, last := DefaultMarking(), 0.0
	for queue := 0.0; queue < 300_000; queue += 500 {
		share := m.Share(queue)
		if share < last || share > 1 || queue <= m.Min && share != 0 || queue > m.Max && share != 1 {
			t.Fatalf("%v bytes: %v", queue, share)
		}
		last = share
	}
	if got := (Marking{Min: 10, Max: 10, Probability: 0.5}).Share(11); got != 1 {
		t.Errorf("without a slope: %v", got)
	}
}

// TestMeanOfMarking compares the mean over a growing queue with the mean of many lengths.
func TestMeanOfMarking(t *testing.T) {
	t.Parallel()
	for _, m := range []Marking{DefaultMarking(), {Min: 0, Max: 100_000, Probability: 1}, {Min: 50_000, Max: 50_000, Probability: 0.5}} {
		for _, span := range [][2]float64{{0, 0}, {0, 4_000}, {0, 150_000}, {180_000, 260_000}, {300_000, 10_000}, {60_000, 60_000}} {
			const parts = 100_000
			want := 0.0
			for i := range parts {
				want += m.Share(span[0]+(span[1]-span[0])*(float64(i)+0.5)/parts) / parts
			}
			if got := m.Mean(span[0], span[1]); math.Abs(got-want) > 1e-4 {
				t.Errorf("%+v from %.0f to %.0f: %.6f, want %.6f", m, span[0], span[1], got, want)
			}
		}
	}
}
