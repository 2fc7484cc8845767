package timeline

import "time"

// Spans are the lengths of the window that can be chosen. Up to ten minutes all samples are there; beyond, minimum,
// maximum and average of 30 seconds.
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

// defaultSpan is the index of the usual window; the screen opens with a shorter one while there is less to show.
const defaultSpan = 1

// Timeline is which period of time is shown, and where the cursor is in it. Times are the source's.
type Timeline struct {
	Span int
	// Growing is set until there is more to show than the first window holds, or the operator chooses one.
	Growing bool
	// End is the newest time that shows; zero follows the newest sample.
	End time.Time
	// Frozen holds the picture still at end.
	Frozen bool
	// Cursor is zero when there is none.
	Cursor time.Time
}

// Frame is a period of time cut into equal pieces, one for each dot column of a chart.
type Frame struct {
	From, To    time.Time
	PieceLength time.Duration
}

// grain divides the length of every piece.
const grain = 10 * time.Millisecond

// Frame cuts what is shown into pieces that begin at absolute multiples of their length: as time passes, pieces move
// but never change what they hold, and the curve doesn't shimmer.
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

// contains reports whether a time shows.
func (f Frame) contains(t time.Time) bool { return !t.Before(f.From) && t.Before(f.To) }

// Piece returns the index of the piece that holds a time, -1 when it doesn't show.
func (f Frame) Piece(t time.Time) int {
	if !f.contains(t) || f.PieceLength <= 0 {
		return -1
	}
	return int(t.Sub(f.From) / f.PieceLength)
}

// Last returns the newest time that shows.
func (t *Timeline) Last(newest time.Time) time.Time {
	if t.End.IsZero() || t.End.After(newest) && !t.Frozen {
		return newest
	}
	return t.End
}

// Following reports whether new samples move the picture.
func (t *Timeline) Following() bool { return t.End.IsZero() }

// Extend makes the initial window long enough for the existing samples, up to the usual length: the first minute is worth more than
// a sliver at the edge. It does nothing once the operator has zoomed, frozen or moved the window.
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

// MoveEnd shows the time up to end, as near as there is something to see.
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

// Freeze keeps the present picture, or lets it continue.
func (t *Timeline) Freeze(newest time.Time) {
	if t.Frozen {
		t.Frozen, t.End = false, time.Time{}
		return
	}
	t.End = t.Last(newest)
	t.Frozen = true
}

// MoveCursor moves the cursor by steps; without one it begins at the newest time that shows. At the edge the window
// follows the cursor.
func (t *Timeline) MoveCursor(steps int, step time.Duration, oldest, newest time.Time) {
	if t.Cursor.IsZero() {
		t.Cursor = t.Last(newest)
	} else {
		t.Cursor = t.Cursor.Add(time.Duration(steps) * step)
	}
	t.SetCursor(t.Cursor, oldest, newest)
}

// SetCursor puts the cursor on a time, and the window where the cursor shows.
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
