package eventlog

import (
	"slices"
	"testing"
)

func TestTheLogKeepsTheNewest(t *testing.T) {
	t.Parallel()
	var l Log
	for range Kept + 10 {
		l.Add(Event{Message: "link up"})
	}
	all := l.After(0, Kept+1)
	if len(all) != Kept || all[0].Sequence != 11 || all[Kept-1].Sequence != l.Last() || l.Last() != Kept+10 {
		t.Errorf("%d events, %d to %d of %d", len(all), all[0].Sequence, all[len(all)-1].Sequence, l.Last())
	}
	for _, c := range []struct {
		after       uint64
		limit, want int
	}{
		{l.Last(), Kept, 0}, {l.Last() + 5, Kept, 0}, {l.Last() - 3, Kept, 3}, {l.Last() - 3, 2, 2}, {0, 1, 1}, {0, 0, 0}, {0, -1, 0}, {5, Kept, Kept},
	} {
		got := l.After(c.after, c.limit)
		if len(got) != c.want || c.want > 0 && got[c.want-1].Sequence != l.Last() {
			t.Errorf("after %d, at most %d: %d events, want the newest %d", c.after, c.limit, len(got), c.want)
		}
	}
	if saved := l.Save(); len(saved) != Saved || saved[Saved-1].Sequence != l.Last() {
		t.Errorf("%d events are saved", len(saved))
	}
	l.Forget()
	if got := l.Add(Event{}); len(l.After(0, Kept)) != 1 || got[0].Sequence != Kept+11 {
		t.Errorf("after the log forgot its events the next is %+v", got)
	}
}

func TestCloneOfALogIsIndependent(t *testing.T) {
	t.Parallel()
	var l Log
	for range 5 { // leaves room behind the last
		l.Add(Event{Message: "both"})
	}
	c := l.Clone()
	l.Add(Event{Message: "first"})
	c.Add(Event{Message: "second"})
	if a, b := l.After(5, 1), c.After(5, 1); a[0].Message != "first" || b[0].Message != "second" {
		t.Errorf("they have %+v and %+v", a, b)
	}
}

func TestDamagedEventsAreRefused(t *testing.T) {
	t.Parallel()
	good := []Event{{Sequence: 3, Message: "one"}, {Sequence: 4, Message: "two", Severity: Error}}
	if l, err := Restore(slices.Clone(good), 7); err != nil || len(l.After(0, Kept)) != 2 || l.Add(Event{})[0].Sequence != 8 {
		t.Errorf("a saved log gives %+v, %v", l, err)
	}
	for what, damage := range map[string]func([]Event){
		"a sequence twice":      func(list []Event) { list[1].Sequence = 3 },
		"a sequence to come":    func(list []Event) { list[1].Sequence = 8 },
		"no sequence":           func(list []Event) { list[0].Sequence = 0 },
		"no severity":           func(list []Event) { list[0].Severity = Error + 1 },
		"a message without end": func(list []Event) { list[0].Message = string(make([]byte, maxWording+1)) },
	} {
		list := slices.Clone(good)
		damage(list)
		if _, err := Restore(list, 7); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
	if _, err := Restore(make([]Event, Kept+1), Kept+1); err == nil {
		t.Error("a log that is too long is taken")
	}
}
