package history

import (
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
	"cxdeck/views/history/comparing"
)

// eventLimit is the maximum number of events in the details of a session.
const eventLimit = 50

// View is the History screen.
type View struct {
	browse.Browser
	deck  *deck.Deck
	order order

	sessions []store.Session
	loaded   bool
	read     time.Time // when the list was last requested
	err      error     // why the sessions could not be read
	rows     []int     // indexes of sessions
	selected int64     // ID of the session under the cursor
	// working names the work outside the terminal loop, empty for none.
	working string

	records map[int64]records // of sessions that were selected
	asked   map[int64]bool    // sessions whose records were requested

	// strips holds the small curves of sessions by ID; stripping is set while one is being read.
	strips    map[int64]strip
	stripping bool
	// found lists the results of a search, nil while the sessions are shown; moment is the time at which the session that is
	// being opened is shown.
	found  *foundList
	moment time.Time
	// focus selects the counters for the session being opened; nil keeps the current ones.
	focus *deck.Focus
	// compared is the comparison, shown in place of the sessions while comparing is set; marked holds the sessions that are
	// marked for a comparison.
	compared  *comparing.Page
	comparing bool
	marked    map[int64]bool
}

// Option changes how a View is made.
type Option func(*View)

// WithLocation sets the time zone of the clock times in comparisons; the local one otherwise.
func WithLocation(location *time.Location) Option {
	return func(v *View) { v.compared.SetZone(location) }
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck, options ...Option) *View {
	v := &View{deck: d, records: map[int64]records{}, asked: map[int64]bool{}, strips: map[int64]strip{}, marked: map[int64]bool{}}
	v.compared = comparing.New(d, v.openAt)
	v.Browser = browse.NewBrowser("history", columns, func() { v.arrange(); v.resetPage() }, v.resetPage)
	v.Table.Descending = true
	v.Table.Marked = v.isMarked
	for _, option := range options {
		option(v)
	}
	return v
}

func (v *View) ID() string { return "history" }

func (v *View) Title() string { return "History" }

func (v *View) Help() string {
	if v.comparing {
		return comparing.Help
	}
	return "Every run of cxdeck is a session: its samples, events and changes are kept on disk. Enter opens the selected " +
		"one as a replay, paused at its end with the last ten minutes in view; Overview, Counters and Events then show it " +
		"in place of the live source until X closes it. Recording continues meanwhile. e writes a note, # edits tags, * pins it, d deletes, Ctrl+f searches all sessions, E " +
		"frees the disk space of deleted sessions. W shows which counters changed at the end of a session; Space marks sessions, and c " +
		"compares two of them."
}

// records holds the lists in the details of a session: its events, newest first, and its marks by time.
type records struct {
	events []eventlog.Event
	marks  []store.Mark
}

// Messages of the work outside the terminal loop.
type (
	openedMsg struct {
		replay *deck.Replay
		err    error
	}
	recordsMsg struct {
		id int64
		records
		err error
	}
	// doneMsg reports that a session was changed.
	doneMsg struct {
		text string
		// did and commands are for the action log.
		did      string
		commands []string
		err      error
	}
)

// Update handles a message.
func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		return ui.Batch(v.show(msg.Arg), v.deck.LoadSessions())
	case deck.SessionsMsg:
		return v.setSessions(msg)
	case stripMsg:
		return v.takeStrip(msg)
	case foundMsg:
		return v.handleFound(msg)
	case recordsMsg:
		if msg.err == nil {
			v.records[msg.id] = msg.records
		} else {
			delete(v.asked, msg.id)
		}
		v.Page.Stale = true
	case deck.NotesMsg:
		if known, ok := v.records[msg.Session]; ok {
			known.marks = msg.Notes
			v.records[msg.Session] = known
		}
		v.Page.Stale = true
	case openedMsg:
		return v.showOpened(msg)
	case doneMsg:
		v.working = ""
		if msg.err != nil {
			return ui.Batch(ui.Toast(ui.Failure, wording.UpperFirst(msg.err.Error())), v.deck.LoadSessions())
		}
		return ui.Batch(ui.Toast(ui.Success, msg.text), ui.Log(v.deck.Live.Status().Now, msg.did, msg.commands),
			v.deck.LoadSessions())
	case ui.DataMsg:
		return ui.Batch(v.readNextStrip(), v.renew())
	case ui.KeyMsg, ui.PasteMsg:
		if v.comparing {
			return v.compared.Take(msg)
		}
		v.Take(msg)
		return v.request()
	case ui.HitMsg:
		if v.comparing {
			return v.compared.Hit(msg)
		}
		return v.hit(msg)
	}
	return v.compared.Update(msg)
}

// Typing reports whether a filter receives the keys.
func (v *View) Typing() bool {
	if v.comparing {
		return v.compared.Typing()
	}
	return v.Browser.Typing()
}

// renewAfter is the maximum age of the list while a session is recorded.
const renewAfter = 5 * time.Second

// renew reads the list again after renewAfter, while a session is recorded.
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

// setSessions stores the list of sessions.
func (v *View) setSessions(msg deck.SessionsMsg) ui.Cmd {
	v.loaded = true
	if v.err = msg.Err; v.err != nil {
		return nil
	}
	v.sessions = msg.Sessions
	v.deck.KeepSessions(msg.Sessions)
	clear(v.asked) // there may be new events and marks
	v.arrange()
	v.resetPage()
	return v.request()
}

// arrange rebuilds the rows and keeps the cursor on its session.
func (v *View) arrange() {
	v.rows = choose(v.sessions, &v.Filter, v.order)
	v.Page.Stale = true
	v.Table.List.SetLength(len(v.rows))
	for i, r := range v.rows {
		if v.sessions[r].ID == v.selected {
			v.Table.List.Select(i)
			return
		}
	}
}

// resetPage scrolls the page to its top if another session is selected.
func (v *View) resetPage() {
	if s := v.session(); s != nil && s.ID != v.selected {
		v.selected, v.Page.Stale = s.ID, true
		v.Page.Scroll.Select(0)
	}
}

// request requests the records of the selected session, once, and the strips of the rows in view.
func (v *View) request() ui.Cmd {
	s := v.session()
	if s == nil {
		return nil
	}
	db, id := v.deck.DB, s.ID
	if v.asked[id] || db == nil {
		return v.readNextStrip()
	}
	v.asked[id] = true
	return ui.Batch(readRecords(db, id), v.readNextStrip())
}

// session returns the selected session, nil for none.
func (v *View) session() *store.Session {
	if at := widget.At(&v.Table.List, v.rows); at != nil {
		return &v.sessions[*at]
	}
	return nil
}

// showOpened shows an opened session on the other screens.
func (v *View) showOpened(msg openedMsg) ui.Cmd {
	v.working = ""
	if msg.err != nil {
		v.moment, v.focus = time.Time{}, nil
		return ui.Toast(ui.Failure, wording.UpperFirst(msg.err.Error()))
	}
	return ui.Batch(v.deck.ShowReplay(msg.replay), v.goToMoment(msg.replay))
}
