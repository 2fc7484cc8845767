package browse_test

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf/threshold"
	"cxdeck/store/sessions"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// seekBar returns the drawn bar; empty when it draws nothing.
func seekBar(d *deck.Deck, width int) string {
	canvas := widget.NewCanvas(width, 1)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	if !(browse.SeekBar{Deck: d}).Draw(canvas.All()) {
		return ""
	}
	return canvas.Text()
}

// TestTheMostImportantMarkOfACellShows records more events than the bar has cells, with a change, a note and a crossed
// threshold among them: the bar must still show each of these three.
func TestTheMostImportantMarkOfACellShows(t *testing.T) {
	t.Parallel()
	var events []eventlog.Event
	d := viewtest.ReplayRecording(t, &viewtest.Recording{
		Samples: 120,
		Plans:   map[int]driver.Plan{30: {Title: "Pull", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 5"}}}},
		See: func(host *driver.Host) {
			source := "mlx5"
			if len(events) == 90 {
				source = threshold.EventSource
			}
			events = append(events, eventlog.Event{Sequence: uint64(1000 + len(events)), Time: host.Now(), Source: source, Message: "x"})
		},
		Events: func() []eventlog.Event { return events },
	})
	session, _ := d.ReplaySession()
	from, _, _ := d.Replay.Seekable()
	if _, err := d.DB.AddMark(t.Context(), sessions.Mark{Session: session.ID, From: from.Add(60 * time.Second), To: from.Add(60 * time.Second), Text: "here"}); err != nil {
		t.Fatal(err)
	}
	again, err := deck.LoadReplay(t.Context(), d.DB, session.ID, d.Restore)
	if err != nil {
		t.Fatal(err)
	}
	d.ShowReplay(again)
	for _, width := range []int{60, 80, 120, 240} {
		line := seekBar(d, width)
		if w := widget.Width(strings.TrimRight(line, "\n")); w > width {
			t.Errorf("%d columns in %d: %q", w, width, line)
		}
		for _, mark := range []string{"⟲ paused", "◆", "▲", "✎", "▾", "●", "x1"} {
			if !strings.Contains(line, mark) {
				t.Errorf("at %d columns the bar lacks %s: %q", width, mark, line)
			}
		}
		if strings.Count(line, "◆")+strings.Count(line, "▲")+strings.Count(line, "✎") != 3 {
			t.Errorf("marks at %d columns: %q", width, line)
		}
	}
	d.CloseReplay()
	if line := seekBar(d, 80); line != "" {
		t.Errorf("a live source draws the bar %q", line)
	}
}
