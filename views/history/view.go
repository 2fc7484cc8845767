package history

import (
	"fmt"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// eventLimit is how many of a session's newest events its details show.
const eventLimit = 50

// View is the History screen.
type View struct {
	deck *deck.Deck

	table  widget.Table
	detail widget.List // first line of the details that shows
	filter browse.Filter
	order  order

	sessions []store.Session
	loaded   bool
	read     time.Time // when the list was asked for last
	err      error     // why the sessions could not be read
	rows     []int     // indexes of sessions
	selected int64     // ID of the session under the cursor
	// working names the work outside the terminal loop, empty for none.
	working string

	events   map[int64][]eventlog.Event // newest events of sessions that were selected, newest first
	asked    map[int64]bool             // sessions whose events have been asked for
	opened   bool
	inDetail bool
	page     page
}

// New makes the screen.
func New(d *deck.Deck) *View {
	v := &View{deck: d, events: map[int64][]eventlog.Event{}, asked: map[int64]bool{}}
	v.table = widget.Table{ID: "history.table", Columns: columns, Descending: true}
	return v
}

// ID is "history".
func (v *View) ID() string { return "history" }

// Title is "History".
func (v *View) Title() string { return "History" }

// Help explains the screen.
func (v *View) Help() string {
	return "Every run of cxdeck is a session: its samples, events and changes are kept on disk. Enter opens the selected " +
		"one as a replay, paused at its end with the last ten minutes in view; Overview, Counters and Events then show it " +
		"in place of the live source until X closes it. Recording goes on all the while. e writes a note, * keeps one whatever its age, d deletes, E " +
		"frees the disk space of deleted sessions."
}

// Typing says whether the filter takes the keys.
func (v *View) Typing() bool { return v.filter.Typing() }

// Messages of the work outside the terminal loop.
type (
	openedMsg struct {
		replay *deck.Replay
		err    error
	}
	eventsMsg struct {
		id     int64
		events []eventlog.Event
		err    error
	}
	// doneMsg says that a session was changed.
	doneMsg struct {
		text string
		// did and commands are for the action log.
		did      string
		commands []string
		err      error
	}
)

// Update takes a message.
func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		if focus, ok := msg.Arg.(deck.SessionFocus); ok {
			v.filter.Set("")
			v.selected = focus.ID
			v.arrange()
		}
		return v.deck.LoadSessions()
	case deck.SessionsMsg:
		return v.take(msg)
	case eventsMsg:
		if msg.err == nil {
			v.events[msg.id] = msg.events
		} else {
			delete(v.asked, msg.id)
		}
		v.page = page{}
	case openedMsg:
		return v.show(msg)
	case doneMsg:
		v.working = ""
		if msg.err != nil {
			return ui.Batch(ui.Toast(ui.Failure, deck.Sentence(msg.err.Error())), v.deck.LoadSessions())
		}
		return ui.Batch(ui.Toast(ui.Success, msg.text), ui.Log(v.deck.Live.Status().Now, msg.did, msg.commands),
			v.deck.LoadSessions())
	case ui.DataMsg:
		return v.renew()
	case ui.KeyMsg, ui.PasteMsg:
		return v.key(msg)
	case ui.HitMsg:
		return v.hit(msg)
	}
	return nil
}

func (v *View) key(msg ui.Msg) ui.Cmd {
	changed, moved := v.filter.Take(&v.table.List, msg)
	if changed {
		v.arrange()
	}
	if changed || moved {
		return v.moved()
	}
	return nil
}

// renewAfter is how old the list may get while a session is recorded.
const renewAfter = 5 * time.Second

// renew reads the list again from time to time while a session is recorded, because it grows.
func (v *View) renew() ui.Cmd {
	if v.deck.Recorder == nil || !v.loaded {
		return nil
	}
	if now := v.deck.WallTime(); now.Sub(v.read).Abs() >= renewAfter {
		v.read = now
		return v.deck.LoadSessions()
	}
	return nil
}

// take takes over the list of sessions.
func (v *View) take(msg deck.SessionsMsg) ui.Cmd {
	v.loaded = true
	if v.err = msg.Err; v.err != nil {
		return nil
	}
	v.sessions = msg.Sessions
	v.deck.KeepSessions(msg.Sessions)
	for i := range v.sessions {
		if v.sessions[i].Running {
			delete(v.asked, v.sessions[i].ID) // it may have more events by now
		}
	}
	v.page = page{}
	v.arrange()
	return v.moved()
}

// arrange rebuilds the rows and keeps the cursor on its session.
func (v *View) arrange() {
	v.rows = choose(v.sessions, &v.filter, v.order)
	v.table.List.SetLength(len(v.rows))
	for i, r := range v.rows {
		if v.sessions[r].ID == v.selected {
			v.table.List.Select(i)
			return
		}
	}
}

// moved stores the session under the cursor and requests its events.
func (v *View) moved() ui.Cmd {
	s := v.session()
	if s == nil {
		return nil
	}
	if s.ID != v.selected {
		v.selected = s.ID
		v.detail.Select(0)
	}
	db, id := v.deck.DB, s.ID
	if v.asked[id] || s.Events == 0 || db == nil {
		return nil
	}
	v.asked[id] = true
	return readEvents(db, id)
}

// session is the selected session, nil when there is none.
func (v *View) session() *store.Session {
	at := v.table.List.Cursor()
	if at < 0 || at >= len(v.rows) {
		return nil
	}
	return &v.sessions[v.rows[at]]
}

// show brings an opened session to the other screens.
func (v *View) show(msg openedMsg) ui.Cmd {
	v.working = ""
	if msg.err != nil {
		return ui.Toast(ui.Failure, deck.Sentence(msg.err.Error()))
	}
	text := fmt.Sprintf("Session %d is open, paused at its end. X closes it.", msg.replay.Session.ID)
	return ui.Batch(v.deck.ShowReplay(msg.replay), ui.Go("counters", nil), ui.Toast(ui.Note, text))
}
