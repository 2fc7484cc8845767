package registry

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/registry/keyset"
)

// outcome is the dialog that shows the result of a plan: each value as planned and as read back.
type outcome struct {
	view  *View
	entry driver.Entry
	list  widget.List
}

func newOutcome(v *View, entry driver.Entry) *outcome {
	d := &outcome{view: v, entry: entry}
	d.list.SetLength(len(entry.Values))
	return d
}

func (d *outcome) Title() string { return "Applied: " + d.entry.Plan.Title }

func (d *outcome) Size(width, height int) (int, int) {
	return min(width, 76), min(height, max(len(d.entry.Values), 1)+3)
}

func (d *outcome) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		switch msg.Name {
		case "enter", "q", " ":
			return true, nil
		}
		undo := d.Actions()[0]
		if cmd, known := ui.Perform([]ui.Action{undo}, msg.Name, d.view.deck.ReadOnly); known {
			return undo.Disabled == "", cmd
		}
		d.list.Key(msg.Name)
	case ui.HitMsg:
		d.list.Scroll(msg.Button.WheelRows())
	}
	return false, nil
}

// Actions implements ui.Keyed.
func (d *outcome) Actions() []ui.Action {
	undo := ui.Action{ID: "outcome.undo", Keys: []string{"u"}, Name: "undo", Help: "Undo the change",
		Run: func() ui.Cmd { return change.UndoEntry(d.view.deck, d.entry.Sequence) }}
	if len(d.entry.Inverse.Operations) == 0 {
		undo.Disabled = "this change can't be undone"
	}
	return []ui.Action{undo}
}

func (d *outcome) Draw(area widget.Area) {
	head, rest := area.SplitTop(1)
	body, foot := rest.SplitBottom(2)
	g := area.Glyphs()
	const wantedAt, actualAt = 44, 60
	if len(d.entry.Values) == 0 {
		body.PrintCut(0, 0, body.Width, fmt.Sprintf("%c done; no value was written", g.Up), good)
	} else {
		head.Print(0, 0, "Value", muted)
		head.Print(wantedAt, 0, "Wanted", muted)
		head.Print(actualAt, 0, "Read back", muted)
	}
	d.list.SetHeight(body.Height)
	from, to := d.list.Visible()
	for i := from; i < to; i++ {
		w, y := &d.entry.Values[i], i-from
		name, wanted, actual := w.Key+" of "+w.Connection+w.Adapter, w.Wanted.String(), w.Actual.String()
		if d.view.snapshot != nil {
			if at := d.view.snapshot.Locate(w.Connection, w.Adapter, w.Key); at >= 0 {
				e := &d.view.snapshot.Entries[at]
				name, wanted, actual = e.Row.Name+" of "+e.Owner, keyset.FormatWithMeaning(e.Row, w.Wanted), keyset.FormatWithMeaning(e.Row, w.Actual)
			}
		}
		glyph, style := g.Up, good
		if w.Wanted != w.Actual {
			glyph, style = g.Failed, bad
		}
		body.Set(0, y, glyph, style)
		body.PrintCut(2, y, wantedAt-3, name, text)
		body.PrintCut(wantedAt, y, actualAt-wantedAt-1, wanted, text)
		body.PrintCut(actualAt, y, body.Width-actualAt, actual, style)
	}
	back := "u undoes it."
	if len(d.entry.Inverse.Operations) == 0 {
		back = "It can't be undone."
	}
	said, style := fmt.Sprintf("Change %d in the journal. %s", d.entry.Sequence, back), muted
	if d.view.deck.Unrecorded() {
		said, style = fmt.Sprintf("Change %d. %s Nothing is recorded: it ends with this run.", d.entry.Sequence, back), warn
	}
	foot.PrintCut(0, 1, foot.Width, said, style)
}

func (d *outcome) Hints() []ui.Hint {
	return append(append([]ui.Hint{{Key: "enter", Name: "close"}}, ui.Hints(d.Actions())...), ui.Hint{Key: "esc", Name: "close"})
}
