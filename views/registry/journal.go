package registry

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// journalAction opens the changes of the host, any of which can be undone.
func (v *View) journalAction() ui.Action {
	a := ui.Action{ID: "registry.journal", Keys: []string{"H"}, Name: "changes", Hidden: true,
		Help: "List the changes of the host, the newest first; Enter undoes the selected change, not only the newest"}
	switch {
	case v.snapshot == nil:
		a.Disabled = "the registry is still being read"
	case len(v.snapshot.Journal) == 0:
		a.Disabled = "nothing has been applied yet"
	default:
		a.Run = func() ui.Cmd { return ui.OpenDialog(newJournal(v)) }
	}
	return a
}

// journal is the dialog of the host's changes.
type journal struct {
	view    *View
	entries []driver.Entry
	undone  map[uint64]uint64 // by which entry
	list    widget.List
}

func newJournal(v *View) *journal {
	d := &journal{view: v, entries: v.snapshot.Journal, undone: map[uint64]uint64{}}
	for i := range d.entries {
		if e := &d.entries[i]; e.Undoes != 0 && e.Err == "" {
			d.undone[e.Undoes] = e.Sequence
		}
	}
	d.list.SetLength(len(d.entries))
	return d
}

// entryAt returns the entry of a row, the newest first; nil for none.
func (d *journal) entryAt(row int) *driver.Entry {
	if row < 0 || row >= len(d.entries) {
		return nil
	}
	return &d.entries[len(d.entries)-1-row]
}

// state returns the state of an entry in words, and whether it can be undone.
func (d *journal) state(e *driver.Entry) (words string, style themes.Style, can bool) {
	by, undone := d.undone[e.Sequence]
	switch {
	case e.Unread != "":
		return "can't be read", bad, false
	case e.Err != "":
		return "failed", bad, false
	case e.Undoes != 0:
		return fmt.Sprintf("undoes %d", e.Undoes), muted, false
	case undone:
		return fmt.Sprintf("undone by %d", by), muted, false
	case len(e.Inverse.Operations) == 0:
		return "leaves nothing", muted, false
	default:
		return "applied", good, true
	}
}

func (d *journal) Title() string { return "Changes of the host" }

func (d *journal) Size(width, height int) (int, int) {
	return min(width, 96), min(height, len(d.entries)+5)
}

func (d *journal) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if msg.Name == "enter" || msg.Name == "u" {
			return d.undoEntry()
		}
		if cmd, known := ui.Perform(d.Actions(), msg.Name, d.view.deck.ReadOnly); known {
			return d.Actions()[0].Disabled == "", cmd
		}
		d.list.Key(msg.Name)
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.list.Scroll(step)
		} else if msg.Button == ui.Press && msg.ID == "registry.journal" {
			d.list.Select(msg.Index)
		}
	}
	return false, nil
}

// undoEntry asks to undo the selected change; if later changes depend on it, the undo is refused and names them.
func (d *journal) undoEntry() (bool, ui.Cmd) {
	e := d.entryAt(d.list.Cursor())
	if e == nil {
		return false, nil
	}
	words, _, can := d.state(e)
	v := d.view
	switch {
	case !can:
		return false, ui.Toast(ui.Caution, fmt.Sprintf("Change %d can't be undone: %s.", e.Sequence, words))
	case v.deck.ReadOnly:
		return false, ui.Toast(ui.Caution, "Read-only mode: changes can't be undone. Start cxdeck without --read-only to undo them.")
	case v.deck.CannotChange() != "":
		return false, ui.Toast(ui.Caution, wording.UpperFirst(v.deck.CannotChange()))
	}
	return true, change.AskToUndo(v.deck, e.Sequence)
}

// maxSteps is the maximum number of steps of a plan that a sentence lists.
const maxSteps = 4

// describe returns the effect of a plan, as a phrase.
func describe(plan driver.Plan) string {
	var steps []string
	for _, o := range plan.Operations[:min(len(plan.Operations), maxSteps)] {
		steps = append(steps, o.Describe())
	}
	if more := len(plan.Operations) - maxSteps; more > 0 {
		steps = append(steps, fmt.Sprintf("and %s more", count(more, "step")))
	}
	return strings.Join(steps, ", ")
}

// Actions implements ui.Keyed.
func (d *journal) Actions() []ui.Action {
	a := ui.Action{ID: "registry.moved", Keys: []string{"W"}, Name: "before and after",
		Help: "Compare the counters before and after the selected change"}
	switch e := d.entryAt(d.list.Cursor()); {
	case e == nil:
		a.Disabled = "no change is selected"
	case e.Err != "":
		a.Disabled = "the change failed and was rolled back"
	default:
		a.Object = e.Plan.Title
		a.Run = func() ui.Cmd { return ui.Go("history", deck.AroundChange{Change: e.Sequence}) }
	}
	return []ui.Action{a}
}

func (d *journal) Draw(area widget.Area) {
	body, foot := area.SplitBottom(4)
	d.list.SetHeight(body.Height)
	from, to := d.list.Visible()
	for i := from; i < to; i++ {
		e, y := d.entryAt(i), i-from
		words, style, _ := d.state(e)
		area.PrintRight(4, y, fmt.Sprint(e.Sequence), muted)
		x := area.Print(6, y, deck.EventTime(e.Time, d.view.now), muted)
		area.PrintCut(x+2, y, area.Width-x-2-18, e.Plan.Title, text)
		area.PrintRight(area.Width, y, words, style)
		area.Zone(0, y, area.Width, 1, "registry.journal", i)
		if i == d.list.Cursor() {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if e := d.entryAt(d.list.Cursor()); e != nil {
		said := describe(e.Plan)
		switch {
		case e.Unread != "":
			said = "it can't be read, and is left unchanged: " + e.Unread
		case e.Err != "":
			said = e.Err
		}
		lines := widget.Wrap(wording.UpperFirst(said), foot.Width)
		for y, l := range lines[:min(len(lines), foot.Height-1)] {
			foot.Print(0, 1+y, l, muted)
		}
	}
}

func (d *journal) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "undo"}, {Key: "W", Name: "before and after"}, {Key: "up", Name: "newer"}, {Key: "down", Name: "older"}, {Key: "esc", Name: "close"}}
}
