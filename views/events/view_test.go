package events

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

func TestFilters(t *testing.T) {
	t.Parallel()
	d := deckWithEvents(t, manyEvents(300))
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Want("300 of 300", "event number 300", "following")
	s.Press("e")
	s.Want("is now v")
	s.Press("v")
	s.Want("200 of 300", "no information")
	s.Press("v")
	s.Want("100 of 300")
	s.Press("v", "v")
	s.Want("100 of 300", "no errors")
	s.Press("v", "down", "O")
	s.Want("100 of 300", "adapter Ethernet 5")
	s.WantNot("following")
	s.Press("O")
	s.Want("150 of 300", "source threshold")
	s.Press("O")
	s.Want("50 of 300", "source threshold", "adapter Ethernet 5")
	s.Press("O")
	s.Want("300 of 300")
	s.Press("O", "O", "O")
	s.Press("/")
	s.Type("number 299")
	s.Want("1 of 300")
	s.Press("enter", "esc")
	s.Want("300 of 300")
	s.Press("/")
	s.Type("nothing like it")
	s.Press("enter")
	s.Want("0 of 300", "None of 300 events is shown")
	s.Hit("events.severity", int(eventlog.Error), false)
	s.Want("no errors")
	s.Press("esc")
	s.Want("300 of 300")
}

func TestCursorStaysOnItsEvent(t *testing.T) {
	t.Parallel()
	source := newEventSource(t, -1)
	source.events <- manyEvents(100)
	d := viewtest.Run(t, source)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "the first events", func() bool { return len(v.shown.positions) == 100 })
	s.Press("down", "down", "down")
	if e := v.event(); e == nil || e.Sequence != 97 {
		t.Fatalf("the cursor is on %+v, want number 97", e)
	}
	before := s.Text()
	source.events <- manyEvents(40)
	s.Await(d, "more events", func() bool { return len(v.shown.positions) == 140 })
	if e := v.event(); e.Sequence != 97 {
		t.Errorf("new events moved the cursor to number %d", e.Sequence)
	}
	if row := func(text string) string { return strings.Split(text, "\n")[10] }; row(before)[:60] != row(s.Text())[:60] {
		t.Errorf("new events moved the rows: %q became %q", row(before), row(s.Text()))
	}
	s.Hit("events.severity", int(eventlog.Error), false) // a filter that does not hide the selected event keeps it selected
	if e := v.event(); e.Sequence != 97 {
		t.Errorf("a filter moved the cursor to number %d", e.Sequence)
	}
	s.Hit("events.severity", int(eventlog.Error), false)
	s.Press("f")
	if e := v.event(); e.Sequence != 140 {
		t.Errorf("following selects number %d, want the newest, 140", e.Sequence)
	}
	source.events <- manyEvents(1)
	s.Await(d, "one more", func() bool { return v.event().Sequence == 141 })
}

func TestDetailCountersAndJump(t *testing.T) {
	t.Parallel()
	events := manyEvents(4)
	events[3].Key, events[3].Message = "mlx5.rss-stack-off", "RSS is on for the adapter but off in Windows"
	d := deckWithEvents(t, events)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Resize(80, 24)
	s.Press("enter")
	s.Want("Trigger", "Remedy", "netsh int tcp set global")
	s.WantNot("Severity")
	s.Press("esc")
	s.Want("Severity")
	s.Press("C")
	focus, ok := s.ShowArgs["counters"].(deck.Focus)
	if !ok || focus.Title != "Ethernet 7" || !focus.At.Equal(noon.Add(3*time.Second)) {
		t.Fatalf("C went to the counters of %+v", s.ShowArgs["counters"])
	}
	s.Press("1")
	for severity := range severityCount {
		s.Hit("events.severity", severity, false)
	}
	s.Want("0 of 4")
	s.Shell.Send(ui.KeyMsg{Name: "2"})
	v.Update(ui.ShowMsg{Arg: deck.EventFocus{Sequence: 2}})
	if e := v.event(); e == nil || e.Sequence != 2 {
		t.Errorf("the jump to event 2 selected %+v", e)
	}
	v.Update(ui.ShowMsg{Arg: deck.EventFocus{Sequence: 999}}) // an unknown event changes nothing
}

func TestGolden(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 150, map[int]driver.Operation{
		80: hardware.PullCable{Connection: "Ethernet 5"}, 100: hardware.PlugCable{Connection: "Ethernet 5"},
	})
	v := New(d)
	v.Update(ui.ShowMsg{})
	v.Update(ui.DataMsg{})
	viewtest.Golden(t, v, "lab")
	v.openDetail()
	viewtest.Golden(t, v, "detail")
	v.closeDetail()
	v.Filter.Set("no such thing")
	v.refresh(true)
	viewtest.Golden(t, v, "no-match")
	viewtest.Golden(t, New(&deck.Deck{}), "empty")
}

func TestEverySize(t *testing.T) {
	t.Parallel()
	v := New(deckWithEvents(t, manyEvents(50)))
	v.Update(ui.DataMsg{})
	viewtest.EverySize(t, v)
	v.openDetail()
	viewtest.EverySize(t, v)
	empty := New(&deck.Deck{})
	empty.Update(ui.DataMsg{})
	viewtest.EverySize(t, empty)
	for _, a := range empty.Actions() {
		if a.Disabled == "" {
			a.Run()
		}
	}
}

// tenThousand returns the screen with as manyEvents events as a monitor keeps.
func tenThousand(b *testing.B) *View {
	v := New(deckWithEvents(b, manyEvents(deck.EventLimit)))
	v.Update(ui.DataMsg{})
	return v
}

func BenchmarkDraw(b *testing.B) {
	v := tenThousand(b)
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		v.Draw(canvas.All())
	}
}

// BenchmarkFilter measures a key in the filter with ten thousand events.
func BenchmarkFilter(b *testing.B) {
	v := tenThousand(b)
	v.Filter.Set("number 99")
	for b.Loop() {
		v.refresh(true)
	}
}

// BenchmarkData measures a sample without events.
func BenchmarkData(b *testing.B) {
	v := tenThousand(b)
	b.ReportAllocs()
	for b.Loop() {
		v.Update(ui.DataMsg{})
	}
}

func TestDroppedEvents(t *testing.T) {
	t.Parallel()
	source := newEventSource(t, -1)
	source.events <- manyEvents(10)
	d := viewtest.Watch(t, source, 1000)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Await(d, "the first events", func() bool { return len(v.shown.positions) == 10 })
	s.Press("end", "2")
	// While another screen is visible, events arrive until the old ones are dropped.
	for range 20 {
		source.events <- manyEvents(1000)
		for d.Events(); len(source.events) > 0; d.Events() {
			<-d.Live.Updates()
		}
	}
	v.Actions()
	viewtest.Body(v, 120, 40)
	s.Press("1", "end")
	if e := v.event(); e == nil || e.Sequence < 1000 {
		t.Errorf("the oldest shown event is %+v", e)
	}
}
