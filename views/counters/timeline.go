package counters

import "time"

// spans are the lengths of the window that can be chosen. Up to ten minutes all samples are there; beyond, minimum,
// maximum and average of 30 seconds.
var spans = [...]struct {
	length time.Duration
	name   string
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

// timeline is which period of time is shown, and where the cursor is in it. Times are the source's.
type timeline struct {
	span int
	// growing is set until there is more to show than the first window holds, or the operator chooses one.
	growing bool
	// end is the newest time that shows; zero follows the newest sample.
	end time.Time
	// frozen holds the picture still at end.
	frozen bool
	// cursor is zero when there is none.
	cursor time.Time
}

// frame is a period of time cut into equal pieces, one for each dot column of a chart.
type frame struct {
	from, to    time.Time
	pieceLength time.Duration
}

// grain divides the length of every piece.
const grain = 10 * time.Millisecond

// frame cuts what is shown into pieces that begin at absolute multiples of their length: as time passes, pieces move
// but never change what they hold, and the curve doesn't shimmer.
func (t *timeline) frame(newest time.Time, dots int) frame {
	dots = max(dots, 1)
	end := t.last(newest)
	pieceLength := (spans[t.span].length + time.Duration(dots) - 1) / time.Duration(dots)
	pieceLength += (grain - pieceLength%grain) % grain
	start := time.Unix(0, floor(end.UnixNano(), int64(pieceLength)))
	to := start.Add(pieceLength).UTC()
	return frame{from: to.Add(-time.Duration(dots) * pieceLength), to: to, pieceLength: pieceLength}
}

// floor returns the largest multiple of step at or below n.
func floor(n, step int64) int64 {
	m := n % step
	if m < 0 {
		m += step
	}
	return n - m
}

// contains reports whether a time shows.
func (f frame) contains(t time.Time) bool { return !t.Before(f.from) && t.Before(f.to) }

// piece returns the index of the piece that holds a time, -1 when it doesn't show.
func (f frame) piece(t time.Time) int {
	if !f.contains(t) || f.pieceLength <= 0 {
		return -1
	}
	return int(t.Sub(f.from) / f.pieceLength)
}

// last returns the newest time that shows.
func (t *timeline) last(newest time.Time) time.Time {
	if t.end.IsZero() || t.end.After(newest) && !t.frozen {
		return newest
	}
	return t.end
}

// following reports whether new samples move the picture.
func (t *timeline) following() bool { return t.end.IsZero() }

// extend makes the window that the screen opens with long enough for what there is, up to the usual length: the first
// minute is worth more than a sliver at the edge. Whoever zooms, freezes or moves in time has chosen.
func (t *timeline) extend(held time.Duration) {
	if t.growing && t.following() && held > spans[t.span].length {
		t.span, t.growing = defaultSpan, false
	}
}

// zoom makes the window shorter (negative) or longer.
func (t *timeline) zoom(steps int) {
	t.growing = false
	t.span = max(0, min(t.span+steps, len(spans)-1))
}

// scroll moves the window by part of its length, negative into the past; it stays within oldest and newest.
func (t *timeline) scroll(part float64, oldest, newest time.Time) {
	t.moveEnd(t.last(newest).Add(time.Duration(part*float64(spans[t.span].length))), oldest, newest)
}

// moveEnd shows the time up to end, as near as there is something to see.
func (t *timeline) moveEnd(end, oldest, newest time.Time) {
	if !end.Before(newest) {
		if t.frozen {
			t.end = newest
			return
		}
		t.end = time.Time{}
		return
	}
	if end.Before(oldest) {
		end = oldest
	}
	t.end = end
}

// freeze holds the picture at what it shows now, or lets it continue.
func (t *timeline) freeze(newest time.Time) {
	if t.frozen {
		t.frozen, t.end = false, time.Time{}
		return
	}
	t.end = t.last(newest)
	t.frozen = true
}

// moveCursor moves the cursor by steps; without one it begins at the newest time that shows. At the edge the window
// follows the cursor.
func (t *timeline) moveCursor(steps int, step time.Duration, oldest, newest time.Time) {
	if t.cursor.IsZero() {
		t.cursor = t.last(newest)
	} else {
		t.cursor = t.cursor.Add(time.Duration(steps) * step)
	}
	t.setCursor(t.cursor, oldest, newest)
}

// setCursor puts the cursor on a time, and the window where the cursor shows.
func (t *timeline) setCursor(at, oldest, newest time.Time) {
	if at.After(newest) {
		at = newest
	}
	if at.Before(oldest) {
		at = oldest
	}
	t.cursor = at
	end := t.last(newest)
	length := spans[t.span].length
	switch {
	case at.After(end):
		t.moveEnd(at, oldest, newest)
	case at.Before(end.Add(-length)):
		t.moveEnd(at.Add(length), oldest, newest)
	}
}
