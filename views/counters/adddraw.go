package counters

import (
	"fmt"
	"strconv"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// addPlaces holds the rectangles of the parts of the add dialog.
type addPlaces struct {
	search, button, description, basket rect
	parts                               [partCount]rect
}

// wideAdd is the minimum width at which the three lists keep their widths; in a narrower dialog the focused list gets more
// room for its names.
const wideAdd = 96

// maximumBasket is the maximum number of lines of the basket, which lists the chosen counters.
const maximumBasket = 3

// arrangeAdd lays out the dialog; text and basket are the numbers of lines of the description and of the basket. The
// description gets at most a third of the height. It is a pure function.
func arrangeAdd(width, height, focus, text, basket int) addPlaces {
	description := max(3, min(text, height/3))
	basket = min(basket, maximumBasket)
	if height < 16 {
		description, basket = 2, min(basket, 1)
	}
	a := addPlaces{search: rect{0, 0, width, 1}}
	body := max(0, height-2-description-basket-1)
	const gap = 2
	shares := [partCount]int{partSets: 34, partCounters: 38}
	if width < wideAdd {
		shares = [partCount]int{partSets: 26, partCounters: 26}
		switch focus {
		case partSearch, partSets:
			shares[partSets] = 42
			shares[partCounters] = 33
		case partCounters:
			shares[partCounters] = 50
		}
	}
	sets := (width - 2*gap) * shares[partSets] / 100
	counters := (width - 2*gap) * shares[partCounters] / 100
	instances := width - 2*gap - sets - counters
	a.parts[partSets] = rect{0, 2, sets, body}
	a.parts[partCounters] = rect{sets + gap, 2, counters, body}
	a.parts[partInstances] = rect{sets + counters + 2*gap, 2, instances, body}
	a.description = rect{0, 2 + body, width, description}
	a.basket = rect{0, 2 + body + description, width, basket}
	a.button = rect{0, 2 + body + description + basket, width, 1}
	return a
}

// partNames are the titles of the lists.
var partNames = [partCount]string{partSets: "Set", partCounters: "Counter", partInstances: "Instance"}

func (d *addDialog) Draw(area widget.Area) {
	d.refresh()
	lines := widget.Wrap(d.description(), area.Width)
	basket := d.chosenLines()
	places := arrangeAdd(area.Width, area.Height, d.part, len(lines), len(basket))
	search := subArea(area, places.search)
	x := search.Print(0, 0, "/ ", attention)
	d.search.Draw(search.Sub(x, 0, search.Width-x, 1), d.part == partSearch, plain)
	search.Zone(0, 0, search.Width, 1, zoneAdd+strconv.Itoa(partSearch), 0)
	switch {
	case d.ready == nil:
		drawMessage(subArea(area, rect{0, 2, area.Width, places.parts[partSets].height}), "Listing "+seriesText(d.screen.schema)+" counters.")
		return
	case len(d.found.Sets) == 0:
		drawMessage(subArea(area, rect{0, 2, area.Width, places.parts[partSets].height}), "No counter has all of these words. Esc empties the search.")
		d.drawBasket(subArea(area, places.basket), basket)
		return
	}
	for _, part := range []int{partSets, partCounters, partInstances} {
		d.drawPart(subArea(area, places.parts[part]), part)
	}
	description := subArea(area, places.description)
	for y, line := range lines[:min(len(lines), description.Height)] {
		if y == description.Height-1 && len(lines) > description.Height {
			line += " " + lines[y+1]
		}
		description.PrintCut(0, y, description.Width, line, muted)
	}
	d.drawBasket(subArea(area, places.basket), basket)
	d.drawButton(subArea(area, places.button))
}

// drawBasket lists the chosen counters, a line for each set.
func (d *addDialog) drawBasket(area widget.Area, lines []string) {
	for y, line := range lines[:min(len(lines), area.Height)] {
		if more := len(lines) - area.Height; y == area.Height-1 && more > 0 {
			line = fmt.Sprintf("%s, and of %d more sets", line, more)
		}
		area.PrintCut(0, y, area.Width, line, attention)
	}
}

// drawPart draws one of the three lists.
func (d *addDialog) drawPart(area widget.Area, part int) {
	list := &d.lists[part]
	title := partNames[part]
	if n := d.count(part); n > 0 {
		title = fmt.Sprintf("%s  %d chosen", title, n)
	} else if n := list.Length(); n > area.Height-1 {
		title = fmt.Sprintf("%s  %d of %d", title, list.Cursor()+1, n)
	}
	style := themes.Style{Role: themes.Muted, Attr: themes.Bold}
	if d.part == part {
		style.Role = themes.Accent
	}
	area.PrintCut(0, 0, area.Width, title, style)
	body := area.Sub(0, 1, area.Width, area.Height-1)
	list.SetHeight(body.Height)
	from, to := list.Visible()
	for row := from; row < to; row++ {
		d.drawPartRow(body.Sub(0, row-from, body.Width, 1), part, row)
		body.Zone(0, row-from, body.Width, 1, zoneAdd+strconv.Itoa(part), row)
	}
}

// drawPartRow draws a row with its mark.
func (d *addDialog) drawPartRow(area widget.Area, part, row int) {
	g := area.Glyphs()
	f := d.set()
	var text string
	chosen, box, style := false, part != partSets, plain
	switch {
	case part == partSets:
		text = d.ready.Sets[d.found.Sets[row].Set].Name
	case part == partInstances && row == 0:
		text, style = fmt.Sprintf("All instances (%d)", len(d.instancesUnderCursor())), attention
		box = false
	default:
		n := d.rowIndex(part, row)
		chosen = d.isTicked(part, d.text(part, n))
		if part == partCounters {
			text = d.ready.Sets[f.Set].Counters[n]
		} else if text = d.ready.Sets[f.Set].Instances[n]; text == "" {
			text = "(whole computer)"
		}
	}
	x := 0
	if box {
		mark := g.Unchecked
		if chosen {
			mark = g.Checked
		}
		x = area.Print(0, 0, string(mark)+" ", muted)
	}
	area.PrintCut(x, 0, area.Width-x, text, style)
	switch {
	case row == d.lists[part].Cursor() && d.part == part:
		area.Ground(0, 0, area.Width, themes.Selected)
	case row == d.lists[part].Cursor() && d.count(part) == 0 && d.current(), chosen: // the action of the button
		area.Ground(0, 0, area.Width, themes.Marked)
	}
}

// drawButton draws the button with the number of counters that Enter adds, and a warning if there are too many.
func (d *addDialog) drawButton(area widget.Area) {
	n := len(d.paths())
	room := maximumCurves - len(d.screen.curves)
	text := "Nothing to add: this counter has no such instance."
	style := muted
	switch {
	case n == 1:
		text, style = "[ Add 1 counter ]", attention
	case n > 1:
		text, style = fmt.Sprintf("[ Add %d counters ]", n), attention
	}
	x := area.Print(0, 0, text, style)
	area.Zone(0, 0, x, 1, zoneAdd+"button", 0)
	switch {
	case n > room:
		area.PrintCut(x+2, 0, area.Width-x-2, fmt.Sprintf("there is room for %d more", max(room, 0)), themes.Style{Role: themes.Warn})
	case n > 0 && len(d.chosenLines()) == 0: // otherwise the basket lists them
		area.PrintCut(x+2, 0, area.Width-x-2, d.summary(d.set().Set, d.chosenIndexes(partCounters), d.chosenIndexes(partInstances)), muted)
	}
}
