// Package browse implements the frame of screens with lists: a filter, a table, and a page about the selected row, with the layout
// of their panels. Screens fill the cells and write the pages.
package browse

import (
	"slices"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Browser is the parts of a screen that is a table with a page about the selected row, and a filter for the rows,
// with the keys and the mouse that all such screens have in common. Panels says where the parts lie.
type Browser struct {
	Table  widget.Table
	Filter Filter
	// Page is about the selected row; InPage says that it has the focus.
	Page   Page
	InPage bool

	screen          string
	pageZone        string
	filterZone      string
	arrange, turned func()
}

// NewBrowser makes the parts of a screen. Their zones are named for it: "teams.table", "teams.page", "teams.filter".
// arrange rebuilds the rows when the filter has changed, turned is called when the operator may have moved the
// cursor.
func NewBrowser(screen string, columns []widget.TableColumn, arrange, turned func()) Browser {
	return Browser{
		Table:  widget.Table{ID: screen + ".table", Columns: slices.Clone(columns), SortColumn: -1},
		screen: screen, pageZone: screen + ".page", filterZone: screen + ".filter", arrange: arrange, turned: turned,
	}
}

// Typing reports whether the filter takes the keys.
func (b *Browser) Typing() bool { return b.Filter.Typing() }

// Take takes what no action took: keys and pasted text for the filter while it is typed.
func (b *Browser) Take(msg ui.Msg) { b.Filter.Follow(&b.Table.List, msg, b.arrange, b.turned) }

// MoveActions returns the keys that move in the part with the focus, and lead back from the page.
func (b *Browser) MoveActions() []ui.Action {
	if !b.InPage {
		return deck.ListActions(b.screen, &b.Table.List, b.turned)
	}
	return append(deck.ListActions(b.screen, &b.Page.Scroll, nil),
		ui.Action{ID: b.screen + ".back", Keys: []string{"esc", "left", "h"}, Name: "back",
			Help: "Go back from the page to the table",
			Run:  func() ui.Cmd { b.InPage = false; return nil }})
}

// PageAction goes into the page.
func (b *Browser) PageAction() ui.Action {
	return ui.Action{ID: b.screen + ".page", Keys: []string{"right", "l"}, Name: "page", Hidden: true,
		Help: "Go into the page about the selected row", Run: func() ui.Cmd { b.InPage = true; return nil }}
}

// PartActions returns the keys for the other part and for the filter; rows are what it is for: "teams, VLANs and ports".
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

// OpenFilter starts typing the filter.
func (b *Browser) OpenFilter() ui.Cmd {
	b.InPage = false
	b.Filter.Open()
	return nil
}

// Hit handles the mouse as far as all such screens do the same: the wheel, the scroll bar, a row, the filter and the
// focus. done says that nothing else has to be done for it.
func (b *Browser) Hit(msg ui.HitMsg) (done bool) {
	list := &b.Table.List
	switch step := msg.Button.Wheel(); {
	case step != 0 && msg.ID == b.pageZone:
		b.Page.Scroll.Scroll(step)
		return true
	case step != 0:
		list.Scroll(step)
		b.turned()
		return true
	case msg.ID == b.Table.ID+".scroll" && (msg.Button == ui.Press || msg.Button == ui.Drag):
		b.Table.ScrollHit(msg.Hit)
		b.turned()
		return true
	case msg.Button != ui.Press:
		return true
	}
	b.InPage = msg.ID == b.pageZone
	switch msg.ID {
	case b.Table.ID:
		list.Select(msg.Index)
		b.turned()
	case b.filterZone:
		b.OpenFilter()
	}
	return false
}

// DrawFilter draws the filter into the first row of an area.
func (b *Browser) DrawFilter(area widget.Area) { b.Filter.Draw(area, b.filterZone) }

// DrawTable draws the table; empty says why it has no rows, and which key helps.
func (b *Browser) DrawTable(area widget.Area, empty string, fill func(row int, cells []widget.TableCell)) {
	b.Table.Focused, b.Table.Empty = !b.InPage, empty
	b.Table.Draw(area, fill)
}

// DrawPage draws the page, which write writes when it is not as it was.
func (b *Browser) DrawPage(area widget.Area, write func()) {
	if b.Page.Show(area, write) {
		area.Zone(0, 0, area.Width, area.Height, b.pageZone, 0)
	}
}
