package events

import (
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// View is the Events screen.
type View struct {
	deck *deck.Deck

	table    widget.Table
	detail   widget.List // first line of the detail that shows
	filter   browse.Filter
	criteria criteria
	log      *deck.EventLog
	shown    selection
	now      time.Time

	// follow keeps the cursor on the newest event.
	follow bool
	// opened shows the detail in place of the table, where there is no room beside it.
	opened bool
	// inDetail gives the detail the focus.
	inDetail bool
	page     page
}

// New makes the screen.
func New(d *deck.Deck) *View {
	v := &View{deck: d, follow: true, log: &deck.EventLog{}}
	v.criteria.text = &v.filter
	v.table = widget.Table{ID: "events.table", Columns: columns, SortColumn: timeColumn, Descending: true}
	return v
}

// ID is "events".
func (v *View) ID() string { return "events" }

// Title is "Events".
func (v *View) Title() string { return "Events" }

// Help explains the screen.
func (v *View) Help() string {
	return "What happened, newest first: the driver's event log, links and thresholds. v goes through " +
		"the severities that show; O keeps to the adapter or the source of the selected event; C shows its counters; / " +
		"looks for text. The detail says what triggers an event and what to do about it. While it follows, the newest " +
		"event stays selected; moving the cursor ends that, f resumes it."
}

// Typing says whether the filter takes the keys.
func (v *View) Typing() bool { return v.filter.Typing() }

// Update takes a message.
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
		v.filter.Follow(&v.table.List, msg, func() { v.refresh(true) }, v.moved)
	case ui.HitMsg:
		return v.hit(msg)
	}
	return nil
}

// refresh adds new events; again reads all of them, because the criteria changed.
func (v *View) refresh(again bool) {
	if m := v.deck.Monitor(); m != nil {
		v.now = m.Status().Now
	}
	v.log = v.deck.Events()
	list := &v.table.List
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

// find shows the event with a sequence number, dropping the criteria that hide it.
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
		v.table.List.Select(v.shown.row(at))
		v.openDetail()
		return
	}
}

// moved ends following when the cursor has left the newest event.
func (v *View) moved() {
	v.follow = v.table.List.Cursor() <= 0 && v.follow
	v.detail.Select(0)
}

// event is the selected event, nil when there is none.
func (v *View) event() *eventlog.Event {
	at := v.table.List.Cursor()
	if at < 0 || at >= len(v.shown.positions) {
		return nil
	}
	return v.log.At(v.shown.newest(at))
}

func (v *View) clearCriteria() {
	v.filter.Set("")
	v.criteria = criteria{text: &v.filter}
}

func (v *View) openDetail() { v.opened, v.inDetail = true, true; v.detail.Select(0) }

func (v *View) closeDetail() { v.opened, v.inDetail = false, false }
