package change_test

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// paused opens two empty screens on a paused lab.
func paused(t *testing.T) (*viewtest.Stage, *deck.Deck) {
	t.Helper()
	d := viewtest.WatchWith(t, viewtest.Lab(t), monitor.Options{Interval: time.Second})
	if err := d.Live.SetPaused(true); err != nil {
		t.Fatal(err)
	}
	if err := d.Live.SkipUntil(d.Live.Status().Now.Add(2 * time.Second)); err != nil {
		t.Fatal(err)
	}
	stage := viewtest.Open(t, d, nil, "one", "two")
	stage.Await(d, "two seconds", func() bool { return d.Live.Status().SkipTo.IsZero() })
	return stage, d
}

func apply(t *testing.T, d *deck.Deck, operations ...driver.Operation) {
	t.Helper()
	if _, err := d.Live.Apply(t.Context(), driver.Plan{Title: "Test", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

// TestWaitsOnEveryScreen reboots a host while another wait runs, and skips both waits.
func TestWaitsOnEveryScreen(t *testing.T) {
	t.Parallel()
	stage, d := paused(t)
	stage.Press(">")
	stage.Want("Skip the wait: there is nothing to wait for")
	apply(t, d, hardware.PullCable{Connection: "Ethernet 7"})
	apply(t, d, adapters.DisableAdapter{Connection: "Ethernet 8"})
	apply(t, d, adapters.Reboot{Host: "LAB-N4"}, adapters.EnableAdapter{Connection: "Ethernet 8"})
	stage.Shell.Send(ui.DataMsg{})
	for _, screen := range []string{"2", "1"} {
		stage.Press(screen)
		stage.Want("LAB-N4 reboots: 64 s and 1 more", "> skip the wait")
	}
	stage.Golden("waits")
	stage.Press(":")
	stage.Type("skip the wait")
	stage.Press("enter")
	stage.Want("Skip 64 s? LAB-N4 comes back at")
	stage.Golden("pass")
	stage.Press("n")
	if at := d.Live.Status(); !at.SkipTo.IsZero() {
		t.Errorf("time was skipped after the answer no: %+v", at)
	}
	stage.Press(">", "enter")
	stage.AwaitText(d, "LAB-N4 is back, but Ethernet 7 has no link.")
	stage.WantNot("reboots")
	apply(t, d, hardware.PlugCable{Connection: "Ethernet 7"})
	stage.Shell.Send(ui.DataMsg{})
	stage.Press(">")
	stage.Want("Skip 2 s? Ethernet 7 link is up at")
	stage.Press("enter")
	stage.Await(d, "the link", func() bool { return len(d.Live.Lab().Waits) == 0 })
	stage.WantNot("link is up.") // the event log reports it
	apply(t, d, adapters.RestartAdapter{Connection: "Ethernet 5"})
	stage.Shell.Send(ui.DataMsg{})
	stopFollowing := d.FollowWaits()
	stage.Press(">", "enter")
	stage.Await(d, "the start", func() bool { return len(d.Live.Lab().Waits) == 0 })
	stage.WantNot("Ethernet 5 is back")
	stopFollowing()
	apply(t, d, adapters.RestartAdapter{Connection: "Ethernet 5"})
	stage.Shell.Send(ui.DataMsg{})
	stage.Press(">", "enter")
	stage.AwaitText(d, "Ethernet 5 is back.")
}

// TestEscStopsSkipping skips a day and stops with Esc.
func TestEscStopsSkipping(t *testing.T) {
	t.Parallel()
	stage, d := paused(t)
	if err := d.Live.SkipUntil(d.Live.Status().Now.Add(24 * time.Hour)); err != nil {
		t.Fatal(err)
	}
	stage.AwaitText(d, "skipping ahead, Esc stops: ")
	stage.Press("esc")
	stage.Want("Time passes at normal speed again.")
	if at := d.Live.Status(); !at.SkipTo.IsZero() {
		t.Errorf("time is still being skipped: %+v", at)
	}
}

// TestConfirmFromAnotherScreen leaves the question whether to keep a change, opens another screen, and answers from there.
func TestConfirmFromAnotherScreen(t *testing.T) {
	t.Parallel()
	stage, d := paused(t)
	plan := driver.Plan{Title: "Mark", Operations: []driver.Operation{adapters.MarkManagement{Connection: "Ethernet 7", Carries: true}}}
	if _, err := change.Apply(t.Context(), d.Live, &driver.Review{}, plan, change.ConfirmWithin); err != nil {
		t.Fatal(err)
	}
	stage.Press(">")
	stage.Want("Keep this change?", "Mark was applied", "change 1 waits for an answer: ")
	stage.Press("2")
	stage.WantNot("Keep this change?")
	stage.Want("change 1 waits for an answer: ", "> answer")
	stage.Press(">")
	stage.Want("Keep this change?")
	if n := strings.Count(stage.Text(), "Keep this change?"); n != 1 {
		t.Errorf("%d questions", n)
	}
	stage.Press("esc")
	stage.WantNot("Keep this change?")
	stage.Press(">", "y")
	stage.Want("Mark: kept")
	stage.Shell.Send(change.TickMsg{})
	stage.WantNot("waits for an answer", "Keep this change?", "No confirmation in time")
}

// TestOnlyLabWaitsAreSkipped checks that a replay and an empty deck have no wait actions.
func TestOnlyLabWaitsAreSkipped(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 3, nil)
	if len(d.WaitActions()) != 2 {
		t.Errorf("a lab: %+v", d.WaitActions())
	}
	d.Replay = d.Live
	if actions := change.WaitActions(d); len(actions) != 0 {
		t.Errorf("a recording: %+v", actions)
	}
	d.Replay = nil
	if none := (&deck.Deck{}); len(none.WaitActions()) != 0 || none.Waits() != nil {
		t.Error("nothing: there are actions")
	}
}
