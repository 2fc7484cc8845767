package timeline

import (
	"testing"
	"time"
)

var start = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

func TestPiecesKeepTheirSamples(t *testing.T) {
	t.Parallel()
	var line Timeline
	line.Span = defaultSpan
	before := line.Frame(start, 217)
	for n := range 400 {
		newest := start.Add(time.Duration(n) * 730 * time.Millisecond)
		f := line.Frame(newest, 217)
		if f.PieceLength != before.PieceLength {
			t.Fatalf("the pieces are %s long, then %s", before.PieceLength, f.PieceLength)
		}
		if shift := f.From.Sub(before.From); shift%f.PieceLength != 0 {
			t.Fatalf("the pieces moved by %s, which is no multiple of %s", shift, f.PieceLength)
		}
		if !f.contains(newest) || f.Piece(newest) != 216 {
			t.Fatalf("the newest sample at %s is in piece %d", newest, f.Piece(newest))
		}
		if got := f.To.Sub(f.From); got < 5*time.Minute || got > 5*time.Minute+217*grain {
			t.Fatalf("the window is %s long", got)
		}
	}
}

func TestWindowFollowsTheCursor(t *testing.T) {
	t.Parallel()
	oldest, newest := start, start.Add(10*time.Minute)
	line := Timeline{Span: 0}
	for range 90 {
		line.MoveCursor(-1, time.Second, oldest, newest)
	}
	if got := newest.Sub(line.Cursor); got != 89*time.Second {
		t.Errorf("the cursor is %s back", got)
	}
	if line.Following() || line.Cursor.Before(line.Last(newest).Add(-time.Minute)) {
		t.Errorf("the window ends at %s and leaves the cursor at %s out", line.Last(newest), line.Cursor)
	}
	line.SetCursor(oldest.Add(-time.Hour), oldest, newest)
	if !line.Cursor.Equal(oldest) {
		t.Errorf("the cursor left the samples for %s", line.Cursor)
	}
	line.SetCursor(newest, oldest, newest)
	if !line.Following() {
		t.Error("with the cursor on the newest sample the window does not follow")
	}
}

func TestFreezeKeepsTheEnd(t *testing.T) {
	t.Parallel()
	line := Timeline{Span: 1}
	line.Freeze(start)
	later := start.Add(time.Minute)
	if got := line.Last(later); !got.Equal(start) {
		t.Errorf("the frozen window ends at %s", got)
	}
	line.Zoom(5)
	line.Zoom(9)
	if line.Span != len(Spans)-1 {
		t.Errorf("the window is number %d", line.Span)
	}
	line.Freeze(later)
	if !line.Following() || !line.Last(later).Equal(later) {
		t.Error("the window does not follow again")
	}
}
