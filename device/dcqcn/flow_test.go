package dcqcn

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// random are parameters in their ranges, mostly small where a period would otherwise outlast the test.
func random(r *rand.Rand, line uint32) Parameters {
	all := Defaults()
	for _, p := range All() {
		if r.IntN(2) == 0 {
			continue
		}
		limits := p.Range()
		most := limits.Max
		if limits.LineRate {
			most = line - 1 // a least rate of the line rate would turn control off
		}
		if limits.Unit == "us" {
			most = 300
		}
		all[p] = limits.Min + r.Uint32N(most-limits.Min+1)
	}
	return all
}

// TestFlowKeepsItsLimits: whatever arrives, a rate is never above the line rate nor below the least, a cut only lowers
// it and an increase only raises it, no two cuts come within a monitor period, and alpha stays in its range.
func TestFlowKeepsItsLimits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	cuts := 0
	for range 300 {
		line := []uint32{1000, 10000, 25000, 40000, 100000}[r.IntN(5)]
		parameters := random(r, line)
		c := NewControl(&parameters, float64(line))
		least, period := float64(parameters[MinimumRate]), int64(max(1, parameters[MonitorPeriod]))
		var f Flow
		last := State{Current: float64(line)}
		lastCut := int64(-1)
		c.Watch = func(e Event) {
			switch {
			case e.Current > float64(line) || e.Target > float64(line) || e.Current < least:
				t.Fatalf("%+v leaves %v to %d Mbit/s; %v", e, least, line, parameters)
			case e.Alpha < 0 || e.Alpha > maxAlpha:
				t.Fatalf("alpha is %v", e.Alpha)
			case e.Cause == Cut && (e.Current > last.Current || e.ByteStage+e.TimeStage+int(e.BytesSinceIncrease) != 0):
				t.Fatalf("%+v after %+v", e, last)
			case e.Cause == Cut && lastCut >= 0 && e.At-lastCut < period:
				t.Fatalf("cuts at %d and %d us, closer than %d", lastCut, e.At, period)
			case (e.Cause == TimerIncrease || e.Cause == ByteIncrease) && e.Current < last.Current-1e-9:
				t.Fatalf("%+v after %+v", e, last)
			}
			if e.Cause == Cut {
				lastCut = e.At
				cuts++
			}
			last = e.State
		}
		now := int64(0)
		for range 2000 {
			now += int64(r.IntN(60))
			switch r.IntN(6) {
			case 0, 1:
				f.Notify(&c, now)
			case 2:
				f.Sent(&c, now, r.Int64N(200_000))
			default:
				f.Advance(&c, now)
			}
			if rate := f.Rate(&c); rate > float64(line) || rate < least {
				t.Fatalf("the rate is %v", rate)
			}
		}
	}
	if cuts < 1000 {
		t.Errorf("only %d cuts were tried", cuts)
	}
}

// TestEveryFlowRecovers: without CNPs any flow is back at line rate after a while, with no limiter left.
func TestEveryFlowRecovers(t *testing.T) {
	t.Parallel()
	parameters := Defaults()
	c := NewControl(&parameters, 40000)
	var f Flow
	for now := int64(0); now < 3000; now += 40 {
		f.Notify(&c, now)
	}
	slow := f.State(&c, 3000)
	if !slow.Limited || slow.Current > 100 {
		t.Fatalf("steady CNPs leave %+v", slow)
	}
	for now := int64(3000); now < 2e6; now += 1000 {
		f.Sent(&c, now, int64(f.Rate(&c)*1000/8))
	}
	if f.Limited() || f.Rate(&c) != 40000 || f != (Flow{}) {
		t.Errorf("after two seconds without CNPs the flow is %+v", f)
	}
}

// TestStepsDontMatter: the same events give the same flow, whether it is advanced at each microsecond or seldom.
func TestStepsDontMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		parameters := random(r, 40000)
		c := NewControl(&parameters, 40000)
		var seldom, often Flow
		for now := range int64(5000) {
			often.State(&c, now)
			switch r.IntN(120) {
			case 0, 1:
				seldom.Notify(&c, now)
				often.Notify(&c, now)
			case 2:
				seldom.Sent(&c, now, 30_000)
				often.Sent(&c, now, 30_000)
			}
		}
		a, b := seldom.State(&c, 5000), often.State(&c, 5000)
		if !near(a.Current, b.Current) || !near(a.Target, b.Target) || !near(a.Alpha, b.Alpha) ||
			a.ByteStage != b.ByteStage || a.TimeStage != b.TimeStage || a.BytesSinceIncrease != b.BytesSinceIncrease || a.Limited != b.Limited {
			t.Fatalf("%+v\n%+v\n%v", a, b, parameters)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// TestFastRecovery lasts as many events as the threshold says.
func TestFastRecovery(t *testing.T) {
	t.Parallel()
	for threshold := uint32(1); threshold <= 31; threshold++ {
		parameters := Defaults()
		parameters[Threshold] = threshold
		c := NewControl(&parameters, 40000)
		phases := map[Phase]int{}
		c.Watch = func(e Event) { phases[e.Phase]++ }
		var f Flow
		f.Notify(&c, 0)
		f.Advance(&c, 100*40)
		if phases[FastRecovery] != int(threshold) || phases[AdditiveIncrease] != 40-int(threshold) {
			t.Errorf("threshold %d: %v", threshold, phases)
		}
	}
}

// TestOrderAtOneInstant: alpha moves before the cut that reads it, the cut restarts a timer that is due with it, and a
// CNP at the end of a window counts for the next (DCQ-13).
func TestOrderAtOneInstant(t *testing.T) {
	t.Parallel()
	parameters := Defaults()
	parameters[AlphaWindow], parameters[MonitorPeriod], parameters[TimeReset] = 32, 32, 32
	c := NewControl(&parameters, 40000)
	var events []Event
	c.Watch = func(e Event) { events = append(events, e) }
	var f Flow
	f.Notify(&c, 0)
	f.Notify(&c, 5)
	f.Notify(&c, 32)
	f.Advance(&c, 96)
	want := []struct {
		at    int64
		cause Cause
		alpha float64
	}{{0, FirstNotification, 0}, {32, Cut, 32}, {64, Cut, 63}, {96, TimerIncrease, 61.03125}}
	if len(events) != len(want) {
		t.Fatalf("%+v", events)
	}
	for i, w := range want {
		if e := events[i]; e.At != w.at || e.Cause != w.cause || e.Alpha != w.alpha {
			t.Errorf("%+v, expected %+v", e, w)
		}
	}
}

func TestControlSwitchedOff(t *testing.T) {
	t.Parallel()
	parameters := Defaults()
	parameters[MinimumRate] = 40000
	c := NewControl(&parameters, 40000)
	var f Flow
	f.Notify(&c, 5)
	if f.Limited() || f.Rate(&c) != 40000 {
		t.Error("a least rate of line rate does not turn control off")
	}
}

func TestFirstRates(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		first, least uint32
		want         float64
	}{{3000, 1, 3000}, {0, 1, 34000}, {100, 500, 500}, {50000, 1, 40000}} {
		parameters := Defaults()
		parameters[FirstRate], parameters[MinimumRate] = row.first, row.least
		c := NewControl(&parameters, 40000)
		var f Flow
		f.Notify(&c, 0)
		if got := f.Rate(&c); got != row.want {
			t.Errorf("%+v: the first CNP sets %v", row, got)
		}
	}
}

// A port with hundreds of flows is stepped in one pass over memory.
func TestFlowIsFlat(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(Flow{}); size > 72 {
		t.Errorf("a flow takes %d bytes", size)
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	flows, c := congested(100)
	now := int64(0)
	if allocations := testing.AllocsPerRun(20, func() { now = stepAll(flows, &c, now) }); allocations != 0 {
		t.Errorf("a step allocates %v times", allocations)
	}
}

func congested(n int) ([]Flow, Control) {
	parameters := Defaults()
	return make([]Flow, n), NewControl(&parameters, 25000)
}

// stepAll takes flows through a millisecond in which each of them gets CNPs at least distance.
func stepAll(flows []Flow, c *Control, now int64) int64 {
	const step = 1000
	for i := range flows {
		f := &flows[i]
		for at := now; at < now+step; at += Interval {
			f.Notify(c, at)
		}
		f.Sent(c, now+step, int64(f.Rate(c)*step/8))
	}
	return now + step
}

// BenchmarkMillisecond is a millisecond of 256 flows in the worst of congestion: a CNP every 50 us.
func BenchmarkMillisecond(b *testing.B) {
	flows, c := congested(256)
	now := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		now = stepAll(flows, &c, now)
	}
}

// BenchmarkRecovery is a millisecond of 256 flows without CNPs, where only their timers run.
func BenchmarkRecovery(b *testing.B) {
	parameters := Defaults()
	parameters[AdditiveRate] = 1
	flows, c := make([]Flow, 256), NewControl(&parameters, 100_000)
	now := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		now += 1000
		for i := range flows {
			if !flows[i].Limited() {
				flows[i].Notify(&c, now)
			}
			flows[i].Advance(&c, now)
		}
	}
}
