package history

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// listed returns the screen with three sessions and the events of the second, which are not in the database.
func listed(t testing.TB) *View {
	t.Helper()
	d := &deck.Deck{DB: database(t)}
	v := New(d)
	v.Update(deck.SessionsMsg{Sessions: threeSessions()})
	v.Update(recordsMsg{id: 2, records: records{
		events: []eventlog.Event{
			{Time: noon.Add(time.Minute), Severity: eventlog.Warning, Adapter: "eth0", Message: "link is down"},
			{Time: noon, Severity: eventlog.Information, Message: "an interface without a name came up"},
		},
		marks: []store.Mark{
			{From: noon, To: noon, Text: "cable pulled"}, {From: noon.Add(time.Minute), To: noon.Add(2 * time.Minute), Text: "load test"},
		},
	}})
	v.Update(stripMsg{id: 1, strip: sawtooth()})
	return v
}

func database(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// record records a session of the lab with a number of samples.
func record(t testing.TB, db *store.DB, samples int, changes map[int]driver.Operation) {
	t.Helper()
	source := viewtest.NewFiniteLab(t, samples, changes)
	recorder, err := db.Begin(context.Background(), source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.WatchWith(t, source, monitor.Options{Interval: time.Second, Speed: monitor.MaxSpeed, Sink: recorder})
	viewtest.AwaitEnd(t, d)
	if err := recorder.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	v := listed(t)
	v.Table.List.Select(1)
	v.resetPage()
	viewtest.Golden(t, v, "sessions")
	v.nextPart()
	viewtest.Golden(t, v, "details")
	v.nextPart()
	v.Filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
	viewtest.Golden(t, New(&deck.Deck{NoDB: "no history: started with --ephemeral"}), "no-database")
	none := New(&deck.Deck{DB: v.deck.DB})
	none.Update(deck.SessionsMsg{})
	viewtest.Golden(t, none, "empty")
}

func TestEverySize(t *testing.T) {
	t.Parallel()
	v := listed(t)
	viewtest.EverySize(t, v)
	v.nextPart()
	viewtest.EverySize(t, v)
	none := New(&deck.Deck{})
	viewtest.EverySize(t, none)
	for _, a := range none.Actions() {
		if a.Disabled == "" {
			a.Run()
		}
	}
}

func TestOpenASessionAndCloseIt(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 100, map[int]driver.Operation{50: hardware.PullCable{Connection: "Ethernet 5"}})
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Want("1 of 1 sessions", "LAB-N4", "Session 1:", "Events (")
	s.Press("X")
	s.Want("no session is open")
	s.Press("enter")
	if s.Shell.Active() != "counters" || d.Replay == nil {
		t.Fatalf("Enter shows %s with replay %v:\n%s", s.Shell.Active(), d.Replay, s.Text())
	}
	s.Want("⟲ replay of session 1", "paused")

	// The end of the session is in view: the cable is pulled, and there are values without playing.
	m := d.Monitor()
	series, ok := m.Schema().Find(perf.JoinPath("Network Interface", "Ethernet 7", "Bytes Total/sec"))
	if !ok {
		series = m.Inventory().Receive[0]
	}
	if value, ok := m.Window().Last(series); !ok || value <= 0 {
		t.Errorf("the newest value of the replay is %v, %v", value, ok)
	}
	if oldest, newest, ok := m.Window().Span(); !ok || newest.Sub(oldest) < 90*time.Second {
		t.Errorf("from %v to %v is in view, want all 100 seconds", oldest, newest)
	}
	if status := m.Status(); !status.Paused || status.Info.Kind != perf.SessionSource {
		t.Errorf("the replay's status is %+v", status)
	}
	down := false
	for _, n := range m.Inventory().Nodes {
		down = down || n.Name == "Ethernet 5" && n.State == perf.StateDown
	}
	if !down {
		t.Error("the cable of Ethernet 5 is not pulled in the replay")
	}
	if reason := d.CannotChange(); !strings.Contains(reason, "recorded session") {
		t.Errorf("the replay can be changed: %q", reason)
	}
	opened := d.Opened()

	s.Press("1", "d")
	s.Want("session 1 is open")
	s.Press("X")
	s.Want("The replay is closed")
	s.WantNot("⟲ replay")
	if d.Replay != nil || d.Monitor() != d.Live {
		t.Error("the replay is still shown")
	}
	select {
	case <-opened.Ended():
	case <-time.After(time.Minute):
		t.Error("the replay's goroutine did not end")
	}
}

func TestReadOnlyModeChangesNoSession(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 20, nil)
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB, d.ReadOnly = db, true
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Want("1 of 1 sessions")
	for key, name := range map[string]string{"e": "note", "*": "pin", "d": "delete", "E": "vacuum"} {
		s.Press(key)
		s.Want("Read-only mode: “" + name + "” is not available.")
	}
}

func TestNoteDeleteVacuum(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 20, nil)
	record(t, db, 30, nil)
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Want("2 of 2 sessions")
	s.Press("e")
	s.Type("before the update")
	s.Press("enter")
	s.Want("The note of session 2 is saved.", "before the update")
	s.Press("/")
	s.Type("update")
	s.Want("1 of 2")
	s.Press("enter", "esc", "s", "end", "home")
	s.Want("2 of 2")
	s.Press("d")
	s.Want("Delete session 2")
	s.Press("n")
	s.Want("2 of 2")
	s.Press("d", "y")
	s.Want("Session 2 is deleted", "1 of 1 sessions")
	if n := len(s.Log); n != 2 || s.Log[0].What != "Note on session 2: before the update" ||
		s.Log[1].What != "Deleted session 2" || !slices.Equal(s.Log[1].Commands, []string{"cxdeck sessions delete 2"}) {
		t.Errorf("the action log has %+v", s.Log)
	}
	s.Press("*")
	s.Want("Session 1 is pinned", "★ pin", "pinned: max_age and max_size keep it")
	s.Press("d")
	s.Want("session 1 is pinned: * unpins it", "1 of 1 sessions")
	if session, err := db.Session(t.Context(), 1); err != nil || !session.Pinned {
		t.Errorf("session 1 in the file: %+v, %v", session, err)
	}
	s.Press("*")
	s.Want("Session 1 is no longer pinned")
	s.WantNot("★ pin")
	s.Press("E")
	s.Want("The history file is")
	found := false
	for _, item := range d.Items() {
		if item.Kind == "session" {
			found = found || strings.Contains(item.Title, "session 1")
		}
	}
	if !found {
		t.Error("the palette does not know session 1")
	}
}

func TestTheRunningSessionGrows(t *testing.T) {
	t.Parallel()
	db := database(t)
	source := viewtest.Lab(t)
	recorder, err := db.Begin(context.Background(), source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.WatchWith(t, source, monitor.Options{Interval: time.Second, Speed: 20, Sink: recorder})
	d.DB, d.Recorder = db, recorder
	wall := noon
	d.Now = func() time.Time { wall = wall.Add(time.Second); return wall }
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Want("1 of 1 sessions", "● REC")
	s.Await(d, "samples of the running session", func() bool { return v.session() != nil && v.session().Samples > 0 })
	if err := recorder.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutAHistory(t *testing.T) {
	t.Parallel()
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.NoDB = "no history: started with --ephemeral"
	s := viewtest.Open(t, d, []ui.View{New(d)}, "counters")
	s.Want("history: started with --ephemeral")
	for _, key := range []string{"enter", "n", "d", "v", "r", "s", "/"} {
		s.Press(key)
		s.Want("history: started with --ephemeral")
	}
}

func TestTheRunningSessionIsNotDeleted(t *testing.T) {
	t.Parallel()
	v := listed(t)
	for _, a := range v.Actions() {
		if a.ID == "history.delete" && !strings.Contains(a.Disabled, "session 3 is being recorded") {
			t.Errorf("deleting the running session is refused with %q", a.Disabled)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	v := listed(b)
	sessions := threeSessions()
	for id := int64(4); id < 1000; id++ {
		session := sessions[1]
		session.ID = id
		sessions = append(sessions, session)
	}
	v.Update(deck.SessionsMsg{Sessions: sessions})
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		v.Draw(canvas.All())
	}
}

// The first sample of a session comes after its row: until then its source has no time to show.
func TestSessionWithoutSamples(t *testing.T) {
	t.Parallel()
	v := listed(t)
	list := threeSessions()
	list[0].Started, list[0].Ended, list[0].Samples = time.Time{}, time.Time{}, 0
	v.Update(deck.SessionsMsg{Sessions: list})
	screen := viewtest.Body(v, 120, 40).Text()
	if !strings.Contains(screen, "being recorded now") {
		t.Errorf("the session that begins is not shown:\n%s", screen)
	}
	for _, text := range []string{"0001-01-01", "Time of the source"} {
		if strings.Contains(screen, text) {
			t.Errorf("the screen has %q:\n%s", text, screen)
		}
	}
}
