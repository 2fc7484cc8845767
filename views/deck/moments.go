package deck

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cxdeck/perf/threshold"
	"cxdeck/store"
)

// MomentKind is the kind of a moment.
type MomentKind uint8

// The kinds of moments, the least important first. Several moments at one time become one, of the most important kind.
const (
	EventMoment MomentKind = iota
	CrossingMoment
	ChangeMoment
	NoteMoment
)

// Moment is a time of a session to which keys can seek.
type Moment struct {
	At   time.Time
	Kind MomentKind
}

// Moments returns the session's events, changes and notes by time, one for each time, including times after the present
// position.
func (r *Replay) Moments() []Moment {
	if list := r.moments.Load(); list != nil {
		return *list
	}
	return nil
}

// readMoments reads the moments from the history.
func (r *Replay) readMoments(ctx context.Context, db *store.DB) error {
	events, err := db.SessionEvents(ctx, r.Session.ID)
	if err != nil {
		return err
	}
	marks, err := db.Marks(ctx, r.Session.ID)
	if err != nil {
		return err
	}
	r.notes.Store(&marks)
	var list []Moment
	for i := range marks {
		list = append(list, Moment{marks[i].From, NoteMoment})
		if marks[i].To.After(marks[i].From) {
			list = append(list, Moment{marks[i].To, NoteMoment})
		}
	}
	for i := range r.Journal {
		list = append(list, Moment{r.Journal[i].Time, ChangeMoment})
	}
	for i := range events {
		kind := EventMoment
		if events[i].Source == threshold.EventSource {
			kind = CrossingMoment
		}
		list = append(list, Moment{events[i].Time, kind})
	}
	slices.SortFunc(list, func(a, b Moment) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(b.Kind, a.Kind)) })
	list = slices.CompactFunc(list, func(a, b Moment) bool { return a.At.Equal(b.At) })
	r.moments.Store(&list)
	return nil
}

// Around returns the last moment before a time and the first one after it, zero for none.
func (r *Replay) Around(at time.Time) (before, after time.Time) {
	list := r.Moments()
	i, found := slices.BinarySearchFunc(list, at, func(m Moment, at time.Time) int { return m.At.Compare(at) })
	if i > 0 {
		before = list[i-1].At
	}
	if found {
		i++
	}
	if i < len(list) {
		after = list[i].At
	}
	return before, after
}
