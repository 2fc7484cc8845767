package lab

import (
	"strconv"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

const (
	// besideFrom is the minimum width for the page beside the lists.
	besideFrom = 110
	// stackedFrom is the minimum height for all lists, one below the other.
	stackedFrom = 28
	// sparkMin and sparkMax bound the width of a sparkline, in cells.
	sparkMin, sparkMax = 7, 30
)

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	if v.state == nil {
		if !v.sheets.Draw(area, v.deck.Monitor(), perf.HostTopic) {
			v.drawNoLab(area)
		}
		return
	}
	p := browse.PlacePanels(area.Width, area.Height, besideFrom, v.inPage)
	if !p.Beside && p.Page.Height > 0 && p.Table.Height > 0 {
		p = v.lower(p, area.Height)
	}
	v.drawBar(p.Bar.In(area), p.Table.Height < stackedFrom)
	if table := p.Table.In(area); table.Height >= stackedFrom {
		v.drawStacked(table)
	} else if table.Height > 0 {
		v.drawList(table, v.list)
	}
	p.DrawRule(area, v.inPage)
	v.drawPage(p.Page.In(area))
}

// lower gives the rows that the list does not need to the page below it.
func (v *View) lower(p browse.Panels, height int) browse.Panels {
	need := max(len(v.rows[v.list])+1, 3)
	if spare := p.Table.Height - need; spare > 0 && p.Table.Height < stackedFrom {
		p.Table.Height -= spare
		p.Rule.Y -= spare
		p.Page.Y -= spare
		p.Page.Height = height - p.Page.Y
	}
	return p
}

// drawNoLab draws why there is no lab.
func (v *View) drawNoLab(area widget.Area) {
	text := "Waiting for the source."
	if v.deck.HasSettings() {
		text = "This machine is being read; e opens the settings of its interfaces."
	} else if m := v.deck.Monitor(); m != nil {
		text = "There is no lab to change here: " + v.deck.CannotChange() + "."
		if m.Status().Info.Kind == perf.SessionSource {
			text = browse.AbsentHost(m, text+" X closes the replay.")
		} else {
			text += " Start cxdeck without --source, and it runs on the embedded lab."
		}
	}
	browse.DrawNotice(area, text)
}

// drawBar draws the filter, and with tabs the titles of all lists.
func (v *View) drawBar(area widget.Area, tabs bool) {
	x := 0
	if tabs {
		for i, title := range listTitles {
			style := muted
			if part(i) == v.list {
				style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
			}
			from := x
			x = area.Print(x, 0, title, style)
			x = area.Print(x+1, 0, strconv.Itoa(len(v.rows[i])), muted)
			area.Zone(from, 0, x-from, 1, tableIDs[i]+".title", i)
			x += 2
		}
	}
	v.filter.Draw(area.Sub(x, 0, area.Width-x, 1), zoneFilter)
}

// drawStacked draws all lists, one below the other under their titles. The workloads get the remaining height.
func (v *View) drawStacked(area widget.Area) {
	heights := [listCount]int{}
	left := area.Height - 2*(listCount-1) - 1 // titles, and blanks between
	for i := range heights {
		heights[i] = min(max(len(v.rows[i]), 1)+1, max(left/2, 3))
		if part(i) != flowsPart {
			left -= heights[i]
		}
	}
	heights[flowsPart] = min(left, max(len(v.rows[flowsPart]), 1)+1)
	y := 0
	for i := range heights {
		head := area.Sub(0, y, area.Width, 1)
		focused := part(i) == v.list && !v.inPage
		browse.Heading(head, listTitles[i], focused)
		head.Zone(0, 0, head.Width, 1, tableIDs[i]+".title", i)
		v.drawList(area.Sub(0, y+1, area.Width, heights[i]), part(i))
		y += heights[i] + 2
	}
}

// drawList draws one list.
func (v *View) drawList(area widget.Area, list part) {
	table := &v.tables[list]
	table.Focused = list == v.list && !v.inPage
	table.Empty = v.emptyText(list)
	if list == flowsPart {
		table.Columns[flowSpark].Width = min(max(area.Width/11, sparkMin), sparkMax)
	}
	glyphs := area.Glyphs()
	table.Draw(area, func(row int, cells []widget.TableCell) { v.fill(list, glyphs, row, cells) })
}

// emptyText returns why a list has no rows, and which key helps.
func (v *View) emptyText(list part) string {
	if v.filter.Active() {
		return v.filter.NoMatch("Nothing here matches")
	}
	switch list {
	case scenesPart:
		return "No scene is available for this lab."
	case flowsPart:
		return "This lab has no workloads: its file describes none."
	default:
		return "This lab has no ports."
	}
}
