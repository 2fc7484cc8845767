package history

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/store"
	"cxdeck/store/query"
	"cxdeck/store/sessions"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/find"
	"cxdeck/views/viewtest"
)

func TestGoldenOfASearch(t *testing.T) {
	t.Parallel()
	v := listed(t)
	v.Update(foundMsg{text: "drops > 1k for 10s", more: true, entries: []find.Entry{
		{To: noon.Add(time.Minute), Found: query.Found{Session: 2, Time: noon, Kind: find.Held, Adapter: "Ethernet 7",
			Text: "Packets Discarded/sec up to 4.1 kp/s for 1m0s"}},
		{Found: query.Found{Session: 1, Time: noon.Add(-time.Hour), Kind: query.FoundMark, Text: "load test"}},
	}})
	viewtest.Golden(t, v, "found")
	viewtest.EverySize(t, v)
	v.Update(foundMsg{text: "absent"})
	viewtest.Golden(t, v, "nothing-found")
	for _, a := range v.Actions() {
		if a.ID == "history.open" && a.Disabled == "" {
			t.Error("Enter opens an entry of an empty list")
		}
	}
}

func TestSearchOpensTheMoment(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 100, map[int]driver.Operation{50: hardware.PullCable{Connection: "Ethernet 5"}})
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Press("ctrl+f")
	s.Want("Search all sessions")
	s.Press("enter")
	s.Want("Type a text, or a condition")
	s.Type("no such counter > 5")
	s.Press("enter")
	s.Want("There is no such counter")
	for range len("no such counter > 5") {
		s.Press("backspace")
	}
	s.Type("Ethernet 5 link down")
	s.Press("enter")
	s.Want("search Ethernet 5 link down", "found", "event", "Ethernet 5")
	at := v.found.entries[0].Time
	from, _, err := span(t, db)
	if err != nil || at.Sub(from) < 45*time.Second || at.Sub(from) > 60*time.Second {
		t.Fatalf("the cable was pulled at %s of a session from %s, %v", at, from, err)
	}
	s.Press("enter")
	s.Want("Session 1 is open, paused at " + at.Format(timeFormat))
	if now := d.Monitor().Status().Now; now.Sub(at).Abs() > time.Second {
		t.Errorf("the session is open at %s, want %s", now, at)
	}

	// Another entry of the open session seeks in it.
	s.Press("8")
	s.Press("1")
	s.Press("ctrl+f")
	for range len("Ethernet 5 link down") {
		s.Press("backspace")
	}
	s.Type("received on Ethernet 7 > 1k/s")
	s.Press("enter")
	s.Want("condition", "Ethernet 7")
	opened := d.Opened()
	s.Press("end", "enter")
	if d.Opened() != opened || d.Monitor().Status().Now.Sub(from) > 10*time.Second {
		t.Errorf("the session is at %s, want its start %s", d.Monitor().Status().Now, from)
	}
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || len(focus.Paths) != 1 || !strings.Contains(focus.Paths[0], "Ethernet 7") {
		t.Errorf("Counters shows %+v, want the counter of the condition", s.ShowArgs["counters"])
	}
	s.Press("1", "esc")
	s.Want("1 of 1 sessions")
	s.Press("enter")
	s.Want("paused at its end")
}

// TestSearchShowsProgressAndCanBeCancelled checks the dialog before the search has run, and cancels it.
func TestSearchShowsProgressAndCanBeCancelled(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 20, nil)
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Press("ctrl+f")
	s.Type("received on Ethernet 7 > 1k/s")
	s.Shell.Send(ui.KeyMsg{Name: "enter"}) // the search waits until the shell is asked to work
	s.Want("Search all sessions", "received on Ethernet 7 > 1k/s", "searching", "Esc cancel")
	s.Shell.Send(ui.KeyMsg{Name: "esc"})
	s.WaitIdle()
	s.Want("The search is cancelled.", "1 of 1 sessions")
	if v.found != nil {
		t.Errorf("a cancelled search has found %+v", v.found.entries)
	}
	var p searchProgress
	p.note(3, 12)
	canvas := widget.NewCanvas(60, 2)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	p.Draw(canvas.All())
	if text := canvas.Text(); !strings.Contains(text, "3 of 12 sessions  ━━━") || strings.Count(text, "━") > 20 {
		t.Errorf("a quarter of a search is %q", text)
	}
	s.Press("ctrl+f")
	s.Type("no such counter > 5")
	s.Press("enter")
	s.Want("Search all sessions", "no such counter > 5", "here is no")
}

// span returns the start and end of session 1.
func span(t *testing.T, db *store.DB) (from, to time.Time, err error) {
	t.Helper()
	session, err := db.Session(t.Context(), 1)
	return session.Started, session.Ended, err
}

func TestTags(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 20, nil)
	if err := db.Tag(t.Context(), 1, []string{"rack7"}, nil); err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Want("Tags: rack7")
	s.Press("#")
	for range len("rack7") {
		s.Press("backspace")
	}
	s.Type("night, " + strings.Repeat("x", sessions.MaxTag+1))
	s.Press("enter")
	s.Want("Invalid tag")
	for range sessions.MaxTag + 1 {
		s.Press("backspace")
	}
	s.Type("Firmware")
	s.Press("enter")
	s.Want("The tags of session 1 are saved.", "Tags: Firmware, night")
	if want := []string{"cxdeck sessions tag 1 night Firmware", "cxdeck sessions untag 1 rack7"}; !slices.Equal(s.Log[0].Commands, want) {
		t.Errorf("the action log has %q", s.Log[0].Commands)
	}
	s.Press("/")
	s.Type("firmware")
	s.Want("1 of 1 sessions")
	s.Press("esc", "ctrl+f")
	s.Type("night")
	s.Press("enter")
	s.Want("1 found")
}

func TestTagsThatDifferInCaseAreTheSame(t *testing.T) {
	t.Parallel()
	if got := missing([]string{"Rack7"}, []string{"rack7", "night"}); !slices.Equal(got, []string{"night"}) {
		t.Errorf("%q are missing, want night alone", got)
	}
}

func TestMarksInTheDetails(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 20, nil)
	from, _, err := span(t, db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddMark(t.Context(), store.Mark{Session: 1, From: from.Add(5 * time.Second), Text: "cable pulled"}); err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Want("Marks (1)", "cable pulled")
	// A new mark shows after the list is read again.
	if _, err := db.AddMark(t.Context(), store.Mark{Session: 1, From: from.Add(6 * time.Second), Text: "plugged in"}); err != nil {
		t.Fatal(err)
	}
	s.Press("f5")
	s.Want("Marks (2)", "plugged in")
	// In the details, marks can be changed and deleted; the default answer to the question is no.
	s.Press("tab", "e")
	s.Want("Notes", "14:00:05", "cable pulled")
	s.Press("enter")
	s.Want("Note at 14:00:05")
	s.Type("cable pulled by hand")
	s.Press("enter")
	s.Want("The note is changed.", "cable pulled by hand")
	s.Press("down", "d")
	s.Want("Delete the note of 14:00:06", "plugged in")
	s.Press("enter")
	if marks, err := db.Marks(t.Context(), 1); err != nil || len(marks) != 2 || marks[0].Text != "cable pulled by hand" {
		t.Errorf("notes %+v, %v", marks, err)
	}
	s.Press("d")
	s.Push("Delete")
	s.Want("The note is deleted.")
	s.Press("d")
	s.Push("Delete")
	s.WantNot("Notes", "cable pulled", "Marks (")
	if marks, err := db.Marks(t.Context(), 1); err != nil || len(marks) != 0 {
		t.Errorf("notes %+v, %v", marks, err)
	}
}
