// Package browse implements the frame of screens with lists: a filter, a table, and a page about the selected row, with the layout
// of their panels. Screens fill the cells and write the pages.
package browse

import (
	"slices"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Browser holds the parts that list screens share: the table, the filter for its rows, the page about the selected row, and
// their keys and mouse zones. Panels places them.
type Browser struct {
	Table  widget.Table
	Filter Filter
	// Page describes the selected row; InPage is set while it has the focus.
	Page   Page
	InPage bool

	screen               string
	pageZone             string
	filterZone           string
	arrange, cursorMoved func()
}

// NewBrowser makes the parts of a screen. Their zones are named for it: "teams.table", "teams.page", "teams.filter".
// arrange rebuilds the rows after a change of the filter; cursorMoved is called when the operator may have moved the
// cursor.
func NewBrowser(screen string, columns []widget.TableColumn, arrange, cursorMoved func()) Browser {
	return Browser{
		Table:  widget.Table{ID: screen + ".table", Columns: slices.Clone(columns), SortColumn: -1},
		screen: screen, pageZone: screen + ".page", filterZone: screen + ".filter", arrange: arrange, cursorMoved: cursorMoved,
	}
}

// Typing reports whether the filter receives the keys.
func (b *Browser) Typing() bool { return b.Filter.Typing() }

// Take passes keys and pasted text that no action has handled to the filter, while the operator types in it.
func (b *Browser) Take(msg ui.Msg) { b.Filter.Follow(&b.Table.List, msg, b.arrange, b.cursorMoved) }

// MoveActions returns the actions that move the cursor of the focused part, and return from the page to the table.
func (b *Browser) MoveActions() []ui.Action {
	if !b.InPage {
		return deck.ListActions(b.screen, &b.Table.List, b.cursorMoved)
	}
	return append(deck.ListActions(b.screen, &b.Page.Scroll, nil),
		ui.Action{ID: b.screen + ".back", Keys: []string{"esc", "left", "h"}, Name: "back",
			Help: "Go back from the page to the table",
			Run:  func() ui.Cmd { b.InPage = false; return nil }})
}

// PageAction moves the focus to the page.
func (b *Browser) PageAction() ui.Action {
	return ui.Action{ID: b.screen + ".page", Keys: []string{"right", "l"}, Name: "page", Hidden: true,
		Help: "Go into the page about the selected row", Run: func() ui.Cmd { b.InPage = true; return nil }}
}

// PartActions returns the actions that switch between table and page and open the filter; rows names the rows in the help:
// "teams, VLANs and ports".
func (b *Browser) PartActions(rows string) []ui.Action {
	other := "page"
	if b.InPage {
		other = "table"
	}
	return []ui.Action{
		{ID: b.screen + ".next", Keys: []string{"tab", "shift+tab"}, Name: other,
			Help: "Move between the table and the page about the selected row",
			Run:  func() ui.Cmd { b.InPage = !b.InPage; return nil }},
		{ID: b.screen + ".filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only " + rows + " that match a text; | divides alternatives", Run: b.OpenFilter},
	}
}

// OpenFilter moves the focus to the filter, for the operator to type.
func (b *Browser) OpenFilter() ui.Cmd {
	b.InPage = false
	b.Filter.Open()
	return nil
}

// Hit handles the mouse on the shared parts: the wheel, the scroll bar, a row, the filter and the focus. done is false for
// a press, which the screen may handle further.
func (b *Browser) Hit(msg ui.HitMsg) (done bool) {
	list := &b.Table.List
	switch step := msg.Button.WheelRows(); {
	case step != 0 && msg.ID == b.pageZone:
		b.Page.Scroll.Scroll(step)
		return true
	case step != 0:
		list.Scroll(step)
		b.cursorMoved()
		return true
	case msg.ID == b.Table.ID+".scroll" && (msg.Button == ui.Press || msg.Button == ui.Drag):
		b.Table.ScrollHit(msg.Hit)
		b.cursorMoved()
		return true
	case msg.Button != ui.Press:
		return true
	}
	b.InPage = msg.ID == b.pageZone
	switch msg.ID {
	case b.Table.ID:
		list.Select(msg.Index)
		b.cursorMoved()
	case b.filterZone:
		b.OpenFilter()
	}
	return false
}

// DrawFilter draws the filter into the first row of an area.
func (b *Browser) DrawFilter(area widget.Area) { b.Filter.Draw(area, b.filterZone) }

// DrawTable draws the table; empty is the text for a table without rows: why, and which key helps.
func (b *Browser) DrawTable(area widget.Area, empty string, fill func(row int, cells []widget.TableCell)) {
	b.Table.Focused, b.Table.Empty = !b.InPage, empty
	b.Table.Draw(area, fill)
}

// DrawPage draws the page; write rewrites its lines when they are out of date.
func (b *Browser) DrawPage(area widget.Area, write func()) {
	if b.Page.Show(area, write) {
		area.Zone(0, 0, area.Width, area.Height, b.pageZone, 0)
	}
}
