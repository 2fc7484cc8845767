package deck_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// headerText returns the header of a deck, with bars between its groups.
func headerText(d *deck.Deck) string {
	h := d.Header(themes.UnicodeGlyphs())
	group := func(segments []ui.Segment) string {
		var texts []string
		for _, s := range segments {
			texts = append(texts, s.Text)
		}
		return strings.Join(texts, " / ")
	}
	return group(h.Left) + " | " + group(h.Middle) + " | " + group(h.Right)
}

func TestHeaderOfALab(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 75, nil)
	d.NoDB = "cxdeck was started with --ephemeral."
	want := "LAB-N4 (lab) / not recorded / 1 s | 14:01:14 / x1000 / at its end | "
	if got := headerText(d); !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := d.Live.SetPaused(true); err != nil {
		t.Fatal(err)
	}
	if got := headerText(d); !strings.Contains(got, "▌▌ paused") {
		t.Errorf("a paused lab has the header %s", got)
	}
}

func TestHeaderWhileRecording(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d := viewtest.WatchLab(t, 5, nil)
	d.DB = db
	if d.Recorder, err = db.Begin(ctx, d.Live.Status().Info, time.Second); err != nil {
		t.Fatal(err)
	}
	began := d.Recorder.Status().Began
	d.Now = func() time.Time { return began.Add(26*time.Hour + 14*time.Minute + 7*time.Second) }
	if got := headerText(d); !strings.Contains(got, "● REC 1 d 02:14:07") {
		t.Errorf("the header is %s", got)
	}
	if err := d.Recorder.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

// stopped is a lab whose samples fail, with findings on the health of a port.
type stopped struct{ perf.Source }

func (s stopped) Next(context.Context, time.Duration, *perf.Column) error {
	return errors.New("the machine went away")
}

func (s stopped) Inventory() *perf.Inventory {
	inventory := *s.Source.Inventory()
	inventory.Nodes = append([]perf.Node(nil), inventory.Nodes...)
	// The adapter repeats the finding of its port.
	inventory.Nodes[1].Health = []perf.Finding{{Severity: eventlog.Warning, Text: "hot"}, {Severity: eventlog.Information, Text: "fine"}}
	inventory.Nodes[0].Health = []perf.Finding{{Severity: eventlog.Warning, Text: "Ethernet 7: hot"}}
	inventory.Nodes[1].Pending = "*JumboPacket 9014"
	return &inventory
}

func TestHeaderCountsWarnings(t *testing.T) {
	t.Parallel()
	d := viewtest.Watch(t, stopped{Source: viewtest.Lab(t)}, 1)
	for d.Live.Status().Err == nil {
		<-d.Live.Updates()
	}
	var spoken []string
	for _, s := range d.Header(themes.UnicodeGlyphs()).Right {
		spoken = append(spoken, s.Spoken)
	}
	if got, want := strings.Join(spoken, ", "), "1 warning, 1 waiting for a restart"; got != want {
		t.Errorf("a screen reader says %q, want %q", got, want)
	}
	if got := headerText(d); !strings.Contains(got, "✕ source stopped") || !strings.Contains(got, "the machine went away") ||
		!strings.HasSuffix(got, "| 1 ▲ / 1 ◆") {
		t.Errorf("the header is %s", got)
	}
}

// summed is a recording that keeps only minutes.
type summed struct{ perf.Source }

func (summed) Step() time.Duration { return time.Minute }

func TestHeaderNamesMinuteValues(t *testing.T) {
	t.Parallel()
	d := viewtest.Watch(t, summed{Source: viewtest.Lab(t)}, 1)
	for d.Live.Status().Samples == 0 {
		<-d.Live.Updates()
	}
	if got := headerText(d); !strings.Contains(got, "1 min values") {
		t.Errorf("the header is %s", got)
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 3, nil)
	d.KeepSessions([]store.Session{{ID: 12, Recorded: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Note: "quiet"}})
	kinds := map[string]int{}
	titles := map[string]bool{}
	for _, item := range d.Items() {
		kinds[item.Kind]++
		titles[item.Title] = true
		if item.Disabled == "" && item.Run() == nil {
			t.Errorf("%s has no command", item.Title)
		}
	}
	if kinds["adapter"] != 4 || kinds["port"] != 8 || kinds["session"] != 1 || kinds["counter"] != len(d.Live.Schema().Series) {
		t.Errorf("the palette offers %v", kinds)
	}
	if kinds["key"] < 200 || !titles["*JumboPacket"] {
		t.Errorf("the palette offers %d keys", kinds["key"])
	}
	if !titles["Ethernet 7  port 1"] || !titles["session 12  2026-03-01 12:00    quiet"] {
		t.Errorf("the palette lacks Ethernet 7 or session 12")
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "00:00:00", 59 * time.Second: "00:00:59", 25 * time.Hour: "1 d 01:00:00", 100 * time.Millisecond: "00:00:00",
	} {
		if got := deck.Clock(d); got != want {
			t.Errorf("Clock(%v) is %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		time.Second: "1 s", 250 * time.Millisecond: "250 ms", 1500 * time.Millisecond: "1.5 s", time.Minute: "60 s",
	} {
		if got := deck.Interval(d); got != want {
			t.Errorf("Interval(%v) is %q, want %q", d, got, want)
		}
	}
	for message, want := range map[string]string{
		"ConnectX-4 adapter Mellanox X: link is down": "link is down",
		"link is down: check the cable":               "link is down: check the cable",
		"an adapter : ":                               "an adapter : ",
	} {
		if got := deck.EventText(&eventlog.Event{Adapter: "Ethernet 5", Message: message}); got != want {
			t.Errorf("%q is shortened to %q, want %q", message, got, want)
		}
	}
	if got := deck.EventText(&eventlog.Event{Adapter: "web-1: ens1", Message: "web-1: ens1: link is down"}); got != "link is down" {
		t.Errorf("the event of a host is shortened to %q", got)
	}
	glyphs := themes.ASCIIGlyphs()
	if got := deck.StateText(glyphs, &perf.Node{State: perf.StateFailed, StateText: "Code 10"}); got != "x failed (Code 10)" {
		t.Errorf("a failed node is %q", got)
	}
	if got := deck.StateWord(perf.State(200)); got != "unknown" {
		t.Errorf("a state that does not exist is %q", got)
	}
}
