package registry

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/registry/keyset"
)

// history holds the changes of keys in all sessions.
type history struct {
	asked   bool
	entries []driver.Entry // of earlier sessions
	of      map[string][]record
	// read is the number of sessions that have been read, of all sessions with changes.
	read, all int
	// whole is the key of which all changes are shown.
	whole string
}

// record is one change of one key.
type record struct {
	at    time.Time
	value registry.Value
	title string
	// undoes is set if it undid a change.
	undoes bool
}

// historyMsg contains the journals of some sessions; rest lists the sessions still to be read. all is their number.
type historyMsg struct {
	entries []driver.Entry
	rest    []int64
	all     int
	err     error
}

// historyPage is the number of sessions that are read at a time, the newest first.
const historyPage = 100

// loadHistory reads the journals of all sessions, once.
func (v *View) loadHistory() ui.Cmd {
	db := v.deck.DB
	if db == nil || v.history.asked {
		return nil
	}
	v.history.asked = true
	return ui.Background("Read the changes of all sessions", func(ctx context.Context) ui.Msg {
		sessions, err := db.Sessions(ctx)
		if err != nil {
			return historyMsg{err: err}
		}
		slices.SortFunc(sessions, func(a, b store.Session) int { return b.Recorded.Compare(a.Recorded) })
		var numbers []int64
		for _, s := range sessions {
			if s.Changes > 0 && !s.Running {
				numbers = append(numbers, s.ID)
			}
		}
		return readHistory(ctx, db, numbers, len(numbers))
	})
}

// readHistory reads the journals of the next page of sessions; all is the number of all sessions with changes.
func readHistory(ctx context.Context, db *store.DB, sessions []int64, all int) historyMsg {
	page := sessions[:min(len(sessions), historyPage)]
	msg := historyMsg{rest: sessions[len(page):], all: all}
	for _, id := range page {
		entries, err := db.SessionJournal(ctx, id)
		if err != nil {
			msg.err = err
			continue // the other sessions can be shown anyway
		}
		msg.entries = append(msg.entries, entries...)
	}
	return msg
}

// takeHistory adds the journals that were read, and reads the next page.
func (v *View) takeHistory(msg historyMsg) ui.Cmd {
	h := &v.history
	h.entries = append(h.entries, msg.entries...)
	h.read, h.all = msg.all-len(msg.rest), msg.all
	if v.snapshot != nil {
		h.index(v.snapshot, v.historyEnd())
	}
	v.detail.Stale = true
	if len(msg.rest) == 0 {
		return nil
	}
	db := v.deck.DB
	return ui.Background("Read the changes of older sessions", func(ctx context.Context) ui.Msg {
		return readHistory(ctx, db, msg.rest, msg.all)
	})
}

// historyEnd returns the time of the shown replay; zero for the live source.
func (v *View) historyEnd() time.Time {
	if _, ok := v.deck.ReplaySession(); !ok {
		return time.Time{}
	}
	return v.deck.Monitor().Status().Now
}

// index finds the changes of each key of a snapshot, the newest first. Changes that are in the host's journal and in a session
// are listed once. Unless end is zero, changes after it are left out: they are in the future of a replay.
func (h *history) index(s *keyset.Snapshot, end time.Time) {
	type once struct {
		at    int64
		title string
	}
	seen := map[once]bool{}
	h.of = map[string][]record{}
	for _, list := range [][]driver.Entry{s.Journal, h.entries} {
		for i := range list {
			e := &list[i]
			key := once{e.Time.UnixNano(), e.Plan.Title}
			if e.Err != "" || seen[key] || !end.IsZero() && e.Time.After(end) {
				continue
			}
			seen[key] = true
			for _, o := range e.Plan.Operations {
				if at, value, ok := s.ValueOf(o); ok {
					id := s.Entries[at].ID
					h.of[id] = append(h.of[id], record{e.Time, value, e.Plan.Title, e.Undoes != 0})
				}
			}
		}
	}
	for _, list := range h.of {
		slices.SortStableFunc(list, func(a, b record) int { return b.at.Compare(a.at) })
	}
}
