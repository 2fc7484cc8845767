package registry

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/store"
	"cxdeck/ui"
)

// history is the changes of keys in all sessions.
type history struct {
	asked   bool
	entries []driver.Entry // of earlier sessions
	of      map[string][]record
}

// record is one change of one key.
type record struct {
	at    time.Time
	value registry.Value
	title string
	// undoes says that it took a change back.
	undoes bool
}

// historyMsg brings the journals of the sessions.
type historyMsg struct {
	entries []driver.Entry
	err     error
}

// historySessions bounds how many sessions are looked through, the newest first.
const historySessions = 200

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
		var msg historyMsg
		for _, s := range sessions[:min(len(sessions), historySessions)] {
			if s.Changes == 0 || s.Running {
				continue
			}
			entries, err := db.SessionJournal(ctx, s.ID)
			if err != nil {
				msg.err = err
				continue // what the others hold is worth showing all the same
			}
			msg.entries = append(msg.entries, entries...)
		}
		return msg
	})
}

func (v *View) takeHistory(msg historyMsg) {
	v.history.entries = msg.entries
	if v.snapshot != nil {
		v.history.index(v.snapshot)
	}
	v.detail.stale = true
}

// index finds the changes of each key of a snapshot, the newest first. The journal of a host that was taken up again is in the
// sessions, too: each change counts once.
func (h *history) index(s *snapshot) {
	type once struct {
		at    int64
		title string
	}
	seen := map[once]bool{}
	h.of = map[string][]record{}
	for _, list := range [][]driver.Entry{s.journal, h.entries} {
		for i := range list {
			e := &list[i]
			key := once{e.Time.UnixNano(), e.Plan.Title}
			if e.Err != "" || seen[key] {
				continue
			}
			seen[key] = true
			for _, o := range e.Plan.Operations {
				if at, value, ok := s.valueOf(o); ok {
					id := s.entries[at].id
					h.of[id] = append(h.of[id], record{e.Time, value, e.Plan.Title, e.Undoes != 0})
				}
			}
		}
	}
	for _, list := range h.of {
		slices.SortStableFunc(list, func(a, b record) int { return b.at.Compare(a.at) })
	}
}
