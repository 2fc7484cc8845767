package wizard

import (
	"fmt"

	"cxdeck/ui/widget"
)

// Hit handles a press of the mouse on a zone of the wizard.
func (w *Wizard) Hit(hit widget.Hit) Event {
	switch hit.ID {
	case w.ID + ".step":
		return w.Jump(hit.Index)
	case w.ID + ".button":
		return w.Press(hit.Index)
	case w.ID + ".tab":
		w.tab = hit.Index
	case w.ID + ".scroll":
		w.pane.follow = false
		widget.ScrollHit(&w.pane.list, hit)
	case w.ID + ".row":
		if hit.Index >= 0 && hit.Index < len(w.pane.rows) {
			return w.pressRow(w.pane.rows[hit.Index], hit.X)
		}
	}
	return Event{}
}

// pressRow handles a press on a row of the pane, at a column of it.
func (w *Wizard) pressRow(row paneRow, x int) Event {
	w.notice = ""
	if row.starts != "" {
		return Event{Kind: KeyPressed, ID: row.starts}
	}
	if !w.Asking() {
		return Event{}
	}
	if w.edit != nil && !row.inRow {
		w.notice = rowOpen
		return Event{}
	}
	form := w.active()
	again := form.focus == row.field
	form.focus = row.field
	field := form.field()
	if field == nil {
		form.focus = ""
		return Event{}
	}
	w.pane.follow = true
	switch {
	case row.adds:
		w.AddRow()
	case field.isText():
		form.inputs[field.ID].ClickAt(x - row.inputX)
	case field.Kind == Toggle:
		w.notice = form.toggle()
	case row.item < 0:
	case field.Kind == Shares:
		form.lists[field.ID].Select(row.item)
	case field.Kind == Rows:
		list := form.lists[field.ID]
		again = again && list.Cursor() == row.item
		list.Select(row.item)
		if again {
			w.EditRow()
		}
	default:
		form.lists[field.ID].Select(row.item)
		w.notice = form.toggle()
	}
	return Event{}
}

// countOf returns "2 of 5".
func countOf(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }
