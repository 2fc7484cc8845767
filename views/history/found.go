package history

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/find"
)

// foundLimit is the maximum number of entries that a search lists.
const foundLimit = 1000

// The columns of the list of results.
const (
	foundTime = iota
	foundSession
	foundKind
	foundAdapter
	foundText
)

var foundColumns = []widget.TableColumn{
	foundTime:    {Title: "Time", Width: 19},
	foundSession: {Title: "Session", Width: 7, Right: true},
	foundKind:    {Title: "Kind", Width: 9},
	foundAdapter: {Title: "Adapter", Width: 12, Rank: 1},
	foundText:    {Title: "Text", Width: 20, Grow: 1},
}

// foundList lists the results of a search, in place of the sessions.
type foundList struct {
	text    string
	entries []find.Entry
	more    bool
	table   widget.Table
}

// foundMsg contains the results of a search.
type foundMsg struct {
	of      *searchProgress
	text    string
	entries []find.Entry
	more    bool
	err     error
}

// findAction asks for a text or a condition, and searches all sessions for it.
func (v *View) findAction() ui.Action {
	return ui.Action{ID: "history.find", Keys: []string{"ctrl+f"}, Name: "search", Disabled: v.closed(),
		Help: "Search all sessions for a text, or for the times at which a condition held: drops on Ethernet 7 > 1k/s for 10s",
		Run:  v.askSearch}
}

var errNothingTyped = errors.New("type a text, or a condition such as drops on Ethernet 7 > 1k/s for 10s")

const (
	searchTitle = "Search all sessions"
	searchLabel = "Words of events, changes, notes and tags, or a condition: drops on Ethernet 7 > 1k/s for 10s"
)

func (v *View) askSearch() ui.Cmd {
	last := ""
	if v.found != nil {
		last = v.found.text
	}
	return ui.Prompt(searchTitle, searchLabel, last, nil, v.search)
}

// search searches all sessions outside the terminal loop, with a dialog that shows its progress and can cancel it.
func (v *View) search(text string) ui.Cmd {
	text = strings.TrimSpace(text)
	if text == "" {
		return ui.PromptRefused(searchTitle, searchLabel, text, errNothingTyped.Error(), nil, v.search)
	}
	db, inBytes := v.deck.DB, v.deck.InBytes
	ctx, cancel := context.WithCancel(context.Background())
	progress := &searchProgress{text: text, cancel: cancel}
	return ui.Batch(ui.OpenDialog(progress), ui.Background(searchTitle, func(shell context.Context) ui.Msg {
		defer cancel()
		defer context.AfterFunc(shell, cancel)()
		entries, more, err := find.Search(ctx, db, text, find.Options{Limit: foundLimit, InBytes: inBytes, Progress: progress.note})
		return foundMsg{progress, text, entries, more, err}
	}))
}

// handleFound shows the results of a search; it ignores a cancelled one.
func (v *View) handleFound(msg foundMsg) ui.Cmd {
	switch {
	case msg.of != nil && msg.of.cancelled:
		return nil
	case msg.err != nil:
		return ui.PromptRefused(searchTitle, searchLabel, msg.text, msg.err.Error(), nil, v.search)
	}
	strip := v.leaveComparison() // a search may begin on its page
	v.found = &foundList{text: msg.text, entries: msg.entries, more: msg.more}
	v.found.table = widget.Table{ID: "history.found", Columns: foundColumns, SortColumn: foundTime, Descending: true, Focused: true}
	v.found.table.List.SetLength(len(msg.entries))
	return strip
}

// foundActions returns the actions of the list of results.
func (v *View) foundActions() []ui.Action {
	actions := deck.ListActions("history", &v.found.table.List, nil)
	open := ui.Action{ID: "history.open", Keys: []string{"enter"}, Name: "open", Disabled: v.working,
		Help: "Open the session of the selected entry at its time", Run: v.openFound}
	if len(v.found.entries) == 0 {
		open.Disabled = "nothing was found"
	}
	return append(actions, open, v.findAction(),
		ui.Action{ID: "history.back", Keys: []string{"esc"}, Name: "back", Help: "Go back to the sessions",
			Run: func() ui.Cmd { v.found = nil; return v.readNextStrip() }},
		v.deck.CloseReplayAction("history", "X"))
}

// openFound opens the session of the selected entry at its time; for a condition, Counters shows the counter of the condition.
func (v *View) openFound() ui.Cmd {
	entry := &v.found.entries[v.found.table.List.Cursor()]
	v.moment, v.focus = entry.Time, nil
	if entry.Path != "" {
		v.focus = &deck.Focus{Paths: []string{entry.Path}, Title: entry.Adapter, At: entry.Time}
	}
	if replay := v.deck.Opened(); replay != nil && replay.Session.ID == entry.Session {
		return v.goToMoment(replay)
	}
	return v.openSession(entry.Session)
}

// goToMoment shows the open session, at the requested time if there is one.
func (v *View) goToMoment(replay *deck.Replay) ui.Cmd {
	at, focus := v.moment, v.focus
	v.moment, v.focus = time.Time{}, nil
	where, show := "paused at its end", ui.Go("counters", nil)
	if !at.IsZero() {
		where, show = "paused at "+at.Format(timeFormat), seekTo(replay.Monitor, at, focus)
	}
	return ui.Batch(show, ui.Toast(ui.Note, fmt.Sprintf("Session %d is open, %s. X closes it.", replay.Session.ID, where)))
}

// seekTo seeks to a time of a recording, and shows it on Counters; focus may be nil.
func seekTo(m *monitor.Monitor, at time.Time, focus *deck.Focus) ui.Cmd {
	return ui.Background("Go to "+at.Format(timeFormat), func(ctx context.Context) ui.Msg {
		if err := m.Seek(ctx, at); err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
		}
		if focus == nil {
			return ui.Go("counters", nil)()
		}
		return ui.Go("counters", *focus)()
	})
}

// drawResults draws the list of results.
func (v *View) drawResults(area widget.Area) {
	count := fmt.Sprintf("%d found", len(v.found.entries))
	if v.found.more {
		count = fmt.Sprintf("the newest %d found", len(v.found.entries))
	}
	if v.working != "" {
		count = v.working + "  " + count
	}
	area.PrintRight(area.Width, 0, count, themes.Style{Role: themes.Muted})
	x := area.Print(0, 0, "search ", themes.Style{Role: themes.Muted})
	area.PrintCut(x, 0, area.Width-x-widget.Width(count)-2, v.found.text, themes.Style{Role: themes.Accent})
	v.found.table.Empty = "Nothing was found. Ctrl+f changes the search, Esc shows the sessions."
	v.found.table.Draw(area.Sub(0, 1, area.Width, area.Height-1), func(row int, cells []widget.TableCell) {
		entry := &v.found.entries[row]
		cells[foundTime].Text = entry.Time.Format(timeFormat)
		cells[foundSession].Text = fmt.Sprint(entry.Session)
		cells[foundKind] = widget.TableCell{Text: entry.Kind, Style: themes.Style{Role: themes.Muted}}
		cells[foundAdapter].Text = entry.Adapter
		cells[foundText].Text = entry.Text
	})
}

// hitFound handles the mouse on the list of results.
func (v *View) hitFound(msg ui.HitMsg) ui.Cmd {
	list := &v.found.table.List
	switch step := msg.Button.WheelRows(); {
	case step != 0:
		list.Scroll(step)
	case msg.ID == "history.found.scroll" && (msg.Button == ui.Press || msg.Button == ui.Drag):
		v.found.table.ScrollHit(msg.Hit)
	case msg.ID == "history.found" && msg.Button == ui.Press:
		list.Select(msg.Index)
		if msg.Double && v.working == "" {
			return v.openFound()
		}
	}
	return nil
}
