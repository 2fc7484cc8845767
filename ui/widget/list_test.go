package widget

import (
	"math/rand/v2"
	"testing"
)

// check returns the fault of a list, "" for nothing.
func (l *List) check() string {
	from, to := l.Visible()
	cursor := l.Cursor()
	switch {
	case l.Length() == 0 && cursor != -1:
		return "an empty list has a cursor"
	case l.Length() > 0 && (cursor < 0 || cursor >= l.Length()):
		return "the cursor is outside the rows"
	case from < 0 || to > l.Length() || from > to || to-from > l.Height():
		return "what shows is outside the rows"
	case l.Length() > 0 && l.Height() > 0 && (cursor < from || cursor >= to):
		return "the cursor does not show"
	case to-from < min(l.Length(), l.Height()):
		return "rows are hidden although there is room"
	}
	return ""
}

func TestListInvariantsUnderRandomUse(t *testing.T) {
	t.Parallel()
	keys := []string{"up", "down", "k", "j", "pgup", "pgdown", "home", "end", "g", "G", "x", ""}
	far := []int{0, 1, -1, 3, -3, 100, -100, 1 << 62, -1 << 62}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var l List
		for step := range 300 {
			n := far[r.IntN(len(far))]
			switch r.IntN(7) {
			case 0:
				l.SetLength(r.IntN(40) - 2)
			case 1:
				l.SetHeight(r.IntN(12) - 1)
			case 2:
				l.Move(n)
			case 3:
				l.Select(n)
			case 4:
				l.Scroll(n)
			case 5:
				l.ScrollTo(n)
			default:
				l.Key(keys[r.IntN(len(keys))])
			}
			if wrong := l.check(); wrong != "" {
				t.Fatalf("seed %d, step %d: %s: %+v", seed, step, wrong, l)
			}
		}
	}
}

func TestListKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key          string
		from, cursor int
		taken        bool
	}{
		{"down", 5, 6, true}, {"j", 5, 6, true}, {"up", 5, 4, true}, {"k", 0, 0, true},
		{"pgdown", 5, 8, true}, {"pgup", 5, 2, true}, {"home", 5, 0, true}, {"g", 5, 0, true},
		{"end", 5, 19, true}, {"G", 5, 19, true}, {"down", 19, 19, true}, {"enter", 5, 5, false},
	} {
		var l List
		l.SetLength(20)
		l.SetHeight(4)
		l.Select(c.from)
		if taken := l.Key(c.key); taken != c.taken || l.Cursor() != c.cursor {
			t.Errorf("%q from %d: cursor %d, taken %v; want %d, %v", c.key, c.from, l.Cursor(), taken, c.cursor, c.taken)
		}
	}
}

func TestListScrollMovesTheCursorOnlyAsNeeded(t *testing.T) {
	t.Parallel()
	var l List
	l.SetLength(100)
	l.SetHeight(10)
	l.Select(5)
	l.Scroll(3)
	if from, _ := l.Visible(); from != 3 || l.Cursor() != 5 {
		t.Errorf("after 3 rows: first row %d, cursor %d; want 3, 5", from, l.Cursor())
	}
	l.Scroll(20)
	if from, _ := l.Visible(); from != 23 || l.Cursor() != 23 {
		t.Errorf("after 20 more: first row %d, cursor %d; want 23, 23", from, l.Cursor())
	}
}

func TestListScrollKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key   string
		first int
		taken bool
	}{
		{"down", 6, true}, {"j", 6, true}, {"up", 4, true}, {"k", 4, true}, {"pgdown", 8, true}, {"pgup", 2, true},
		{"home", 0, true}, {"g", 0, true}, {"end", 16, true}, {"G", 16, true}, {"enter", 5, false},
	} {
		var l List
		l.SetLength(20)
		l.SetHeight(4)
		l.ScrollTo(5)
		taken := l.ScrollKey(c.key)
		if first, _ := l.Visible(); taken != c.taken || first != c.first {
			t.Errorf("%q: first row %d, taken %v; want %d, %v", c.key, first, taken, c.first, c.taken)
		}
	}
}

func TestButtonKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key         string
		from, focus int
		taken       bool
	}{
		{"right", 0, 1, true}, {"l", 2, 2, true}, {"left", 2, 1, true}, {"h", 0, 0, true},
		{"tab", 1, 2, true}, {"tab", 2, 0, true}, {"shift+tab", 1, 0, true}, {"shift+tab", 0, 2, true}, {"x", 1, 1, false},
	} {
		b := Buttons{Items: make([]Button, 3)}
		b.SetFocus(c.from)
		if taken := b.Key(c.key); taken != c.taken || b.Focus() != c.focus {
			t.Errorf("%q from %d: button %d, taken %v; want %d, %v", c.key, c.from, b.Focus(), taken, c.focus, c.taken)
		}
	}
	none := Buttons{}
	if none.Key("tab"); none.Focus() != -1 {
		t.Errorf("a row without buttons has the focus on %d", none.Focus())
	}
}
