package registry

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/registry/keyset"
)

// The widths of the editor and of its field, and the maximum number of rows of its lists, in cells.
const (
	editorWidth = 76
	fieldWidth  = 34
	maxListed   = 8
)

// listed returns the values or bits that the editor lists.
func (d *editor) listed() []registry.Choice {
	if len(d.entry.Row.Bits) > 0 {
		return d.entry.Row.Bits
	}
	return keyset.Choices(d.entry.Row)
}

func (d *editor) Size(width, height int) (int, int) {
	width = min(width, editorWidth)
	rows := len(widget.Wrap(d.entry.Row.Summary, width)) + 6 + len(d.checkLines(width))
	rows += min(len(d.listed()), maxListed)
	if len(d.peers) > 0 {
		rows += 1 + min(len(d.peers), maxListed)
	}
	return width, min(height, rows)
}

func (d *editor) Draw(area widget.Area) {
	y := 0
	for _, l := range widget.Wrap(d.entry.Row.Summary, area.Width) {
		area.Print(0, y, l, muted)
		y++
	}
	y = d.drawField(area, y+1)
	checks := d.checkLines(area.Width)
	peers := 0
	if len(d.peers) > 0 {
		peers = 1 + min(len(d.peers), maxListed)
	}
	// The verdict on the value gets its room before the lists.
	room := area.Height - y - len(checks) - 1
	if peers > 0 && room-min(len(d.listed()), 3) < peers {
		peers = max(room-min(len(d.listed()), 3), 2)
	}
	y = d.drawListed(area.Sub(0, y, area.Width, max(room-peers, 0)), y)
	glyph, style := gradeStyle(area.Glyphs(), d.verdict.Grade)
	if d.problem != "" {
		glyph, style = area.Glyphs().Failed, bad
	}
	y++
	question := len(checks) - len(d.question(area.Width-2))
	for i, l := range checks {
		if i == 0 {
			area.Set(0, y, glyph, style)
		}
		if i >= question {
			style = themes.Style{Role: themes.Warn, Attr: themes.Bold}
		}
		area.Print(2, y, l, style)
		y++
	}
	if peers > 0 {
		d.drawPeers(area.Sub(0, y, area.Width, area.Height-y))
	}
}

// drawField draws the value, its range and its current state; it returns the row below.
func (d *editor) drawField(area widget.Area, y int) int {
	e := d.entry
	label := muted
	if !d.inPeers {
		label = accent
	}
	area.Print(0, y, "Value", label)
	width := fieldWidth
	if e.Row.Type == registry.Text {
		width = area.Width - labelWidth
	}
	d.input.Draw(area.Sub(labelWidth, y, width, 1), !d.inPeers, themes.Style{})
	if n, ok := d.number(); ok && e.Row.Type == registry.Number {
		at := labelWidth + width + 2
		area.Print(at, y, d.otherBases(n, area.Width-at), muted)
	}
	y++
	span := strings.TrimSpace(e.Span() + " " + e.Row.Unit)
	if e.Row.Stride > 1 {
		span += "; the arrows step by " + strconv.Itoa(int(e.Row.Stride))
	}
	if span != "" {
		area.Print(0, y, "Range", muted)
		area.PrintCut(labelWidth, y, area.Width-labelWidth, span, text)
		y++
	}
	area.Print(0, y, "Now", muted)
	area.PrintCut(labelWidth, y, area.Width-labelWidth, fmt.Sprintf("stored %s, effective %s, default %s",
		keyset.FormatValue(e.Row, e.Stored), keyset.FormatValue(e.Row, e.Effective), keyset.FormatValue(e.Row, e.Default)), text)
	y++
	area.Print(0, y, "Applies", muted)
	area.PrintCut(labelWidth, y, area.Width-labelWidth, momentText(e.Row.Applies), text)
	return y + 1
}

// momentText returns when a value takes effect: "at once", "after an adapter restart".
func momentText(m registry.EffectTime) string {
	switch m {
	case registry.AtOnce:
		return "at once"
	case registry.AtRestart:
		return "after an adapter restart"
	default:
		return "after a " + keyset.MomentWords[m]
	}
}

// otherBases returns a number in the other bases, if they fit: a cut number would be wrong.
func (d *editor) otherBases(n int64, width int) string {
	said := ""
	for i, b := range bases {
		word := "= " + b.prefix + strings.ToUpper(strconv.FormatInt(n, b.base))
		if i == baseIndex(d.input.Value()) || len(said)+len(word) > width {
			continue
		}
		said += word + " "
	}
	return said
}

// drawListed draws the values of a list or the bits of a mask; it returns the row below.
func (d *editor) drawListed(area widget.Area, y int) int {
	list := d.listed()
	if len(list) == 0 || area.Height == 0 {
		return y
	}
	n, ok := d.number()
	mask := len(d.entry.Row.Bits) > 0
	at := d.bit
	if !mask {
		for i, c := range list {
			if ok && int64(c.Value) == n {
				at = i
			}
		}
	}
	var shown widget.List
	shown.SetLength(len(list))
	shown.SetHeight(min(area.Height, maxListed))
	shown.Select(at)
	from, to := shown.Visible()
	g := area.Glyphs()
	for i := from; i < to; i++ {
		c := list[i]
		on := ok && int64(c.Value) == n
		if mask {
			on = ok && n&int64(c.Value) != 0
		}
		style, mark := muted, g.Down
		if on {
			style, mark = text, g.Up
		}
		if mask {
			mark = g.Unchecked
			if on {
				mark = g.Checked
			}
		}
		row := i - from
		area.Set(labelWidth, row, mark, style)
		area.PrintCut(labelWidth+2, row, area.Width-labelWidth-2, d.write(c.Value)+"  "+c.Label, style)
		area.Zone(labelWidth, row, area.Width-labelWidth, 1, "registry.choice", i)
		if mask && i == d.bit && !d.inPeers {
			area.Ground(labelWidth, row, area.Width-labelWidth, themes.Selected)
		}
	}
	return y + to - from
}

// checkLines returns the wrapped verdict on the value; the last line asks about an invalid one.
func (d *editor) checkLines(width int) []string {
	said := d.problem
	if said == "" {
		said = d.verdict.Grade.String()
		for i, r := range d.verdict.Reasons {
			said += [...]string{": ", "; "}[min(i, 1)] + r.Why
		}
	}
	return append(widget.Wrap(wording.UpperFirst(said), width-2), d.question(width-2)...)
}

// question returns the question about an invalid value after Enter; empty before.
func (d *editor) question(width int) []string {
	if !d.asked {
		return nil
	}
	then := keyset.RemedyWords[d.verdict.Remedy]
	if then == "" {
		then = "the driver uses " + keyset.FormatWithMeaning(d.entry.Row, d.verdict.Used)
	}
	return widget.Wrap("Enter again puts it in the draft anyway: "+then+".", width)
}

// drawPeers draws the other adapters that have the key.
func (d *editor) drawPeers(area widget.Area) {
	style := muted
	if d.inPeers {
		style = accent
	}
	area.Print(0, 0, "Also on", style)
	body := area.Sub(labelWidth, 0, area.Width-labelWidth, min(area.Height, maxListed))
	d.peer.SetHeight(body.Height)
	from, to := d.peer.Visible()
	g := area.Glyphs()
	for i := from; i < to; i++ {
		mark := g.Unchecked
		if d.marked[i] {
			mark = g.Checked
		}
		y := i - from
		body.Set(0, y, mark, text)
		body.PrintCut(2, y, 24, d.peers[i].Owner, text)
		body.PrintCut(28, y, body.Width-28, keyset.FormatWithMeaning(d.entry.Row, d.view.stored(d.peers[i])), muted)
		body.Zone(0, y, body.Width, 1, "registry.peer", i)
		if d.inPeers && i == d.peer.Cursor() {
			body.Ground(0, y, body.Width, themes.Selected)
		}
	}
}
