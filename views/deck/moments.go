package deck

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cxdeck/perf/threshold"
	"cxdeck/store"
	"cxdeck/store/sessions"
	"cxdeck/ui"
)

// MomentKind says what is at a moment.
type MomentKind uint8

// The kinds of moments, the least important first. Where several are at one time, the most important counts.
const (
	EventMoment MomentKind = iota
	CrossingMoment
	ChangeMoment
	NoteMoment
)

// Moment is a time of a session that is worth going to.
type Moment struct {
	At   time.Time
	Kind MomentKind
}

// Moments returns the session's events, changes and notes by time, including the ones after the current position, one for each
// time.
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

// AskNote asks for a note on a moment or a range of the session that shows, or of the one that is being recorded.
func (d *Deck) AskNote(from, to time.Time) ui.Cmd {
	id, db, replay := d.notedSession(), d.DB, d.replay
	check := func(text string) string {
		if n := utf8.RuneCountInString(text); n > sessions.MaxMarkText {
			return fmt.Sprintf("%d characters are too many: %d are the maximum", n, sessions.MaxMarkText)
		}
		return ""
	}
	title := "Note at " + from.Format("15:04:05")
	if to.After(from) {
		title = "Note on " + from.Format("15:04:05") + " to " + to.Format("15:04:05")
	}
	return ui.Prompt(title, fmt.Sprintf("On session %d", id), "", check, func(text string) ui.Cmd {
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		return ui.Background("Write a note", func(ctx context.Context) ui.Msg {
			_, err := db.AddMark(ctx, store.Mark{Session: id, From: from, To: to, Text: text})
			if err != nil {
				return ui.Toast(ui.Failure, "The note is not saved: "+err.Error())()
			}
			if replay != nil {
				_ = replay.readMoments(ctx, db) // the marks of before stay
			}
			return ui.Toast(ui.Success, "The note is saved.")()
		})
	})
}

// notedSession is the session that notes are written on, 0 for none.
func (d *Deck) notedSession() int64 {
	switch {
	case d.DB == nil || d.Unwritable != "":
		return 0
	case d.replay != nil:
		return d.replay.Session.ID
	case d.Recorder != nil:
		return d.Recorder.Status().Session
	}
	return 0
}

// NoteAction writes a note on a moment.
func (d *Deck) NoteAction(screen string, at time.Time) ui.Action {
	a := ui.Action{ID: screen + ".note", Keys: []string{"e"}, Name: "note", Hidden: true, Changes: true,
		Help: "Write a note on the marked range, else on the time of the cursor or where the recording stands; sessions search finds it"}
	if d.notedSession() == 0 {
		a.Disabled = "there is no recording to write a note on"
		return a
	}
	from, to := at, at
	if marked, ok := d.MarkedRange(); ok {
		from, to = marked.From.In(at.Location()), marked.To.In(at.Location())
	}
	a.Run = func() ui.Cmd { return d.AskNote(from, to) }
	return a
}

// Around are the last moment before a time and the first one after it, zero where there is none.
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
