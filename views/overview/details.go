package overview

import (
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// details are the page about a node, and what it was written for.
type details struct {
	inventory *perf.Inventory
	id        string
	width     int
	page      *deck.Page
}

// drawSide draws the details of the selected node.
func (v *View) drawSide(area widget.Area) {
	focused := v.focus == sidePart
	area.Zone(0, 0, area.Width, area.Height, "overview.side", 0)
	head, body := area.Sub(1, 0, area.Width-1, area.Height).SplitTop(1)
	n := v.node()
	if n == nil {
		deck.Heading(head, "Nothing selected", focused)
		return
	}
	deck.Heading(head, n.Name, focused)
	if v.details.inventory != v.inventory || v.details.id != n.ID || v.details.width != body.Width {
		v.details = details{v.inventory, n.ID, body.Width, describe(area.Glyphs(), v.inventory, n, body.Width)}
	}
	v.details.page.Draw(body, &v.side)
}

// describe writes the page about a node: what it is, how healthy it is, and what waits for a restart. A node without an
// identity of its own has that of the node above it.
func describe(glyphs *themes.Glyphs, inventory *perf.Inventory, n *perf.Node, width int) *deck.Page {
	page := deck.NewPage(width)
	if widget.Width(n.Name) > width {
		page.Text(n.Name, themes.Style{}) // the heading has it cut
	}
	kind := deck.KindWord(n.Kind)
	if !strings.HasPrefix(n.Detail, kind) {
		kind += "  " + n.Detail
	} else {
		kind = n.Detail
	}
	page.Text(strings.TrimSpace(kind), themes.Style{Role: themes.Muted})
	page.Text(deck.StateText(glyphs, n), themes.Style{Role: deck.StateRole(n.State)})
	if n.Pending != "" {
		page.Item(glyphs.Pending, n.Pending+" waits for a restart (R)", themes.Style{Role: themes.Pending})
	}
	page.Blank()
	page.Text("Health", themes.Style{Role: themes.Title})
	if len(n.Health) == 0 {
		page.Item(glyphs.Up, "nothing to report", themes.Style{Role: themes.Good})
	}
	for _, f := range n.Health {
		glyph, role := deck.SeverityLook(glyphs, f.Severity)
		if f.Severity == driver.Information {
			role = themes.Good
		}
		page.Item(glyph, f.Text, themes.Style{Role: role})
	}
	identity := n.Identity
	if len(identity) == 0 && n.Parent >= 0 && n.Parent < len(inventory.Nodes) {
		identity = inventory.Nodes[n.Parent].Identity
	}
	if len(identity) > 0 {
		page.Blank()
	}
	for _, f := range identity {
		page.Field(f.Label, f.Value)
	}
	return page
}
