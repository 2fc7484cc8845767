package history

import (
	"fmt"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/notes"
)

// noteLimit is the maximum length of a note in characters.
const noteLimit = 200

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	if v.comparing {
		return append(v.compared.Actions(v.leaveComparison), v.findAction(), v.deck.CloseReplayAction("history", "X"))
	}
	if v.found != nil {
		return v.foundActions()
	}
	actions := append(v.moveActions(), v.deck.ReplayActions("history")...)
	return append(actions, v.openAction(), v.closeAction(),
		v.noteAction(),
		v.whatChangedAction(), v.markAction(), v.compareAction(), v.pinAction(), v.deleteAction(), v.findAction(),
		v.sessionAction(ui.Action{ID: "history.tags", Keys: []string{"#"}, Name: "tags", Changes: true,
			Help: "Edit the tags of the selected session", Run: v.askTags}),
		ui.Action{ID: "history.filter", Keys: []string{"/"}, Name: "filter", Disabled: v.closed(),
			Help: "Show only sessions with a text in host, source, note, tags or date", Run: v.OpenFilter},
		ui.Action{ID: "history.sort", Keys: []string{"s"}, Name: "sort by " + ((v.order + 1) % orderCount).String(),
			Disabled: v.closed(), Help: "Sort by start, duration, samples or size", Run: v.nextOrder},
		ui.Action{ID: "history.refresh", Keys: []string{"f5"}, FormerKeys: []string{"r"}, Name: "refresh", Disabled: v.closed(),
			Help: "Reload the list of sessions", Run: v.deck.LoadSessions},
		v.vacuumAction(), v.whyAction(),
		ui.Action{ID: "history.focus", Keys: []string{"tab"}, Name: "details", Hidden: true,
			Help: "Move between the sessions and the details", Run: v.nextPart},
	)
}

// whyAction asks the Diagnose screen about the host of the selected session, which must be open.
func (v *View) whyAction() ui.Action {
	about, s := deck.Why{}, v.session()
	if s != nil {
		if m := v.deck.Monitor(); m != nil && m.Inventory() != nil {
			about.Object = m.Inventory().Host
		}
	}
	a := v.deck.WhyAction("history", about)
	if s != nil && v.deck.ShownSession() != s.ID && a.Disabled == "" {
		a.Disabled = "open the session first (Enter): the rules run on what is shown"
	}
	return a
}

// noteAction writes the note of the selected session; in the details it opens the notes at points in it.
func (v *View) noteAction() ui.Action {
	a := v.sessionAction(ui.Action{ID: "history.note", Keys: []string{"e"}, FormerKeys: []string{"n"}, Name: "note", Changes: true,
		Help: "Write a note on the selected session; in the details, change or delete the notes at points in it", Run: v.askNote})
	if s := v.session(); s != nil && v.InPage {
		if list := v.records[s.ID].marks; len(list) > 0 {
			a.Name = "notes"
			a.Run = func() ui.Cmd { return notes.Open(v.deck, list, nil) }
		}
	}
	return a
}

func (v *View) moveActions() []ui.Action {
	if v.InPage {
		return deck.ListActions("history", &v.Page.Scroll, nil)
	}
	actions := deck.ListActions("history", &v.Table.List, v.resetPage)
	for i := range actions {
		move := actions[i].Run
		actions[i].Run = func() ui.Cmd { move(); return v.request() }
	}
	return actions
}

// closed returns why there is no history; empty if there is one.
func (v *View) closed() string {
	switch {
	case v.deck.DB == nil:
		return v.noDB()
	case v.err != nil:
		return "the sessions could not be read: " + v.err.Error()
	}
	return ""
}

// noDB returns why there is no history file, a phrase.
func (v *View) noDB() string {
	if v.deck.NoDB != "" {
		return v.deck.NoDB
	}
	return "no history: started without a history file"
}

// sessionAction completes an action on the selected session: it sets its object, or the reason why it is disabled.
func (v *View) sessionAction(a ui.Action) ui.Action {
	if a.Disabled = v.closed(); a.Disabled != "" {
		return a
	}
	s := v.session()
	if s == nil {
		a.Disabled = "no session is selected"
		return a
	}
	if v.working != "" {
		a.Disabled = v.working
	}
	a.Object = fmt.Sprintf("session %d", s.ID)
	return a
}

func (v *View) openAction() ui.Action {
	a := v.sessionAction(ui.Action{ID: "history.open", Keys: []string{"enter"}, Name: "open",
		Help: "Open the selected session as a replay, paused at its end", Run: v.open})
	if s := v.session(); a.Disabled == "" && s.Samples == 0 {
		a.Disabled = "the session has no samples to show"
	}
	return a
}

func (v *View) open() ui.Cmd {
	v.moment, v.focus = time.Time{}, nil
	return v.openSession(v.session().ID)
}

func (v *View) openSession(id int64) ui.Cmd {
	v.working = fmt.Sprintf("session %d is being opened", id)
	return open(v.deck.DB, id, v.deck.Restore)
}

// closeAction closes the replay; Esc first leaves the details or the filter.
func (v *View) closeAction() ui.Action {
	switch {
	case v.InPage:
		return ui.Action{ID: "history.back", Keys: []string{"esc"}, Name: "back",
			Help: "Go back from the details to the sessions", Run: v.nextPart}
	case v.Filter.Active():
		return ui.Action{ID: "history.all", Keys: []string{"esc"}, Name: "show all",
			Help: "Clear the filter", Run: v.dropFilter}
	}
	return v.deck.CloseReplayAction("history", "X", "esc")
}

func (v *View) askNote() ui.Cmd {
	s, db := v.session(), v.deck.DB
	id := s.ID
	check := func(text string) string {
		if n := len([]rune(text)); n > noteLimit {
			return fmt.Sprintf("a note has at most %d characters, this one has %d", noteLimit, n)
		}
		return ""
	}
	return ui.Prompt(fmt.Sprintf("Note on session %d", id), "Note", s.Note, check, func(text string) ui.Cmd {
		return writeNote(db, id, text)
	})
}

// pinAction pins the selected session, so that max_age and max_size keep it, or unpins it.
func (v *View) pinAction() ui.Action {
	a := v.sessionAction(ui.Action{ID: "history.pin", Keys: []string{"*"}, Name: "pin", Changes: true,
		Help: "Pin the selected session (max_age and max_size do not delete it), or unpin it"})
	if a.Disabled != "" {
		return a
	}
	s, db := v.session(), v.deck.DB
	if s.Pinned {
		a.Name = "unpin"
	}
	id, pinned := s.ID, !s.Pinned
	a.Run = func() ui.Cmd { return pin(db, id, pinned) }
	return a
}

func (v *View) deleteAction() ui.Action {
	a := v.sessionAction(ui.Action{ID: "history.delete", Keys: []string{"d", "delete"}, Name: "delete", Dangerous: true, Changes: true,
		Help: "Delete the selected session with its samples, events and changes"})
	s := v.session()
	if a.Disabled != "" {
		return a
	}
	if s.Running {
		a.Disabled = fmt.Sprintf("session %d is being recorded", s.ID)
		return a
	}
	if s.Pinned {
		a.Disabled = fmt.Sprintf("session %d is pinned: * unpins it", s.ID)
		return a
	}
	if open, ok := v.deck.ReplaySession(); ok && open.ID == s.ID {
		a.Disabled = fmt.Sprintf("session %d is open: X closes it", s.ID)
		return a
	}
	id, started := s.ID, s.Recorded.Format(timeFormat)
	a.Question = fmt.Sprintf("Delete session %d of %s (%s, %s) permanently?", id, started, s.Source.Name, wording.Count(s.Events, "event"))
	a.Run = func() ui.Cmd {
		v.working = fmt.Sprintf("session %d is being deleted", id)
		return remove(v.deck.DB, id)
	}
	return a
}

func (v *View) vacuumAction() ui.Action {
	a := ui.Action{ID: "history.vacuum", Keys: []string{"E"}, FormerKeys: []string{"v"}, Name: "vacuum", Changes: true, Disabled: v.closed(),
		Help: "Free the disk space of deleted sessions",
		Run: func() ui.Cmd {
			v.working = "disk space is being freed already"
			return vacuum(v.deck.DB)
		}}
	if a.Disabled == "" {
		a.Disabled = v.working
	}
	return a
}

func (v *View) dropFilter() ui.Cmd {
	v.Filter.Set("")
	v.arrange()
	return nil
}

func (v *View) nextOrder() ui.Cmd {
	v.order = (v.order + 1) % orderCount
	v.arrange()
	return nil
}

func (v *View) nextPart() ui.Cmd {
	v.InPage = !v.InPage
	return nil
}

// hit handles the mouse; each zone does the same as a key.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	if v.found != nil {
		return v.hitFound(msg)
	}
	if v.Hit(msg) {
		return v.request()
	}
	switch msg.ID {
	case v.Table.ID:
		if a := v.openAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	case v.Table.ID + ".head":
		for o := range orderCount {
			if o.column() == msg.Index {
				v.order = o
				v.arrange()
			}
		}
	}
	return v.request()
}
