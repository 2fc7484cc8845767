package events

import (
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/ui"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// View is the Events screen.
type View struct {
	browse.Browser
	deck *deck.Deck

	criteria criteria
	log      *deck.EventLog
	shown    selection
	now      time.Time

	// follow keeps the cursor on the newest event.
	follow bool
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck) *View {
	v := &View{deck: d, follow: true, log: &deck.EventLog{}}
	v.Browser = browse.NewBrowser("events", columns, func() { v.refresh(true) }, v.endFollowing)
	v.Table.SortColumn, v.Table.Descending = timeColumn, true
	v.criteria.text = &v.Filter
	return v
}

func (v *View) ID() string { return "events" }

func (v *View) Title() string { return "Events" }

func (v *View) Help() string {
	return "What happened, newest first: the driver's event log, links and thresholds. v selects the severities that are shown; O filters by the adapter or the source of the selected event; C shows its counters, W what changed since then, or before and after a change; / " +
		"looks for text; x writes the shown events to a file. The detail says what triggers an event and what to do about it. While it follows, the newest " +
		"event stays selected; moving the cursor stops following, f resumes it."
}

// Update handles a message.
func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		if focus, ok := msg.Arg.(deck.EventFocus); ok {
			v.find(focus.Sequence)
		}
		return v.deck.LoadSessionsOnce()
	case ui.DataMsg:
		v.refresh(false)
	case ui.KeyMsg, ui.PasteMsg:
		v.Take(msg)
	case ui.HitMsg:
		return v.hit(msg)
	case exportedMsg:
		return v.exported(msg)
	}
	return nil
}

// refresh adds new events; again reads all events, after a change of the criteria.
func (v *View) refresh(again bool) {
	if m := v.deck.Monitor(); m != nil {
		v.now = m.Status().Now
	}
	v.log = v.deck.Events()
	v.Page.Stale = true
	list := &v.Table.List
	before := -1 // the selected event
	if at := list.Cursor(); at >= 0 && at < len(v.shown.positions) {
		before = v.shown.newest(at)
	}
	added, fresh := v.shown.update(v.log, &v.criteria, again)
	list.SetLength(len(v.shown.positions))
	switch {
	case v.follow || before < 0:
		list.Select(0)
	case fresh && !again:
		list.Select(0) // another log
	case again:
		list.Select(v.shown.row(before))
	case added > 0:
		// The shown rows stay in place; new rows appear above.
		list.Scroll(added)
		list.Select(v.shown.row(before))
	}
}

// find selects the event with a sequence number; if it is hidden, find clears all criteria.
func (v *View) find(sequence uint64) {
	v.log = v.deck.Events()
	first, end := v.log.Span()
	for at := end - 1; at >= first; at-- {
		e := v.log.At(at)
		if e.Sequence != sequence {
			continue
		}
		if !v.criteria.match(e) {
			v.clearCriteria()
		}
		v.refresh(true)
		v.follow = false
		v.Table.List.Select(v.shown.row(at))
		v.openDetail()
		return
	}
}

// endFollowing ends following when the cursor has left the newest event.
func (v *View) endFollowing() {
	v.follow = v.Table.List.Cursor() <= 0 && v.follow
	v.Page.Stale = true
	v.Page.Scroll.Select(0)
}

// event returns the selected event, nil for none.
func (v *View) event() *eventlog.Event {
	at := v.Table.List.Cursor()
	if at < 0 || at >= len(v.shown.positions) {
		return nil
	}
	return v.log.At(v.shown.newest(at))
}

func (v *View) clearCriteria() {
	v.Filter.Set("")
	v.criteria = criteria{text: &v.Filter}
}

func (v *View) openDetail() ui.Cmd {
	v.InPage = true
	v.Page.Scroll.Select(0)
	return nil
}

func (v *View) closeDetail() ui.Cmd {
	v.InPage = false
	return nil
}
