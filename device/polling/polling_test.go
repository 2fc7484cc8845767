package polling_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"cxdeck/device/polling"
)

func TestAverageStaysBetweenItselfAndThePass(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		s := polling.DefaultSettings()
		s.AverageFactor = float64(r.IntN(257))
		average, packets := 200*r.Float64(), r.IntN(300)
		next, _ := s.Pass(average, packets)
		const rounding = 1e-9
		low, high := min(average, float64(packets)), max(average, float64(packets))
		if next < low-rounding || next > high+rounding {
			t.Fatalf("factor %v: %v and %d give %v", s.AverageFactor, average, packets, next)
		}
	}
}

func TestFactorIsTheWeightOfThePass(t *testing.T) {
	t.Parallel()
	for factor, want := range map[float64]float64{0: 40, 64: 30, 256: 0} {
		s := polling.DefaultSettings()
		s.AverageFactor = factor
		if got, _ := s.Pass(40, 0); math.Abs(got-want) > 1e-9 {
			t.Errorf("factor %v: %v, want %v", factor, got, want)
		}
	}
}

func TestSteadyTrafficStopsOnlyBelowTheAverageThreshold(t *testing.T) {
	t.Parallel()
	s := polling.DefaultSettings()
	for packets, want := range map[int]bool{9: false, 11: true} {
		average, again := 20.0, true
		for n := 0; n < 2000 && again; n++ {
			average, again = s.Pass(average, packets)
		}
		if again != want {
			t.Errorf("%d packets a pass: polling goes on is %v", packets, again)
		}
	}
}

func TestThresholdsAreNotPassedByMeetingThem(t *testing.T) {
	t.Parallel()
	s := polling.DefaultSettings()
	if _, again := s.Pass(0, s.PassThreshold); again {
		t.Error("a pass of the threshold itself goes on")
	}
	if _, again := s.Pass(10, 10); again {
		t.Error("an average of the threshold itself goes on")
	}
	if s.Idle(s.IdleCycles) || !s.Idle(s.IdleCycles-1) {
		t.Error("idle polling ends elsewhere")
	}
}

func TestPollingAlwaysNeverStops(t *testing.T) {
	t.Parallel()
	s := polling.DefaultSettings()
	s.Always = true
	if _, again := s.Pass(0, 1); !again || !s.Idle(1<<40) {
		t.Error("it stopped")
	}
}

func BenchmarkPass(b *testing.B) {
	b.ReportAllocs()
	s, average := polling.DefaultSettings(), 0.0
	for i := range b.N {
		average, _ = s.Pass(average, i&127)
	}
}
