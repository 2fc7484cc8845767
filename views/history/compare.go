package history

import (
	"fmt"
	"time"

	"cxdeck/perf/compare"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/history/comparing"
)

// show opens the screen: with a session, with a comparison, or with nil in its last state.
func (v *View) show(arg any) ui.Cmd {
	switch arg := arg.(type) {
	case deck.SessionFocus:
		v.Filter.Set("")
		v.selected, v.found = arg.ID, nil
		v.leaveComparison()
		v.arrange()
	case deck.WhatChanged:
		return v.begin(comparing.Request{
			Kind: comparing.WhatChanged, Open: [2]deck.OpenSubject{v.deck.ShownSubject()}, Ranges: [2]compare.Range{1: arg.Range}, Why: arg.Why,
		})
	case deck.AroundChange:
		return v.begin(comparing.Request{Kind: comparing.Around, Open: [2]deck.OpenSubject{v.deck.ChangeSubject(arg.Change)}, Change: arg.Change})
	case deck.CompareRanges:
		return v.begin(comparing.Request{
			Kind: comparing.Pair, Open: [2]deck.OpenSubject{arg.First.Open, arg.Second.Open}, Ranges: [2]compare.Range{arg.First.Range, arg.Second.Range},
		})
	}
	return nil
}

// begin shows a comparison in place of the sessions.
func (v *View) begin(request comparing.Request) ui.Cmd {
	v.comparing = true
	return v.compared.Open(request)
}

// leaveComparison returns to the sessions, and cancels a running comparison.
func (v *View) leaveComparison() ui.Cmd {
	v.comparing = false
	v.compared.Close()
	return v.readNextStrip()
}

// whatChangedAction compares the last fifth of the selected session with the time before it.
func (v *View) whatChangedAction() ui.Action {
	a := v.sessionAction(ui.Action{ID: "history.moved", Keys: []string{"W"}, Name: "what changed",
		Help: "Rank all counters by change between the last fifth of the selected session and the rest"})
	s := v.session()
	if a.Disabled != "" {
		return a
	}
	if s.Samples == 0 {
		a.Disabled = "the session has no samples"
	}
	open := v.deck.SessionSubject(s.ID)
	a.Run = func() ui.Cmd {
		return v.begin(comparing.Request{Kind: comparing.WhatChanged, Open: [2]deck.OpenSubject{open}, Why: fmt.Sprintf("at the end of session %d", s.ID)})
	}
	return a
}

// isMarked reports whether the session of a row is marked.
func (v *View) isMarked(row int) bool {
	return row < len(v.rows) && v.marked[v.sessions[v.rows[row]].ID]
}

// markAction marks the selected session for a comparison. Marking a third session unmarks the other two.
func (v *View) markAction() ui.Action {
	a := v.sessionAction(ui.Action{ID: "history.mark", Keys: []string{" "}, Name: "mark", Hidden: true,
		Help: "Mark the selected session for a comparison, or unmark it"})
	if a.Disabled != "" {
		return a
	}
	id := v.session().ID
	a.Run = func() ui.Cmd {
		if v.marked[id] {
			delete(v.marked, id)
			return nil
		}
		if len(v.marked) >= 2 {
			clear(v.marked)
		}
		v.marked[id] = true
		return nil
	}
	return a
}

// compareAction compares the two marked sessions, or the marked one with the selected one; the older one is the first.
func (v *View) compareAction() ui.Action {
	a := ui.Action{ID: "history.compare", Keys: []string{"c"}, Name: "compare", Disabled: v.closed(),
		Help: "Compare two marked sessions, or the marked one with the selected one: counters, events, registry and host"}
	if a.Disabled != "" {
		return a
	}
	pair := v.pair()
	switch {
	case len(pair) != 2:
		a.Disabled = "mark two sessions with Space first, or mark one and select another"
		return a
	case pair[0].Samples == 0 || pair[1].Samples == 0:
		a.Disabled = "one of the two sessions has no samples"
		return a
	}
	a.Object = fmt.Sprintf("sessions %d and %d", pair[0].ID, pair[1].ID)
	request := comparing.Request{Kind: comparing.Pair, Open: [2]deck.OpenSubject{v.deck.SessionSubject(pair[0].ID), v.deck.SessionSubject(pair[1].ID)}}
	a.Run = func() ui.Cmd { return v.begin(request) }
	return a
}

// pair returns the two sessions that compareAction compares, ordered by their start.
func (v *View) pair() (pair []*store.Session) {
	selected := v.session()
	for i := range v.sessions {
		s := &v.sessions[i]
		if v.marked[s.ID] || len(v.marked) == 1 && selected != nil && s.ID == selected.ID {
			pair = append(pair, s)
		}
	}
	if len(pair) == 2 && pair[1].Recorded.Before(pair[0].Recorded) {
		pair[0], pair[1] = pair[1], pair[0]
	}
	return pair
}

// openAt shows Counters at a time of a session, 0 for the live source; a focus without counters keeps the shown counters.
func (v *View) openAt(session int64, at time.Time, focus deck.Focus) ui.Cmd {
	position := at
	if focus.Range.To.After(at) {
		position = focus.Range.To
	}
	replay := v.deck.Opened()
	switch {
	case replay != nil && replay.Session.ID == session:
		v.moment, v.focus = position, &focus
		return v.goToMoment(replay)
	case session == 0 || v.liveWindowHas(session, at):
		closed := v.deck.CloseReplay()
		if _, _, ok := v.deck.Live.Seekable(); ok { // a log
			return ui.Batch(closed, seekTo(v.deck.Live, position, &focus))
		}
		return ui.Batch(closed, ui.Go("counters", focus))
	}
	v.moment, v.focus = position, &focus
	return v.openSession(session)
}

// liveWindowHas reports whether a session is being recorded and the live window still contains a time of it.
func (v *View) liveWindowHas(session int64, at time.Time) bool {
	if v.deck.Recorder == nil || v.deck.Recorder.Status().Session != session || v.deck.Live.Window() == nil {
		return false
	}
	oldest, _, ok := v.deck.Live.Window().FullSpan()
	return ok && !at.Before(oldest)
}
