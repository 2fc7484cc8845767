package wizard

import (
	"fmt"
	"slices"
)

// edit is a row of a row list that is being edited.
type edit struct {
	field string // the row list
	row   int    // its index; len(rows) for a new one
	form  form
	said  Values // messages of this row
	// messages are the row's messages; a message with a Field belongs to a column.
	messages []Message
	tried    bool
}

// rowOpen is the reason why a wizard doesn't continue while a row is being edited.
const rowOpen = "A row is being edited: Enter accepts it, Esc cancels."

// rowList returns the row list with the focus, nil for none.
func (w *Wizard) rowList() *Field {
	field := w.form.field()
	if !w.Asking() || w.edit != nil || field == nil || field.Kind != Rows {
		return nil
	}
	return field
}

// EditsRows reports whether rows can be added, edited and removed now.
func (w *Wizard) EditsRows() bool { return w.rowList() != nil }

// AddRow opens a new row of the row list with the focus.
func (w *Wizard) AddRow() {
	field := w.rowList()
	if field == nil {
		return
	}
	rows := w.values.Rows(field.ID)
	if field.Limit > 0 && len(rows) >= field.Limit {
		w.notice = fmt.Sprintf("There can be at most %d.", field.Limit)
		return
	}
	w.openRow(field, len(rows), Values{})
}

// EditRow opens the row under the cursor.
func (w *Wizard) EditRow() {
	field := w.rowList()
	if field == nil {
		return
	}
	at := w.form.lists[field.ID].Cursor()
	if at < 0 {
		w.AddRow()
		return
	}
	w.openRow(field, at, clone(w.values.Rows(field.ID)[at]))
}

func (w *Wizard) openRow(field *Field, row int, said Values) {
	w.notice, w.pane.follow = "", true
	edit := &edit{field: field.ID, row: row, said: said}
	edit.form = newForm(func(id string, value Value) {
		edit.said[id] = value
		w.Refresh()
	})
	w.edit = edit
	w.Refresh()
	edit.form.move(1)
}

// RemoveRow removes the row under the cursor.
func (w *Wizard) RemoveRow() {
	field := w.rowList()
	if field == nil {
		return
	}
	at := w.form.lists[field.ID].Cursor()
	if at < 0 {
		w.notice = "There is no " + field.item() + " to remove."
		return
	}
	w.notice, w.pane.follow = "", true
	w.form.change(field.ID, Value{Rows: slices.Delete(copyRows(w.values.Rows(field.ID)), at, at+1)})
}

// acceptRow puts the edited row into its list, or shows its errors.
func (w *Wizard) acceptRow() {
	edit := w.edit
	for _, m := range edit.messages {
		if m.Severity != Error {
			continue
		}
		edit.tried = true
		w.notice = m.Text
		if m.Field != "" {
			edit.form.focus = m.Field
		}
		return
	}
	rows := edit.rows(w)
	w.edit = nil
	w.form.change(edit.field, Value{Rows: rows})
	if list := w.form.lists[edit.field]; list != nil {
		list.Select(edit.row)
	}
	w.pane.follow = true
}

// rows returns the rows of the list with the edited row.
func (e *edit) rows(w *Wizard) []Values {
	rows := copyRows(w.values.Rows(e.field))
	if e.row >= len(rows) {
		return append(rows, e.form.values)
	}
	rows[e.row] = e.form.values
	return rows
}

// refresh shows the row again and checks it; false when its list no longer exists.
func (e *edit) refresh(w *Wizard) bool {
	field := w.form.byID(e.field)
	if field == nil || !field.takesFocus() {
		return false
	}
	e.row = min(e.row, len(w.values.Rows(e.field)))
	values := Values{}
	for i := range field.Columns {
		column := &field.Columns[i]
		value, ok := e.said[column.ID]
		if !ok {
			value = column.Initial
		}
		values[column.ID] = value
	}
	e.form.show(field.Columns, values)
	e.messages = e.messages[:0]
	for i := range field.Columns {
		e.messages = append(e.messages, field.Columns[i].check(values[field.Columns[i].ID])...)
	}
	if w.check == nil {
		return true
	}
	probe := make(Values, len(w.values))
	for id, value := range w.values {
		probe[id] = value
	}
	probe[e.field] = Value{Rows: e.rows(w)}
	for _, m := range w.check(probe) {
		if m.Field == e.field && m.Row == e.row+1 {
			m.Field = ""
			e.messages = append(e.messages, m)
		}
	}
	return true
}
