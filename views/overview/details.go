package overview

import (
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// details are the lines of the side panel, and what they were made for.
type details struct {
	inventory *perf.Inventory
	id        string
	width     int
	lines     []line
}

// line is one line of text of the side panel: a label in a column of its own, and a text.
type line struct {
	label, text string
	style       themes.Style
}

// drawSide draws the details of the selected node.
func (v *View) drawSide(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	focused := v.focus == sidePart
	area.Zone(0, 0, area.Width, area.Height, "overview.side", 0)
	n := v.node()
	if n == nil {
		title(area.Sub(1, 0, area.Width-1, 1), "Nothing selected", focused)
		return
	}
	title(area.Sub(1, 0, area.Width-1, 1), n.Name, focused)
	body := area.Sub(1, 1, area.Width-1, area.Height-1)
	if v.details.inventory != v.inventory || v.details.id != n.ID || v.details.width != body.Width {
		v.details = details{v.inventory, n.ID, body.Width, describe(area.Glyphs(), v.inventory, n, body.Width)}
	}
	lines := v.details.lines
	v.side.SetLength(max(len(lines)-body.Height+1, 1)) // the cursor is the first line that shows
	v.side.SetHeight(1)
	top := max(v.side.Cursor(), 0)
	for y, l := range lines[min(top, len(lines)):] {
		if y >= body.Height {
			break
		}
		x := 0
		if l.label != "" {
			body.PrintCut(0, y, labelWidth-1, l.label, themes.Style{Role: themes.Muted})
			x = labelWidth
		}
		body.PrintCut(x, y, body.Width-x, l.text, l.style)
	}
	if hidden := len(lines) - top - body.Height; hidden > 0 && body.Width > 2 {
		body.Set(body.Width-1, body.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
}

// labelWidth is the width of the labels in the side panel, the blank behind them included.
const labelWidth = 10

// describe writes the side panel of a node: what it is, how healthy it is, and what waits for a restart. A node without
// an identity of its own has that of the node above it.
func describe(glyphs *themes.Glyphs, inventory *perf.Inventory, n *perf.Node, width int) []line {
	muted := themes.Style{Role: themes.Muted}
	lines := []line{{text: deck.KindWord(n.Kind) + "  " + n.Detail, style: muted}}
	lines = append(lines, line{text: deck.StateText(glyphs, n), style: themes.Style{Role: deck.StateRole(n.State)}})
	identity := n.Identity
	if len(identity) == 0 && n.Parent >= 0 && n.Parent < len(inventory.Nodes) {
		identity = inventory.Nodes[n.Parent].Identity
	}
	lines = append(lines, line{})
	for _, f := range identity {
		label := f.Label
		if widget.Width(label) >= labelWidth { // a long label has a line of its own
			lines = append(lines, line{text: label, style: muted})
			label = " "
		}
		for _, part := range widget.Wrap(f.Value, width-labelWidth) {
			lines = append(lines, line{label: label, text: part})
			label = " "
		}
	}
	lines = append(lines, line{}, line{text: "Health", style: themes.Style{Role: themes.Title}})
	if len(n.Health) == 0 {
		lines = append(lines, line{text: string(glyphs.Up) + " nothing to report", style: themes.Style{Role: themes.Good}})
	}
	for _, f := range n.Health {
		glyph, role := deck.SeverityLook(glyphs, f.Severity)
		if f.Severity == driver.Information {
			role = themes.Good
		}
		lines = append(lines, wrapped(glyph, f.Text, width, themes.Style{Role: role})...)
	}
	if n.Pending != "" {
		text := n.Pending + " waits for a restart (R)"
		lines = append(lines, line{})
		lines = append(lines, wrapped(glyphs.Pending, text, width, themes.Style{Role: themes.Pending})...)
	}
	return lines
}

// wrapped is a text over as many lines as it takes, with a glyph before the first.
func wrapped(glyph rune, text string, width int, style themes.Style) []line {
	var lines []line
	before := string(glyph) + " "
	for _, part := range widget.Wrap(text, width-2) {
		lines = append(lines, line{text: before + part, style: style})
		before = "  "
	}
	return lines
}
