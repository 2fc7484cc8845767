package counters

import (
	"testing"
	"time"
)

func TestPiecesStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	var line timeline
	line.span = defaultSpan
	before := line.frame(began, 217)
	for n := range 400 {
		newest := began.Add(time.Duration(n) * 730 * time.Millisecond)
		f := line.frame(newest, 217)
		if f.pieceLength != before.pieceLength {
			t.Fatalf("the pieces are %s long, then %s", before.pieceLength, f.pieceLength)
		}
		if shift := f.from.Sub(before.from); shift%f.pieceLength != 0 {
			t.Fatalf("the pieces moved by %s, which is no multiple of %s", shift, f.pieceLength)
		}
		if !f.contains(newest) || f.piece(newest) != 216 {
			t.Fatalf("the newest sample at %s lies in piece %d", newest, f.piece(newest))
		}
		if got := f.to.Sub(f.from); got < 5*time.Minute || got > 5*time.Minute+217*grain {
			t.Fatalf("the window is %s long", got)
		}
	}
}

func TestCursorTakesTheWindowAlong(t *testing.T) {
	t.Parallel()
	oldest, newest := began, began.Add(10*time.Minute)
	line := timeline{span: 0}
	for range 90 {
		line.moveCursor(-1, time.Second, oldest, newest)
	}
	if got := newest.Sub(line.cursor); got != 89*time.Second {
		t.Errorf("the cursor is %s back", got)
	}
	if line.following() || line.cursor.Before(line.last(newest).Add(-time.Minute)) {
		t.Errorf("the window ends at %s and leaves the cursor at %s out", line.last(newest), line.cursor)
	}
	line.setCursor(oldest.Add(-time.Hour), oldest, newest)
	if !line.cursor.Equal(oldest) {
		t.Errorf("the cursor left the samples for %s", line.cursor)
	}
	line.setCursor(newest, oldest, newest)
	if !line.following() {
		t.Error("with the cursor on the newest sample the window does not follow")
	}
}

func TestFreezeKeepsTheEnd(t *testing.T) {
	t.Parallel()
	line := timeline{span: 1}
	line.freeze(began)
	later := began.Add(time.Minute)
	if got := line.last(later); !got.Equal(began) {
		t.Errorf("the frozen window ends at %s", got)
	}
	line.zoom(5)
	line.zoom(9)
	if line.span != len(spans)-1 {
		t.Errorf("the window is number %d", line.span)
	}
	line.freeze(later)
	if !line.following() || !line.last(later).Equal(later) {
		t.Error("the window does not follow again")
	}
}
