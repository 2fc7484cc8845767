package timeline

import "time"

// Spans are the lengths of the window that an operator can choose. Windows of up to ten minutes have all samples; longer ones
// have minimum, maximum and average of 30 seconds.
var Spans = [...]struct {
	Length time.Duration
	Name   string
}{
	{time.Minute, "1 min"},
	{5 * time.Minute, "5 min"},
	{10 * time.Minute, "10 min"},
	{30 * time.Minute, "30 min"},
	{time.Hour, "1 h"},
	{6 * time.Hour, "6 h"},
	{24 * time.Hour, "24 h"},
}

// defaultSpan is the index of the default window; the screen opens with a shorter one while there are fewer samples.
const defaultSpan = 1

// Timeline holds the visible period of time and its cursor. Times are the source's.
type Timeline struct {
	Span int
	// Growing is set until there are more samples than the first window shows, or the operator chooses a window.
	Growing bool
	// End is the newest visible time; zero follows the newest sample.
	End time.Time
	// Frozen keeps the window at End.
	Frozen bool
	// Cursor is zero if there is no cursor.
	Cursor time.Time
}

// Frame is a period of time cut into equal pieces, one for each dot column of a chart.
type Frame struct {
	From, To    time.Time
	PieceLength time.Duration
}

// grain is the unit of the lengths of pieces.
const grain = 10 * time.Millisecond

// Frame divides the visible period into pieces that begin at absolute multiples of their length: as time passes, the pieces
// move, but always contain the same samples, so that the curve doesn't flicker.
func (t *Timeline) Frame(newest time.Time, dots int) Frame {
	dots = max(dots, 1)
	end := t.Last(newest)
	pieceLength := (Spans[t.Span].Length + time.Duration(dots) - 1) / time.Duration(dots)
	pieceLength += (grain - pieceLength%grain) % grain
	start := time.Unix(0, floorTo(end.UnixNano(), int64(pieceLength)))
	to := start.Add(pieceLength).UTC()
	return Frame{From: to.Add(-time.Duration(dots) * pieceLength), To: to, PieceLength: pieceLength}
}

// floorTo returns the largest multiple of step at or below n.
func floorTo(n, step int64) int64 {
	m := n % step
	if m < 0 {
		m += step
	}
	return n - m
}

// contains reports whether a time is visible.
func (f Frame) contains(t time.Time) bool { return !t.Before(f.From) && t.Before(f.To) }

// Piece returns the index of the piece that contains a time, -1 if it is not visible.
func (f Frame) Piece(t time.Time) int {
	if !f.contains(t) || f.PieceLength <= 0 {
		return -1
	}
	return int(t.Sub(f.From) / f.PieceLength)
}

// Last returns the newest visible time.
func (t *Timeline) Last(newest time.Time) time.Time {
	if t.End.IsZero() || t.End.After(newest) && !t.Frozen {
		return newest
	}
	return t.End
}

// Following reports whether new samples move the picture.
func (t *Timeline) Following() bool { return t.End.IsZero() }

// Extend sets the default window once the samples are longer than the initial one, given how long they are: the first minute
// fills the chart. It does nothing after the operator has zoomed, frozen or moved the window.
func (t *Timeline) Extend(held time.Duration) {
	if t.Growing && t.Following() && held > Spans[t.Span].Length {
		t.Span, t.Growing = defaultSpan, false
	}
}

// Zoom makes the window shorter (negative) or longer.
func (t *Timeline) Zoom(steps int) {
	t.Growing = false
	t.Span = max(0, min(t.Span+steps, len(Spans)-1))
}

// Scroll moves the window by part of its length, negative into the past; it stays within oldest and newest.
func (t *Timeline) Scroll(part float64, oldest, newest time.Time) {
	t.MoveEnd(t.Last(newest).Add(time.Duration(part*float64(Spans[t.Span].Length))), oldest, newest)
}

// MoveEnd moves the end of the window to a time, limited to the samples.
func (t *Timeline) MoveEnd(end, oldest, newest time.Time) {
	if !end.Before(newest) {
		if t.Frozen {
			t.End = newest
			return
		}
		t.End = time.Time{}
		return
	}
	if end.Before(oldest) {
		end = oldest
	}
	t.End = end
}

// Freeze freezes the window, or resumes it.
func (t *Timeline) Freeze(newest time.Time) {
	if t.Frozen {
		t.Frozen, t.End = false, time.Time{}
		return
	}
	t.End = t.Last(newest)
	t.Frozen = true
}

// MoveCursor moves the cursor by steps; a new cursor begins at the newest visible time. At the edge the window follows the
// cursor.
func (t *Timeline) MoveCursor(steps int, step time.Duration, oldest, newest time.Time) {
	if t.Cursor.IsZero() {
		t.Cursor = t.Last(newest)
	} else {
		t.Cursor = t.Cursor.Add(time.Duration(steps) * step)
	}
	t.SetCursor(t.Cursor, oldest, newest)
}

// SetCursor moves the cursor to a time within the samples, and the window so that the cursor is visible.
func (t *Timeline) SetCursor(at, oldest, newest time.Time) {
	if at.After(newest) {
		at = newest
	}
	if at.Before(oldest) {
		at = oldest
	}
	t.Cursor = at
	end := t.Last(newest)
	length := Spans[t.Span].Length
	switch {
	case at.After(end):
		t.MoveEnd(at, oldest, newest)
	case at.Before(end.Add(-length)):
		t.MoveEnd(at.Add(length), oldest, newest)
	}
}
