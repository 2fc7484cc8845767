package pause

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quanta     int
		rate, want float64
	}{{MaxQuanta, 10e9, 3355.392}, {MaxQuanta, 40e9, 838.848}, {1, 25e9, 0.02048}, {0, 40e9, 0}} {
		if got := Duration(c.quanta, c.rate); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%d quanta at %.0f b/s are %f us", c.quanta, c.rate, got)
		}
	}
}

// TestHeldTime: whatever frames come, a priority is held for no longer than time goes by, and pieces add up.
func TestHeldTime(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var c Clock
	now := 0.0
	for range 20000 {
		if r.IntN(3) == 0 {
			mode := Mode(r.IntN(3))
			c.Receive(Frame{mode, uint8(r.IntN(256))}, now, Duration(r.IntN(2)*r.IntN(MaxQuanta), 40e9))
		}
		next := now + r.Float64()*500
		middle := now + r.Float64()*(next-now)
		for priority := range uint8(Priorities) {
			held := c.Held(priority, now, next)
			if held < 0 || held > next-now {
				t.Fatalf("held for %f of %f us", held, next-now)
			}
			if pieces := c.Held(priority, now, middle) + c.Held(priority, middle, next); math.Abs(pieces-held) > 1e-6 {
				t.Fatalf("held for %f us in one piece and %f in two", held, pieces)
			}
		}
		now = next
	}
}

func TestFramesHoldWhatTheyName(t *testing.T) {
	t.Parallel()
	var c Clock
	c.Receive(Frame{PerPriority, 1<<3 | 1<<5}, 100, 50)
	c.Receive(Frame{}, 100, 900)
	for priority := range uint8(Priorities) {
		want := 0.0
		if priority == 3 || priority == 5 {
			want = 50
		}
		if got := c.Held(priority, 100, 1000); got != want {
			t.Errorf("priority %d is held for %f us", priority, got)
		}
	}
	c.Receive(Frame{Mode: Global}, 100, 10)
	if c.Held(0, 100, 1000) != 10 || c.Held(3, 100, 1000) != 10 {
		t.Error("global pause does not hold every priority for its own time")
	}
	c.Receive(Frame{Mode: Global}, 105, 0)
	if c.Held(3, 105, 1000) != 0 {
		t.Error("a pause of 0 does not let go")
	}
}

func TestBetweenTheMarks(t *testing.T) {
	t.Parallel()
	full := uint8(0)
	for i, c := range []struct {
		level float64
		want  uint8
	}{{0.79, 0}, {0.8, 8}, {0.6, 8}, {0.51, 8}, {0.5, 0}, {0.79, 0}, {1, 8}, {0, 0}} {
		levels := [Priorities]float64{3: c.level}
		if full = Full(&levels, full); full != c.want {
			t.Errorf("row %d: at %.2f the full priorities are %08b", i, c.level, full)
		}
	}
}

func TestFrames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode           Mode
		lossless, full uint8
		want           Frame
	}{
		{Off, 0xff, 0xff, Frame{}},
		{Global, 0, 1, Frame{Mode: Global}},
		{Global, 0xff, 0, Frame{}},
		{PerPriority, 0b101000, 0b1010, Frame{PerPriority, 0b1000}},
		{PerPriority, 0b1000, 0b10, Frame{}},
	} {
		if got := Xoff(c.mode, c.lossless, c.full); got != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestKeysAndStalls(t *testing.T) {
	t.Parallel()
	for bits := range 16 {
		k := Keys{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0}
		if wrong := k.Check() != nil; wrong != (bits&5 == 5 || bits&10 == 10) {
			t.Errorf("%+v: wrong is %v", k, wrong)
		}
	}
	for _, c := range []struct {
		mode         Mode
		pfc, stalled uint8
		beyond       bool
		want         uint8
	}{
		{PerPriority, 0b101000, 0b100000, true, 0b101000}, {PerPriority, 0b101000, 0b100000, false, 0},
		{PerPriority, 0b101000, 0, true, 0}, {Global, 0, 1, true, 0xff}, {Off, 0xff, 1, true, 0},
	} {
		if got := Stall(c.mode, c.pfc, c.stalled, c.beyond); got != c.want {
			t.Errorf("%+v: %08b", c, got)
		}
	}
}
