package comparison_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf/compare"
	"cxdeck/views/comparison"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// subject opens the session that a deck replays.
func subject(t *testing.T, d *deck.Deck) *comparison.Subject {
	t.Helper()
	session, _ := d.ReplaySession()
	s, err := comparison.OpenSession(t.Context(), d.DB, session.ID, d.Restore)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func around(t *testing.T, s *comparison.Subject, change uint64, length time.Duration) (*comparison.Comparison, error) {
	t.Helper()
	entry, err := comparison.FindChange(t.Context(), s, change)
	if err != nil {
		return nil, err
	}
	return comparison.AroundChange(t.Context(), s, entry, length, nil)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("this lacks %q:\n%s", part, text)
		}
	}
}

func TestAroundAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	d := viewtest.Replay(t, 420, map[int]driver.Operation{
		300: hardware.PullCable{Connection: "Ethernet 5"},
		340: edit.SetValue{Connection: "Ethernet 8", Key: "*ReceiveBuffers", Value: "1024"},
		360: adapters.RestartAdapter{Connection: "Ethernet 7"},
		418: hardware.PlugCable{Connection: "Ethernet 5"},
	})
	s := subject(t, d)
	c, err := around(t, s, 1, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, c.Sentence(false), "Ethernet 5", " went from ", " to 0", "more counters of Ethernet 5 and ", " elsewhere changed by more than their noise.")
	contains(t, strings.Join(c.Change.Method(), "\n"), "No driver restarted", "periods of 30 s before the change")
	if first := &c.Counters[0]; !c.Change.IsTarget(&first.Series) || !first.BeyondNoise() || first.Periods < 8 {
		t.Errorf("the first counter is %+v", first)
	}
	if c.First.Length() < 29*time.Second || c.Second.Length() != 30*time.Second || c.Change.Interrupted != 0 || c.Change.Next != nil {
		t.Errorf("%s and %s are compared, interrupted for %s, next %v", c.First, c.Second, c.Change.Interrupted, c.Change.Next)
	}
	if len(c.SecondEvents) == 0 || len(c.FirstEvents) != 0 {
		t.Errorf("events in one period only: %v and %v", c.FirstEvents, c.SecondEvents)
	}
	if err := c.AddHosts(t.Context(), s, s); err != nil || c.Host == nil || len(c.Host.Keys) != 0 {
		t.Fatalf("hosts: %+v, %q, %v", c.Host, c.NoHost, err)
	}
	if len(c.Host.Parts) == 0 || c.Host.Parts[0].Name != "Ethernet 5" || !strings.Contains(c.Host.Parts[0].Second, "cable pulled") {
		t.Errorf("parts that differ: %+v", c.Host.Parts)
	}
	// A value that waits for a restart is stored but not effective.
	if c, err = around(t, s, 2, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if err := c.AddHosts(t.Context(), s, s); err != nil || c.Host == nil || len(c.Host.Keys) != 1 {
		t.Fatalf("hosts: %+v, %q, %v", c.Host, c.NoHost, err)
	}
	if k := c.Host.Keys[0]; k.Key != "*ReceiveBuffers" || k.Stored[1] != "1024" || k.Stored[0] == "1024" || k.Effective[0] != k.Effective[1] {
		t.Errorf("keys that differ: %+v", k)
	}
	contains(t, c.Sentence(false), "changed by more than the noise of the ")
	// The interruption by a restart is in neither period.
	if c, err = around(t, s, 3, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if !c.Change.Known || c.Change.Interrupted < time.Second || c.Second.From.Before(c.Change.Entry.Time.Add(c.Change.Interrupted)) {
		t.Errorf("the restart interrupted %s (known: %v), after is %s", c.Change.Interrupted, c.Change.Known, c.Second)
	}
	if c, err = around(t, s, 1, 5*time.Minute); err != nil || c.Change.Next == nil || c.Change.Next.Sequence != 2 {
		t.Fatalf("the next change is %+v, %v", c.Change.Next, err)
	}
	contains(t, strings.Join(c.Change.Method(), "\n"), "Change 2, ", "40 s later", "too little time before")
	if _, err := around(t, s, 4, time.Minute); !errors.Is(err, comparison.ErrNothingAfter) {
		t.Errorf("a change at the end: %v", err)
	}
	if _, err := around(t, s, 9, time.Minute); !errors.Is(err, comparison.ErrNoChange) {
		t.Errorf("no such change: %v", err)
	}
}

// TestNothingToCompare checks the errors for ranges and changes without samples to compare.
func TestNothingToCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	d := viewtest.Replay(t, 60, map[int]driver.Operation{0: hardware.PullCable{Connection: "Ethernet 5"}})
	s := subject(t, d)
	whole := s.FullRange()
	if _, err := comparison.WhatChanged(t.Context(), s, whole, nil); !errors.Is(err, comparison.ErrNothingBefore) {
		t.Errorf("the whole session: %v", err)
	}
	after := compare.Range{From: whole.To.Add(time.Hour), To: whole.To.Add(2 * time.Hour)}
	if _, err := comparison.WhatChanged(t.Context(), s, after, nil); err == nil || !strings.Contains(err.Error(), "has no samples from") {
		t.Errorf("a range after its end: %v", err)
	}
	if _, err := around(t, s, 1, time.Minute); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a change at the start: %v", err)
	}
	s.Host = nil
	c, err := comparison.Compare(t.Context(), s, s, whole, whole, nil)
	if err != nil || len(c.Counters) != 0 || c.Sentence(false) != "No counter changed by more than its noise." {
		t.Fatalf("itself: %v, %+v", err, c)
	}
	if err := c.AddHosts(t.Context(), s, s); err != nil || c.Host != nil || !strings.Contains(c.NoHost, "no registry") {
		t.Errorf("without hosts: %+v, %q, %v", c.Host, c.NoHost, err)
	}
	// A live source is compared with a session by their common counters.
	other := &comparison.Subject{Name: "live", Samples: comparison.Live(viewtest.WatchLab(t, 20, nil).Live.Window(), time.Second, nil)}
	if _, err = comparison.Compare(t.Context(), s, other, whole, other.FullRange(), nil); err != nil {
		t.Errorf("a session and a live source: %v", err)
	}
}

// TestTooFewSamples checks that a period of one sample, which has no noise, is refused.
func TestTooFewSamples(t *testing.T) {
	t.Parallel()
	s := subject(t, viewtest.Replay(t, 60, nil))
	end := s.FullRange().To
	_, err := comparison.WhatChanged(t.Context(), s, compare.Range{From: end, To: end.Add(time.Minute)}, nil)
	if err == nil || !strings.Contains(err.Error(), "session 1 has fewer than 2 samples") {
		t.Errorf("the last sample: %v", err)
	}
	_, err = comparison.WhatChanged(t.Context(), s, compare.Range{From: end.Add(-500 * time.Millisecond), To: end}, nil)
	if err == nil || !strings.Contains(err.Error(), "fewer than 2 samples") {
		t.Errorf("one sample: %v", err)
	}
}
