package dcqcn

import (
	flags "flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flags.Bool("update", false, "write the golden files")

// TestTraces has every event of flows under several settings, with CNPs and bytes at fixed instants, as it was when all
// vectors of congestion control held.
func TestTraces(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, c := range []struct {
		name string
		line float64
		set  map[Parameter]uint32
	}{
		{"as new", 40_000, nil},
		{"clamped", 40_000, map[Parameter]uint32{ClampTargetRate: 1}},
		{"not clamped", 40_000, map[Parameter]uint32{ClampTargetRate: 0, ClampTargetAfterTime: 0}},
		{"not clamped after the timer", 40_000, map[Parameter]uint32{ClampTargetRate: 0, ClampTargetAfterTime: 1}},
		{"few bytes", 25_000, map[Parameter]uint32{ByteReset: 400, Threshold: 2, TimeReset: 700}},
		{"bytes alone", 25_000, map[Parameter]uint32{ByteReset: 300, TimeReset: 0, Threshold: 1}},
		{"time alone", 25_000, map[Parameter]uint32{ByteReset: 0, TimeReset: 90, Threshold: 3}},
		{"at once", 10_000, map[Parameter]uint32{Threshold: 0, ByteReset: 200, TimeReset: 150}},
		{"a first rate", 100_000, map[Parameter]uint32{FirstRate: 9000, MinimumRate: 500, AlphaToRateShift: 3}},
		{"quick windows", 100_000, map[Parameter]uint32{AlphaWindow: 1, MonitorPeriod: 1, MinimumDecreaseFactor: 90, InitialAlpha: 1023}},
		{"no windows", 10_000, map[Parameter]uint32{AlphaWindow: 0, MonitorPeriod: 0, AlphaGain: 512, InitialAlpha: 100}},
		{"a slow line", 20, map[Parameter]uint32{MinimumRate: 10, AdditiveRate: 1, HyperRate: 4, TimeReset: 50, Threshold: 1}},
	} {
		p := Defaults()
		for which, value := range c.set {
			p[which] = value
		}
		control := NewControl(&p, c.line)
		fmt.Fprintf(&b, "# %s at %g Mbit/s\n", c.name, c.line)
		events := 0
		control.Watch = func(e Event) {
			if events++; events <= 60 {
				fmt.Fprintf(&b, "%d %s %s %.6g %.6g %.6g %d %d %d\n", e.At, e.Cause, e.Phase, e.Current, e.Target, e.Alpha, e.ByteStage,
					e.TimeStage, e.BytesSinceIncrease)
			}
		}
		var f Flow
		r, now := rand.New(rand.NewPCG(uint64(len(c.name)), 9)), int64(0)
		for range 400 {
			now += r.Int64N(120)
			switch r.IntN(8) {
			case 0, 1:
				f.Notify(&control, now)
			case 2, 3, 4, 5:
				f.Sent(&control, now, r.Int64N(30_000))
			default:
				f.Advance(&control, now)
			}
		}
		s := f.State(&control, now)
		fmt.Fprintf(&b, "= %d %t %.6g %.6g %.6g %.6g %d\n", events, s.Limited, f.Rate(&control), s.Current, s.Target, s.Alpha, s.BytesSinceIncrease)
	}
	path := filepath.Join("testdata", "traces.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(golden), "\n"), strings.Split(b.String(), "\n")
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			t.Fatalf("line %d is %q, want %q", i+1, got[i], want[i])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}

// TestNotificationsToTheMicrosecond has CNPs at the ends of intervals, and just before.
func TestNotificationsToTheMicrosecond(t *testing.T) {
	t.Parallel()
	var n Notifier
	for i, c := range []struct {
		now  int64
		sent int
	}{{0, 1}, {49, 0}, {50, 1}, {99, 0}, {149, 1}, {150, 1}, {400, 2}, {401, 0}, {700, 2}} {
		if sent := n.Marked(c.now, Interval); sent != c.sent {
			t.Errorf("packet %d at %d us: %d CNPs, want %d", i, c.now, sent, c.sent)
		}
	}
	n = Notifier{}
	n.Marked(0, Interval)
	n.Marked(10, Interval)
	for now, want := range map[int64]bool{49: false, 50: true} {
		m := n
		if at, due := m.Due(now, Interval); due != want || due && at != 50 {
			t.Errorf("at %d us a CNP is due: %t, since %d", now, due, at)
		}
	}
}

// TestMarkingAtItsThresholds has the share of marked packets at both thresholds, and half way.
func TestMarkingAtItsThresholds(t *testing.T) {
	t.Parallel()
	m := Marking{Min: 5_000, Max: 205_000, Probability: 0.02}
	for queue, want := range map[float64]float64{0: 0, 5_000: 0, 105_000: 0.01, 205_000: 0.02, 205_001: 1} {
		if got := m.Share(queue); got != want {
			t.Errorf("at %g bytes %g of the packets are marked, want %g", queue, got, want)
		}
	}
	// With one threshold for both a queue of that length marks nothing, and a longer one all.
	if marking := (Marking{Min: 100, Max: 100, Probability: 0.5}); marking.Share(100) != 0 || marking.Share(101) != 1 {
		t.Errorf("at one threshold %g are marked, and %g above", marking.Share(100), marking.Share(101))
	}
}

// TestNamesOfParameters takes the parameters of each priority, and names that no parameter has.
func TestNamesOfParameters(t *testing.T) {
	t.Parallel()
	for p, name := range map[Parameter]string{
		RPEnable: "DcqcnRPEnablePrio0", RPEnable + 7: "DcqcnRPEnablePrio7", NPEnable: "DcqcnNPEnablePrio0", NPEnable + 3: "DcqcnNPEnablePrio3",
	} {
		if found, ok := Find(strings.ToUpper(name)); p.String() != name || found != p || !ok {
			t.Errorf("%d is %s, and %s is %d, %t", p, p, name, found, ok)
		}
	}
	for _, name := range []string{"", "Dcqcn", "Dcqc", "Other", "DcqcnRPEnablePrio8"} {
		if p, ok := Find(name); ok {
			t.Errorf("%q is %s", name, p)
		}
	}
}

// TestEachPriorityHasItsOwnSwitches for what it reacts to and what it notifies.
func TestEachPriorityHasItsOwnSwitches(t *testing.T) {
	t.Parallel()
	for priority := range uint8(Priorities) {
		var reacts, notifies Parameters
		reacts[RPEnable+Parameter(priority)], notifies[NPEnable+Parameter(priority)] = 1, 1
		for other := range uint8(Priorities) {
			if reacts.Reacts(other) != (other == priority) || reacts.Notifies(other) || notifies.Notifies(other) != (other == priority) || notifies.Reacts(other) {
				t.Errorf("with the switches of priority %d, %d reacts: %t, and notifies: %t", priority, other, reacts.Reacts(other), notifies.Notifies(other))
			}
		}
	}
}

// TestTheByteCounterIsFullAtItsLength, not before and not later (DCQ-9).
func TestTheByteCounterIsFullAtItsLength(t *testing.T) {
	t.Parallel()
	p := Defaults()
	c := NewControl(&p, 40_000)
	full := 64 * int64(p[ByteReset])
	for bytes, stages := range map[int64]int{full - 1: 0, full: 1, full + 1: 1, 2*full - 1: 1, 2 * full: 2} {
		var f Flow
		f.Notify(&c, 0)
		f.Sent(&c, 1, bytes)
		if s := f.State(&c, 1); s.ByteStage != stages || s.BytesSinceIncrease != bytes-int64(stages)*full {
			t.Errorf("%d bytes: stage %d with %d unspent, want %d", bytes, s.ByteStage, s.BytesSinceIncrease, stages)
		}
	}
}
