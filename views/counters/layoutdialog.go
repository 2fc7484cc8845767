package counters

import (
	"context"
	"fmt"
	"strconv"

	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// layoutDialog restores, saves and deletes layouts.
type layoutDialog struct {
	screen *Screen
	table  widget.Table
	done   bool // an action has closed the dialog
}

const zoneLayouts = "counters.layouts"

// openLayouts opens the list of layouts.
func (s *Screen) openLayouts() ui.Cmd {
	return ui.Batch(s.readLayouts(), ui.OpenDialog(newLayoutDialog(s)))
}

func newLayoutDialog(s *Screen) *layoutDialog {
	d := &layoutDialog{screen: s, table: widget.Table{
		ID: zoneLayouts, Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "Layout", Width: 20, Grow: 1}, {Title: "Counters", Width: 8, Right: true, Rank: 2}, {Title: "Saved", Width: 16, Rank: 1}},
		Empty:   "No layout is saved yet: n saves the current one under a name.",
	}}
	d.table.List.SetLength(len(d.rows()))
	return d
}

// rows returns the layouts; the layout of the previous run is the first.
func (d *layoutDialog) rows() []store.Layout {
	layouts := &d.screen.layouts
	if layouts.last == nil {
		return layouts.list
	}
	return append([]store.Layout{*layouts.last}, layouts.list...)
}

func (d *layoutDialog) Title() string { return "Layouts" }

func (d *layoutDialog) Size(width, height int) (int, int) { return min(width, 76), min(height, 16) }

// selected returns the layout under the cursor.
func (d *layoutDialog) selected() (store.Layout, bool) {
	rows := d.rows()
	d.table.List.SetLength(len(rows))
	i := d.table.List.Cursor()
	if i < 0 || i >= len(rows) {
		return store.Layout{}, false
	}
	return rows[i], true
}

func (d *layoutDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if cmd, known := ui.Perform(d.Actions(), msg.Name, d.screen.deck.ReadOnly); known {
			return d.done, cmd
		}
		d.table.List.Key(msg.Name)
	case ui.HitMsg:
		if msg.ID == zoneLayouts && msg.Button == ui.Press {
			d.table.List.Select(msg.Index)
			if msg.Double {
				layout, ok := d.selected()
				return ok, d.restore(layout, ok)
			}
		}
	}
	return false, nil
}

// Actions implements ui.Keyed.
func (d *layoutDialog) Actions() []ui.Action {
	layout, ok := d.selected()
	return []ui.Action{
		{ID: "layouts.restore", Keys: []string{"enter"}, Name: "restore", Help: "Restore the selected layout",
			Run: func() ui.Cmd { d.done = ok; return d.restore(layout, ok) }},
		{ID: "layouts.new", Keys: []string{"n"}, Name: "save", Changes: true, Help: "Save the displayed curves as a layout",
			Run: func() ui.Cmd { d.done = true; return d.screen.askLayoutName() }},
		{ID: "layouts.delete", Keys: []string{"d", "delete"}, Name: "delete", Changes: true, Help: "Delete the selected layout",
			Run: func() ui.Cmd { return d.remove(layout, ok) }},
	}
}

// restore applies a layout with its thresholds, and says how many of its counters are missing.
func (d *layoutDialog) restore(layout store.Layout, ok bool) ui.Cmd {
	if !ok {
		return nil
	}
	l, err := parseLayout(layout.Data)
	if err != nil {
		return ui.Toast(ui.Failure, fmt.Sprintf("The layout %s can't be used: %v.", layout.Name, err))
	}
	d.screen.restore(l)
	thresholds := d.screen.restoreThresholds(l.Thresholds)
	if missing := len(d.screen.curves) - d.screen.curves.present(); missing > 0 {
		return ui.Batch(thresholds, d.screen.saveLayoutSoon(), ui.Toast(ui.Note,
			fmt.Sprintf("%d of its %d counters are missing in this source; they are kept.", missing, len(d.screen.curves))))
	}
	return ui.Batch(thresholds, d.screen.saveLayoutSoon())
}

// remove asks, then deletes a layout.
func (d *layoutDialog) remove(layout store.Layout, ok bool) ui.Cmd {
	switch {
	case !ok:
		return nil
	case d.screen.deck.ReadOnly:
		return ui.Toast(ui.Caution, "Read-only mode: layouts can't be deleted. Start cxdeck without --read-only to delete them.")
	case layout.Name == lastLayout:
		return ui.Toast(ui.Note, "This layout is automatic: the end of this run replaces it.")
	}
	db := d.screen.deck.DB
	return ui.Confirm("Delete the layout "+layout.Name+"?", "Delete", func() ui.Cmd {
		return ui.Background("delete the layout", func(ctx context.Context) ui.Msg {
			return savedMsg{"The layout " + layout.Name + " is deleted.", db.DeleteLayout(ctx, ID, layout.Name)}
		})
	})
}

func (d *layoutDialog) Draw(area widget.Area) {
	rows := d.rows()
	d.table.List.SetLength(len(rows))
	if err := d.screen.layouts.err; err != nil {
		drawMessage(area, "The layouts could not be read: "+err.Error())
		return
	}
	d.table.Draw(area, func(row int, cells []widget.TableCell) {
		cells[0].Text = rows[row].Name
		if l, err := parseLayout(rows[row].Data); err == nil {
			cells[1].Text = strconv.Itoa(len(l.Curves))
			if rows[row].Name == lastLayout && l.Title != "" {
				cells[0].Text += ": " + l.Title
			}
		}
		if at := rows[row].Saved; !at.IsZero() {
			cells[2] = widget.TableCell{Text: at.In(d.screen.location).Format("2006-01-02 15:04"), Style: themes.Style{Role: themes.Muted}}
		}
	})
}

func (d *layoutDialog) Hints() []ui.Hint {
	return append(ui.Hints(d.Actions()), ui.Hint{Key: "esc", Name: "close"})
}
