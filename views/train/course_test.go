package train

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/exercise"
)

// seeds returns the number of seeds of the tests of all exercises: one for each place, or as many as CXDECK_EXERCISES says.
func seeds(e *exercise.Exercise) uint64 {
	n, err := strconv.ParseUint(os.Getenv("CXDECK_EXERCISES"), 10, 16)
	if err != nil {
		return max(uint64(len(e.Places)), 1)
	}
	return n
}

// TestExercises holds for each exercise that the fault is found, that the steps of the expert solve it, and that neither waiting nor a
// restart of all adapters and a reboot does.
func TestExercises(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty exercises, each on several hosts: run it without -short")
	}
	t.Parallel()
	for _, e := range exercise.All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= seeds(e); seed++ {
				r, err := Verify(t.Context(), e, seed)
				if err != nil {
					t.Errorf("seed %d: %v", seed, err)
					continue
				}
				t.Logf("seed %d: %s, %d changes, %d interruptions, %.3g GB lost", seed, r.Took, len(r.Changes), len(r.Interruptions), r.Lost/1e9)
			}
		})
	}
}

// TestBeginHidesTheCause holds that the journal of the broken host is empty and that the same seed gives the same host.
func TestBeginHidesTheCause(t *testing.T) {
	t.Parallel()
	e, _ := exercise.Find("adapter-disabled")
	var saved [2]string
	for i := range saved {
		_, h, err := Begin(t.Context(), e, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Journal()) > 0 {
			t.Error("the journal tells what is broken")
		}
		data, err := h.Save()
		if err != nil {
			t.Fatal(err)
		}
		saved[i] = string(data)
	}
	if saved[0] != saved[1] {
		t.Error("the same seed gives two hosts")
	}
	if _, _, err := Begin(t.Context(), e, 0); err == nil {
		t.Error("the seed 0 begins an exercise")
	}
}

// TestVerifyRefuses holds that an exercise that teaches nothing is refused with the reason.
func TestVerifyRefuses(t *testing.T) {
	t.Parallel()
	sound, _ := exercise.Find("cable-out")
	for want, change := range map[string]func(*exercise.Exercise){
		`there is no rule "no-such-rule"; docs/diagnose.md lists the rules`: func(e *exercise.Exercise) { e.Rules = []string{"no-such-rule"} },
		"nothing shows the fault: no finding is of the rules cable-out":     func(e *exercise.Exercise) { e.Break = []string{"advance 1s"} },
		"a restart of all adapters and a reboot solve it": func(e *exercise.Exercise) {
			e.Break, e.Rules = []string{`reg set "Ethernet 7" '*ReceiveBuffers' 1024`}, []string{"keys-pending"}
		},
		"the steps do not solve it: Ethernet 7 still has a problem": func(e *exercise.Exercise) { e.Steps = []exercise.Step{{Text: "look", Run: []string{"diagnose"}}} },
		`steps: the line adapter enabel "Ethernet 7" fails: line 1: unknown command "adapter enabel"; did you mean enable?`: func(e *exercise.Exercise) {
			e.Steps = []exercise.Step{{Text: "wrong", Run: []string{`adapter enabel "Ethernet 7"`}}}
		},
	} {
		e := *sound
		change(&e)
		if _, err := Verify(t.Context(), &e, 1); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// TestReplacedHost holds that another host than the one that was broken is not judged.
func TestReplacedHost(t *testing.T) {
	t.Parallel()
	e, _ := exercise.Find("cable-out")
	c, _, err := Begin(t.Context(), e, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := c.Check(t.Context(), driver.NewHost(lab)); err == nil {
		t.Errorf("a new host gives %+v", r)
	}
}

// TestLostByInterruptions holds that an exercise counts the traffic that the operator's interruptions cut off, and neither what the fault
// loses nor a link that the fault had cut off already.
func TestLostByInterruptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		exercise, restart string
		interruptions     int
		least, most       float64 // bytes
	}{
		{"cable-out", "", 0, 0, 0},
		{"cable-out", "Ethernet 7", 0, 0, 0}, // it has no link
		{"pfc-switch", "Ethernet 6", 1, 1e7, 2e10},
	} {
		e, _ := exercise.Find(c.exercise)
		course, h, err := Begin(t.Context(), e, 1)
		if err != nil {
			t.Fatal(err)
		}
		h.Advance(20 * time.Second)
		if c.restart != "" {
			if _, err := h.Apply(driver.Plan{Title: "x", Operations: []driver.Operation{adapters.RestartAdapter{Connection: c.restart}}}); err != nil {
				t.Fatal(err)
			}
			h.Advance(20 * time.Second)
		}
		r, err := course.Check(t.Context(), h.Clone())
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Interruptions) != c.interruptions || r.Lost < c.least || r.Lost > c.most {
			t.Errorf("%s, restart of %q: %q cut off %.3g bytes", c.exercise, c.restart, r.Interruptions, r.Lost)
		}
	}
}

// TestCheckRightAfterAChange holds that a check right after the change that fixes the host solves the exercise, although drivers still
// start and senders still speed up, and that an unsolved one names the workloads that are slower.
func TestCheckRightAfterAChange(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rss-off", "roce-version", "adapter-disabled"} {
		e, _ := exercise.Find(name)
		course, h, err := Begin(t.Context(), e, 1)
		if err != nil {
			t.Fatal(err)
		}
		before, err := course.Check(t.Context(), h.Clone())
		if err != nil || before.Solved {
			t.Fatalf("%s is solved at the start: %v", name, err)
		}
		if text := before.State()[0].Text; len(before.Slow) > 0 && !strings.Contains(text, "("+before.Slow[0]) {
			t.Errorf("%s: %s", name, text)
		}
		var lines []string
		for _, s := range course.Exercise.Steps {
			for _, line := range s.Run {
				if !strings.HasPrefix(line, "advance") {
					lines = append(lines, line)
				}
			}
		}
		if h, err = run(t.Context(), h, "steps", lines); err != nil {
			t.Fatal(err)
		}
		r, err := course.Check(t.Context(), h.Clone())
		if err != nil || !r.Solved {
			t.Errorf("%s, checked at once: %q, %v", name, r.Remaining, err)
		}
	}
}
