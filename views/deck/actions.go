package deck

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// ListActions returns the actions that move a list's cursor; moved is called after each and may be nil.
func ListActions(prefix string, list *widget.List, moved func()) []ui.Action {
	actions := make([]ui.Action, 0, len(listMoves))
	for _, m := range listMoves {
		actions = append(actions, ui.Action{
			ID: prefix + "." + m.id, Keys: m.keys, Name: m.name, Help: m.help, Hidden: true,
			Run: func() ui.Cmd {
				list.Key(m.keys[0])
				if moved != nil {
					moved()
				}
				return nil
			},
		})
	}
	return actions
}

var listMoves = [...]struct {
	id         string
	keys       []string
	name, help string
}{
	{"up", []string{"up", "k"}, "up", "Go one row up"},
	{"down", []string{"down", "j"}, "down", "Go one row down"},
	{"page-up", []string{"pgup"}, "page up", "Go one page up"},
	{"page-down", []string{"pgdown"}, "page down", "Go one page down"},
	{"first", []string{"home", "g"}, "first", "Go to the first row"},
	{"last", []string{"end"}, "last", "Go to the last row"},
}

// CloseReplayAction closes the open session, or returns from the past of a fleet; it is hidden while neither is open.
func (d *Deck) CloseReplayAction(prefix string, keys ...string) ui.Action {
	a := ui.Action{ID: prefix + ".close-replay", Keys: keys, Name: "close replay", Hidden: d.replay == nil,
		Help: "Close the open session, or the past of a host, and show the live source again"}
	if d.past != nil || d.goingBack != nil {
		return d.returnAction(a)
	}
	if d.replay == nil {
		a.Disabled = "no session is open: Enter on History opens one"
		return a
	}
	a.Object = fmt.Sprintf("session %d", d.replay.Session.ID)
	a.Run = func() ui.Cmd {
		return ui.Batch(d.CloseReplay(), ui.Toast(ui.Note, "The replay is closed; the screens show the live source."))
	}
	return a
}

// BytesAction switches the unit of rates on all screens; then is called after it, and may be nil.
func (d *Deck) BytesAction(screen string, then func()) ui.Action {
	a := ui.Action{ID: screen + ".bytes", Keys: []string{"b"}, Name: "bytes", Hidden: true,
		Help: "Show rates in bits or bytes per second"}
	if d.InBytes {
		a.Name = "bits"
	}
	a.Run = func() ui.Cmd {
		d.InBytes = !d.InBytes
		if then != nil {
			then()
		}
		return nil
	}
	return a
}

// HasSettings reports that the shown source is this machine, with settings to change.
func (d *Deck) HasSettings() bool { return d.OpenSettings != nil && d.Replay == nil }

// SettingsAction opens the settings of this machine on a screen.
func (d *Deck) SettingsAction(screen string, at SettingsFocus) ui.Action {
	a := ui.Action{ID: screen + ".edit", Keys: []string{"e"}, Name: "settings", Help: "Edit the settings of this machine's interfaces, with a review",
		Run: func() ui.Cmd { return d.OpenSettings(at) }}
	if !d.HasSettings() {
		a.Disabled = "only the settings of a machine with Linux or Windows can be changed"
	}
	return a
}

// CannotChange returns why the shown source can't be changed; empty if it can.
func (d *Deck) CannotChange() string {
	m := d.Monitor()
	if m == nil {
		return "there is no source to change"
	}
	if m.Operable() {
		return ""
	}
	switch m.Status().Info.Kind {
	case perf.LocalSource:
		if d.OpenSettings != nil {
			return "the settings of this machine are changed with e on Overview, Teams, SR-IOV, QoS and Lab"
		}
		return "this machine's adapters are watched, not changed"
	case perf.FleetSource:
		return "hosts in Prometheus are watched, not changed"
	case perf.PastSource:
		return "the past of a host is shown, not changed; X returns to the present"
	case perf.LogSource:
		return "a log file is played back, not changed"
	case perf.SessionSource:
		return "a recorded session is played back, not changed; close the replay first"
	default:
		return "this source can't be changed"
	}
}

// Undoable returns the title of the newest change that can be undone; empty for none.
func (d *Deck) Undoable() string {
	if e := d.newestUndoable(); e != nil {
		return e.Plan.Title
	}
	return ""
}

// newestUndoable returns the newest change that can be undone; nil for none.
func (d *Deck) newestUndoable() *driver.Entry {
	m := d.Monitor()
	if m == nil || !m.Operable() {
		return nil
	}
	journal := m.Journal()
	undone := map[uint64]bool{}
	for i := len(journal) - 1; i >= 0; i-- {
		e := &journal[i]
		switch {
		case e.Err != "":
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case !undone[e.Sequence] && len(e.Inverse.Operations) > 0:
			return e
		}
	}
	return nil
}

// Outcome reports the result of a plan: as a toast, and with its commands in the action log.
func Outcome(title string, entry driver.Entry, err error) ui.Cmd {
	if err != nil {
		return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))
	}
	done := entry.Plan.Title
	if done == "" {
		done = title
	}
	return ui.Batch(ui.Toast(ui.Success, done+": done"), ui.Log(entry.Time, done, Commands(&entry)))
}

// Commands lists the commands of an applied plan for a real host; an Operation without a command is a line "by hand: ...".
func Commands(entry *driver.Entry) []string {
	var commands []string
	for i, typed := range entry.Commands() {
		if len(typed) == 0 {
			typed = []string{"by hand: " + entry.Plan.Operations[i].Describe()}
		}
		commands = append(commands, typed...)
	}
	return edit.MergeCongestion(commands)
}
