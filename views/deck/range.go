package deck

import (
	"time"

	"cxdeck/perf/compare"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
)

// marking is the range of time that the operator marks on a chart. It belongs to one monitor.
type marking struct {
	monitor *monitor.Monitor
	// begun is the first end, while the second is not set.
	begun time.Time
	// marked is the range when both ends are set.
	marked compare.Range
}

// marking returns the marks of the shown monitor.
func (d *Deck) marking() *marking {
	if m := d.Monitor(); d.marks.monitor != m {
		d.marks = marking{monitor: m}
	}
	return &d.marks
}

// MarkedRange returns the range that the operator has marked on the shown source; ok is false if there is none, or its second end
// is not set yet.
func (d *Deck) MarkedRange() (r compare.Range, ok bool) {
	m := d.marking()
	return m.marked, !m.marked.From.IsZero()
}

// RangeBegun returns the first end of a range that is being marked; ok is false if no range is.
func (d *Deck) RangeBegun() (at time.Time, ok bool) {
	m := d.marking()
	return m.begun, !m.begun.IsZero()
}

// RangeShown returns the ends of the marked range, of the range that a replay repeats, or of the range that is being marked,
// which ends at the position of the replay; zero for none.
func (d *Deck) RangeShown() (from, to time.Time) {
	if r, ok := d.MarkedRange(); ok {
		return r.From, r.To
	}
	m := d.Monitor()
	if m == nil {
		return from, to
	}
	if status := m.Status(); status.RepeatFrom.Before(status.RepeatTo) {
		return status.RepeatFrom, status.RepeatTo
	}
	begun, ok := d.RangeBegun()
	if !ok {
		return from, to
	}
	from, to = begun, d.Position()
	if to.Before(from) {
		from, to = to, from
	}
	return from, to
}

// MarkRange marks the range between two times, in any order. Equal times mark no range.
func (d *Deck) MarkRange(a, b time.Time) {
	m := d.marking()
	if b.Before(a) {
		a, b = b, a
	}
	m.begun, m.marked = time.Time{}, compare.Range{}
	if a.Before(b) {
		m.marked = compare.Range{From: a, To: b}
	}
}

// DropRange clears the marked range, and a range that is being marked.
func (d *Deck) DropRange() {
	m := d.marking()
	m.begun, m.marked = time.Time{}, compare.Range{}
}

// RangeAction marks a range: the first time it sets one end, the second time the other one.
func (d *Deck) RangeAction(screen string, at time.Time) ui.Action {
	a := ui.Action{ID: screen + ".range", Keys: []string{"V"}, Name: "mark range", Hidden: true,
		Help: "Mark the start of a range at the cursor, or at the position of the recording; press again for its end"}
	begun, ok := d.RangeBegun()
	switch {
	case d.Monitor() == nil || at.IsZero():
		a.Disabled = "there is no sample yet"
	case ok && at.Equal(begun):
		a.Name, a.Hidden = "end range", false
		a.Disabled = "the range begins here: move the cursor to its other end first"
	case ok:
		a.Name, a.Hidden = "end range", false
		a.Run = func() ui.Cmd { d.MarkRange(begun, at); return nil }
	default:
		a.Run = func() ui.Cmd {
			d.DropRange()
			d.marking().begun = at
			return nil
		}
	}
	return a
}
