package registry

import (
	"fmt"
	"slices"

	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
)

// other is a set of values to compare with.
type other struct {
	title, kind string
	// values returns the values by the index of the entry.
	values func() map[int]registry.Value
}

// difference is a key with another value on the other side.
type difference struct {
	entry int
	value registry.Value
}

// compareAction compares the adapter under the cursor with its defaults, another adapter, a profile or an earlier state.
func (v *View) compareAction() ui.Action {
	a := ui.Action{ID: "registry.compare", Keys: []string{"c"}, Name: "compare",
		Help: "Compare the adapter with its defaults, another adapter, a profile, or its state before a change"}
	e := v.current()
	if e == nil {
		a.Disabled = "select a key first"
		return a
	}
	connection := v.snapshot.Ports[e.Port].Connection
	a.Object = connection
	a.Run = func() ui.Cmd { return ui.OpenDialog(newCompare(v, connection)) }
	return a
}

// compare is the dialog that compares a connection with another set of values, and copies values to the draft.
type compare struct {
	view       *View
	snapshot   *keyset.Snapshot
	connection string
	others     []other
	choice     widget.List
	// chosen is the other side; nil before the operator has chosen it.
	chosen      *other
	differences []difference
	taken       map[int]bool // values in the draft, by entry
	table       widget.Table
}

func newCompare(v *View, connection string) *compare {
	d := &compare{view: v, snapshot: v.snapshot, connection: connection, taken: map[int]bool{}}
	d.others = v.comparables(connection)
	d.choice.SetLength(len(d.others))
	d.table = widget.Table{ID: "registry.compare", SortColumn: noSorting, Focused: true, Columns: []widget.TableColumn{
		{Title: "", Width: 1}, {Title: "Key", Width: 20, Grow: 2}, {Title: connection, Width: 14, Grow: 1}, {Title: "", Width: 14, Grow: 1},
		{Title: "Group", Width: 12, Rank: 1},
	}}
	return d
}

// comparables returns the sets of values with which a connection can be compared.
func (v *View) comparables(connection string) []other {
	s := v.snapshot
	own := s.EntriesOf(connection)
	list := []other{{"Its defaults", "default", func() map[int]registry.Value {
		values := map[int]registry.Value{}
		for _, i := range own {
			if d := s.Entries[i].Default; d.Exists() && !s.Entries[i].Row.MustCreate {
				values[i] = d
			} else {
				values[i] = registry.Value{}
			}
		}
		return values
	}}}
	for at := range s.Ports {
		p := &s.Ports[at]
		if p.Connection != connection {
			list = append(list, other{p.Connection, "adapter", func() map[int]registry.Value { return s.ValuesOn(own, p) }})
		}
	}
	for _, profile := range v.profiles {
		list = append(list, other{profile.Name, "profile", func() map[int]registry.Value { return s.Profiled(connection, profile) }})
	}
	for i := range slices.Backward(s.Journal) {
		e := &s.Journal[i]
		if e.Unread != "" && e.Err == "" {
			break // earlier values are unknown
		}
		if e.Err == "" && s.Touches(e.Plan) {
			list = append(list, other{fmt.Sprintf("Before change %d, %s  %s", e.Sequence, deck.EventTime(e.Time, v.now), e.Plan.Title), "history",
				func() map[int]registry.Value { return s.ValuesBefore(i, own) }})
		}
	}
	return list
}

// choose compares with the chosen set of values.
func (d *compare) choose(at int) {
	d.chosen, d.differences = &d.others[at], nil
	values := d.chosen.values()
	for i := range d.snapshot.Entries {
		if value, ok := values[i]; ok && value != d.snapshot.Entries[i].Stored {
			d.differences = append(d.differences, difference{i, value})
		}
	}
	d.table.Columns[3].Title = d.chosen.title
	d.table.List = widget.List{}
	d.table.List.SetLength(len(d.differences))
	d.table.Empty = "No differences. Esc goes back."
}

func (d *compare) Title() string {
	if d.chosen == nil {
		return "Compare " + d.connection + " with"
	}
	return fmt.Sprintf("%s and %s: %s", d.connection, d.chosen.title, differ(len(d.differences), "key"))
}

// differ returns a number of differences in words: "one key differs", "3 keys differ".
func differ(n int, what string) string {
	if n == 1 {
		return count(n, what) + " differs"
	}
	return count(n, what) + " differ"
}

func (d *compare) Size(width, height int) (int, int) {
	rows := len(d.others)
	if d.chosen != nil {
		rows = max(len(d.differences), 2) + 3
	}
	return min(width, 92), min(height, max(rows, 3))
}

func (d *compare) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return d.key(msg.Name)
	case ui.HitMsg:
		list := &d.choice
		if d.chosen != nil {
			list = &d.table.List
		}
		if step := msg.Button.WheelRows(); step != 0 {
			list.Scroll(step)
		} else if msg.Button == ui.Press && msg.ID == d.table.ID {
			list.Select(msg.Index)
			if msg.Double || d.chosen == nil {
				return d.key("enter")
			}
		}
	}
	return false, nil
}

func (d *compare) key(name string) (bool, ui.Cmd) {
	if d.chosen == nil {
		if at := d.choice.Cursor(); name == "enter" && at >= 0 {
			d.choose(at)
			return false, nil
		}
		d.choice.Key(name)
		return false, nil
	}
	switch name {
	case "enter", " ":
		if at := d.table.List.Cursor(); at >= 0 {
			return false, d.addToDraft(d.differences[at : at+1])
		}
	default:
		if cmd, known := ui.Perform(d.Actions(), name, false); known {
			return false, cmd
		}
		d.table.List.Key(name)
	}
	return false, nil
}

// Actions implements ui.Keyed.
func (d *compare) Actions() []ui.Action {
	return []ui.Action{{ID: "compare.all", Keys: []string{"A", "ctrl+a"}, Name: "take all", Help: "Add all values to the draft",
		Run: func() ui.Cmd { return d.addToDraft(d.differences) }}}
}

// addToDraft puts values of the other side in the draft.
func (d *compare) addToDraft(list []difference) ui.Cmd {
	v := d.view
	switch {
	case v.deck.ReadOnly:
		return ui.Toast(ui.Caution, "Read-only mode: the draft can't be edited. Start cxdeck without --read-only to edit it.")
	case v.deck.CannotChange() != "":
		return ui.Toast(ui.Caution, wording.UpperFirst(v.deck.CannotChange()))
	case len(list) == 0:
		return nil
	}
	for _, change := range list {
		v.draft.Set(&d.snapshot.Entries[change.entry], change.value)
		d.taken[change.entry] = true
	}
	v.draftChanged()
	return v.keepDraft()
}

// Escape implements ui.Escaper: it returns from the table to the choice.
func (d *compare) Escape() bool {
	if d.chosen == nil {
		return false
	}
	d.chosen = nil
	return true
}

func (d *compare) Draw(area widget.Area) {
	if d.chosen == nil {
		d.drawChoice(area)
		return
	}
	g := area.Glyphs()
	d.table.Draw(area, func(row int, cells []widget.TableCell) {
		change := d.differences[row]
		e := &d.snapshot.Entries[change.entry]
		if d.taken[change.entry] {
			cells[0] = widget.TableCell{Text: string(g.Edited), Style: edited}
		}
		cells[1] = widget.TableCell{Text: e.Row.Name}
		cells[2] = widget.TableCell{Text: keyset.FormatWithMeaning(e.Row, e.Stored)}
		cells[3] = widget.TableCell{Text: keyset.FormatWithMeaning(e.Row, change.value), Style: accent}
		cells[4] = widget.TableCell{Text: e.Row.Group, Style: muted}
	})
}

func (d *compare) drawChoice(area widget.Area) {
	d.choice.SetHeight(area.Height)
	from, to := d.choice.Visible()
	for i := from; i < to; i++ {
		y := i - from
		area.PrintCut(0, y, area.Width-10, d.others[i].title, text)
		area.PrintRight(area.Width, y, d.others[i].kind, muted)
		area.Zone(0, y, area.Width, 1, d.table.ID, i)
		if i == d.choice.Cursor() {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
}

func (d *compare) Hints() []ui.Hint {
	if d.chosen == nil {
		return []ui.Hint{{Key: "enter", Name: "compare"}, {Key: "esc", Name: "close"}}
	}
	return append(append([]ui.Hint{{Key: "enter", Name: "take the value into the draft"}}, ui.Hints(d.Actions())...),
		ui.Hint{Key: "esc", Name: "back"})
}
