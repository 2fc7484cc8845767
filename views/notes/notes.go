// Package notes implements the dialog for writing, changing and deleting notes on a session. Package views/deck saves them.
package notes

import (
	"slices"
	"time"

	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Action returns the key for notes on a moment: it writes one, or opens the notes that are there.
func Action(d *deck.Deck, screen string, at time.Time) ui.Action {
	a := ui.Action{ID: screen + ".note", Keys: []string{"e"}, Name: "note", Hidden: true, Changes: true, Disabled: d.CannotNote(),
		Help: "Write a note on the marked range, or else on the time of the cursor or the position of the recording; on a note, change or delete it. sessions search finds notes"}
	if a.Disabled != "" {
		return a
	}
	from, to := at, at
	marked, ok := d.MarkedRange()
	if ok {
		from, to = marked.From.In(at.Location()), marked.To.In(at.Location())
	}
	write := func() ui.Cmd { return d.AskNote(from, to) }
	a.Run = write
	if there := d.NotesAt(at); len(there) > 0 && !ok {
		a.Name, a.Hidden = "edit note", false
		a.Run = func() ui.Cmd { return Open(d, there, write) }
	}
	return a
}

// dialog lists notes of one session.
type dialog struct {
	deck  *deck.Deck
	notes []store.Mark
	table widget.Table
	write func() ui.Cmd
	done  bool // an action has closed the dialog
}

const zone = "notes.table"

// Open opens a list of at least one note of a session; write asks for another note, nil if that is not possible.
func Open(d *deck.Deck, notes []store.Mark, write func() ui.Cmd) ui.Cmd {
	n := &dialog{deck: d, notes: notes, write: write, table: widget.Table{
		ID: zone, Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "Time", Width: 20}, {Title: "Note", Width: 20, Grow: 1}},
	}}
	n.table.List.SetLength(len(notes))
	return ui.OpenDialog(n)
}

func (n *dialog) Title() string { return "Notes" }

func (n *dialog) Size(width, height int) (int, int) {
	return min(width, 76), min(height, 16, len(n.notes)+2)
}

// selected returns the note under the cursor.
func (n *dialog) selected() (store.Mark, bool) {
	i := n.table.List.Cursor()
	if i < 0 || i >= len(n.notes) {
		return store.Mark{}, false
	}
	return n.notes[i], true
}

func (n *dialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if cmd, known := ui.Perform(n.Actions(), msg.Name, n.deck.ReadOnly); known {
			return n.done, cmd
		}
		n.table.List.Key(msg.Name)
	case ui.HitMsg:
		if msg.ID == zone && msg.Button == ui.Press {
			n.table.List.Select(msg.Index)
		}
	case deck.NotesMsg:
		n.update(msg)
		return len(n.notes) == 0, nil
	}
	return false, nil
}

// update replaces the listed notes by their new texts, and removes the deleted ones.
func (n *dialog) update(msg deck.NotesMsg) {
	var now []store.Mark
	for _, old := range n.notes {
		if i := slices.IndexFunc(msg.Notes, func(m store.Mark) bool { return m.ID == old.ID }); i >= 0 {
			now = append(now, msg.Notes[i])
		} else if old.Session != msg.Session {
			now = append(now, old)
		}
	}
	n.notes = now
	n.table.List.SetLength(len(now))
}

// Actions implements ui.Keyed.
func (n *dialog) Actions() []ui.Action {
	mark, ok := n.selected()
	change := func(run func(store.Mark) ui.Cmd) func() ui.Cmd {
		return func() ui.Cmd {
			if !ok {
				return nil
			}
			return run(mark)
		}
	}
	list := []ui.Action{
		{ID: "notes.edit", Keys: []string{"enter", "e"}, Name: "edit", Changes: true, Help: "Change the text of the selected note", Run: change(n.deck.AskEditNote)},
		{ID: "notes.delete", Keys: []string{"d", "delete"}, Name: "delete", Changes: true, Help: "Delete the selected note", Run: change(n.deck.AskDeleteNote)},
	}
	if n.write != nil {
		list = append(list, ui.Action{ID: "notes.new", Keys: []string{"n"}, Name: "another note", Changes: true, Help: "Write another note",
			Run: func() ui.Cmd { n.done = true; return n.write() }})
	}
	return list
}

func (n *dialog) Draw(area widget.Area) {
	n.table.Draw(area, func(row int, cells []widget.TableCell) {
		note := &n.notes[row]
		at := n.deck.Local(note.From).Format("15:04:05")
		if note.To.After(note.From) {
			at += " to " + n.deck.Local(note.To).Format("15:04:05")
		}
		cells[0] = widget.TableCell{Text: at, Style: themes.Style{Role: themes.Muted}}
		cells[1].Text = note.Text
	})
}

func (n *dialog) Hints() []ui.Hint {
	return append(ui.Hints(n.Actions()), ui.Hint{Key: "esc", Name: "close"})
}
