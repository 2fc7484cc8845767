package comparing

import (
	"fmt"
	"strconv"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/comparison"
	"cxdeck/views/deck"
	"cxdeck/views/moment"
)

// The styles of the page's own texts.
var (
	muted  = themes.Style{Role: themes.Muted}
	strong = themes.Style{Attr: themes.Bold}
)

const sectionZone = "history.section"

// The columns of the counters.
const (
	counterColumn = iota
	instanceColumn
	beforeColumn
	afterColumn
	changeColumn
	percentColumn
	sigmaColumn
	noiseColumn
)

// makeTables makes the tables of all sections. Only a comparison around a change has the column of measured noise, which is
// more useful than the deviation.
func (p *Page) makeTables() {
	columns := []widget.TableColumn{
		counterColumn:  {Title: "Counter", Width: 18, Grow: 1},
		instanceColumn: {Title: "Instance", Width: 14, Grow: 1},
		beforeColumn:   {Title: "a", Width: 9, Right: true},
		afterColumn:    {Title: "b", Width: 9, Right: true},
		changeColumn:   {Title: "Change", Width: 10, Right: true, Rank: 2},
		percentColumn:  {Title: "%", Width: 8, Right: true},
		sigmaColumn:    {Title: "Std dev", Width: 7, Right: true, Rank: 1},
		noiseColumn:    {Title: "Noise", Width: 9, Right: true, Rank: 1},
	}
	if p.request.Kind == Around {
		columns[sigmaColumn].Rank = 3
	} else {
		columns = columns[:noiseColumn]
	}
	p.tables[counterSection] = widget.Table{ID: "history.counters", Columns: columns}
	p.tables[keySection] = widget.Table{ID: "history.keys", Columns: []widget.TableColumn{
		{Title: "Connection", Width: 12}, {Title: "Key", Width: 18, Grow: 1}, {Title: "Stored a", Width: 10, Grow: 1}, {Title: "Stored b", Width: 10, Grow: 1},
		{Title: "Effective a", Width: 11, Grow: 1, Rank: 1}, {Title: "Effective b", Width: 11, Grow: 1, Rank: 1},
	}}
	p.tables[partSection] = widget.Table{ID: "history.parts", Columns: []widget.TableColumn{
		{Title: "Part", Width: 12}, {Title: "Name", Width: 14, Grow: 1}, {Title: "a", Width: 20, Grow: 2}, {Title: "b", Width: 20, Grow: 2},
	}}
	p.tables[eventSection] = widget.Table{ID: "history.events", Columns: []widget.TableColumn{
		{Title: "In", Width: 2}, {Title: "Times", Width: 5, Right: true}, {Title: "First", Width: 8}, {Title: "Severity", Width: 11, Rank: 1},
		{Title: "Adapter", Width: 12}, {Title: "Event", Width: 20, Grow: 1},
	}}
	for i := range p.tables {
		p.tables[i].SortColumn, p.tables[i].Focused = -1, true
	}
}

// Draw draws the page.
func (p *Page) Draw(area widget.Area) {
	title, body := area.SplitTop(1)
	p.drawTitle(title)
	switch {
	case p.work != nil:
		p.drawWork(body)
	case p.err != nil:
		drawText(body, "Cannot compare: "+p.err.Error()+".", "Esc goes back to the sessions.")
	case p.found != nil:
		p.drawComparison(body)
	}
}

func drawText(area widget.Area, lines ...string) {
	y := 1
	for _, text := range lines {
		for _, line := range widget.Wrap(text, max(area.Width-2, 1)) {
			area.Print(1, y, line, muted)
			y++
		}
	}
}

// drawTitle draws the title: the kind of the comparison, and its range, change or sessions.
func (p *Page) drawTitle(area widget.Area) {
	text := "Compare"
	switch p.request.Kind {
	case WhatChanged:
		text = "What changed?"
		if p.request.Why != "" {
			text += "  " + p.request.Why
		}
	case Around:
		text = fmt.Sprintf("Before and after change %d", p.request.Change)
		if p.found != nil && p.found.Change != nil {
			e := &p.found.Change.Entry
			text += "  " + e.Plan.Title + ", " + p.clock(e.Time)
			if e.By != "" {
				text += ", by " + e.By
			}
		}
	case Pair:
		if p.found != nil {
			text += "  " + p.found.First.Name + " with " + p.found.Second.Name
		}
	}
	area.PrintCut(1, 0, area.Width-1, text, themes.Style{Role: themes.Title, Attr: themes.Bold})
}

func (p *Page) clock(at time.Time) string { return at.In(p.zone).Format("15:04:05") }

// drawWork draws the progress of the work.
func (p *Page) drawWork(area widget.Area) {
	text := p.work.name
	if all := p.work.all.Load(); all > 0 {
		text += fmt.Sprintf(", %d of %d", p.work.done.Load(), all)
	}
	drawText(area, text+".", "Esc cancels.")
}

// drawComparison draws the comparison.
func (p *Page) drawComparison(area widget.Area) {
	y := p.drawPeriods(area, 0)
	for _, line := range widget.Wrap(p.found.Sentence(p.deck.InBytes), max(area.Width-4, 1)) {
		area.Print(3, y, line, strong)
		y++
	}
	if p.found.Change != nil {
		y = p.drawMethod(area, y)
	}
	p.drawSections(area.Sub(0, y, area.Width, 1))
	p.drawSection(area.Sub(0, y+1, area.Width, area.Height-y-1))
}

const (
	// besideFrom is the minimum width for the curves beside the counters.
	besideFrom = 150
	// roomyFrom is the minimum height for the explanation of the method.
	roomyFrom = 28
	// minChart is the minimum height of the chart with its title and axes, minRows of the table below it with its titles.
	minChart, minRows = 7, 4
)

// drawPeriods draws the names of the two periods, with the lines of their curves.
func (p *Page) drawPeriods(area widget.Area, y int) int {
	g := area.Glyphs()
	looks := [2]string{string(g.Limit) + string(g.Limit), string(g.Line) + string(g.Line)}
	for i, s := range []comparison.Period{p.found.First, p.found.Second} {
		x := area.Print(1, y+i, string(letters[i])+" "+looks[i]+" ", themes.Style{Role: themes.SeriesRole(i), Attr: themes.Bold})
		area.PrintCut(x, y+i, area.Width-x, p.periodText(s, i), themes.Style{})
	}
	return y + 2
}

// periodText names a period: "before  14:01:00 to 14:02:00, 1 min, session 12".
func (p *Page) periodText(s comparison.Period, side int) string {
	to := p.clock(s.To)
	if s.From.In(p.zone).Format(time.DateOnly) != s.To.In(p.zone).Format(time.DateOnly) {
		to = p.dayClock(s.To)
	}
	text := fmt.Sprintf("%s to %s, %s, %s", p.dayClock(s.From), to, moment.Span(s.Length()), s.Name)
	if p.request.Kind == Pair {
		return text
	}
	return [2]string{"before  ", "after   "}[side] + text
}

// dayClock formats a time, with its date unless both periods are on one day.
func (p *Page) dayClock(at time.Time) string {
	day := func(at time.Time) string { return at.In(p.zone).Format(time.DateOnly) }
	first := day(p.found.First.From)
	if day(p.found.First.To) != first || day(p.found.Second.From) != first || day(p.found.Second.To) != first {
		return at.In(p.zone).Format("2006-01-02 15:04:05")
	}
	return p.clock(at)
}

// drawMethod draws the explanation of the method if there is room, and returns the next row.
func (p *Page) drawMethod(area widget.Area, y int) int {
	lines := p.found.Change.Method()
	if area.Height < roomyFrom {
		lines = lines[:0:0]
		if p.found.Change.Next != nil { // always show the warning about the next change
			all := p.found.Change.Method()
			lines = all[len(all)-1:]
		}
	}
	for _, text := range lines {
		for _, line := range widget.Wrap(text, max(area.Width-4, 1)) {
			area.Print(3, y, line, muted)
			y++
		}
	}
	return y
}

// drawSections draws the line of sections, and the filter.
func (p *Page) drawSections(area widget.Area) {
	x := 1
	for s := range sectionCount {
		text, style := "  "+sectionNames[s], muted
		if s == p.section {
			text, style = string(area.Glyphs().Closed)+" "+sectionNames[s], themes.Style{Role: themes.Accent, Attr: themes.Bold}
		}
		if n := p.tables[s].List.Length(); n > 0 || s == counterSection || s == eventSection || p.hosts && p.found.Host != nil {
			text += " " + strconv.Itoa(n)
		}
		end := area.Print(x, 0, text, style)
		area.Zone(x, 0, end-x, 1, sectionZone, int(s))
		x = end + 2
	}
	p.filter.Draw(area.Sub(x+1, 0, area.Width-x-1, 1), "history.filter")
}

// drawSection draws the selected section.
func (p *Page) drawSection(area widget.Area) {
	if area.Height <= 0 {
		return
	}
	t := &p.tables[p.section]
	switch p.section {
	case counterSection:
		p.drawCounters(area)
	case keySection:
		t.Empty = p.emptyHost("No registry key differs.")
		t.Draw(area, p.fillKey)
	case partSection:
		t.Empty = p.emptyHost("No adapter, port, team, VLAN, switch, machine or virtual function differs.")
		t.Draw(area, p.fillPart)
	default:
		t.Empty = "No event occurred in only one of the two."
		t.Draw(area, p.fillEvent)
	}
}

func (p *Page) emptyHost(none string) string {
	switch {
	case !p.hosts:
		return "The hosts are being compared."
	case p.found.NoHost != "":
		return "The hosts can't be compared: " + p.found.NoHost + "."
	}
	return none
}

// drawCounters draws the counters with the curves of the selected one beside or above them.
func (p *Page) drawCounters(area widget.Area) {
	t := &p.tables[counterSection]
	t.Empty = "No counter differs."
	switch {
	case p.filter.Active():
		t.Empty = p.filter.NoMatch("No counter matches")
	case p.changedOnly:
		t.Empty = "No counter changed by more than its noise. v shows all that differ."
	}
	d := p.selected()
	if d == nil {
		t.Draw(area, p.fillCounter)
		return
	}
	const gap = 2
	if area.Width >= besideFrom {
		left := area.Width * 11 / 20
		p.drawChart(area.Sub(left+gap, 0, area.Width-left-gap, area.Height), d)
		area = area.Sub(0, 0, left, area.Height)
	} else if rows := max(area.Height*9/20, minChart); area.Height >= minChart+minRows {
		p.drawChart(area.Sub(0, 0, area.Width, rows), d)
		area = area.Sub(0, rows, area.Width, area.Height-rows)
	}
	t.Draw(area, p.fillCounter)
}

func (p *Page) fillCounter(row int, cells []widget.TableCell) {
	d := &p.found.Counters[p.rows[row]]
	inBytes := p.deck.InBytes
	style := muted
	if d.BeyondNoise() {
		style = themes.Style{}
	}
	cells[counterColumn] = widget.TableCell{Text: d.Series.Counter, Style: style}
	cells[instanceColumn] = widget.TableCell{Text: d.Series.Instance, Style: style}
	cells[beforeColumn].Text = d.Number(d.Before.Mean, inBytes)
	cells[afterColumn].Text = d.Number(d.After.Mean, inBytes)
	cells[changeColumn].Text = d.Number(d.Change, inBytes)
	cells[percentColumn].Text = d.Percentage()
	cells[sigmaColumn].Text = d.Sigma()
	if noiseColumn < len(cells) {
		cells[noiseColumn] = widget.TableCell{Text: "-", Style: muted}
		if d.Periods > 0 {
			cells[noiseColumn] = widget.TableCell{Text: d.Number(d.Noise, inBytes)}
		}
	}
}

func (p *Page) fillKey(row int, cells []widget.TableCell) {
	k := &p.found.Host.Keys[row]
	for i, text := range []string{k.Connection, k.Key, k.Stored[0], k.Stored[1], k.Effective[0], k.Effective[1]} {
		cells[i].Text = text
	}
	for _, pair := range [][2]int{{2, 3}, {4, 5}} {
		if cells[pair[0]].Text == cells[pair[1]].Text {
			cells[pair[0]].Style, cells[pair[1]].Style = muted, muted
		}
	}
}

func (p *Page) fillPart(row int, cells []widget.TableCell) {
	part := &p.found.Host.Parts[row]
	cells[0] = widget.TableCell{Text: part.Kind, Style: muted}
	cells[1].Text = part.Name
	for i, text := range []string{part.First, part.Second} {
		cells[2+i].Text = text
		if text == "" {
			cells[2+i] = widget.TableCell{Text: "-", Style: muted}
		}
	}
}

func (p *Page) fillEvent(row int, cells []widget.TableCell) {
	e := &p.events[row]
	side := 0
	if e.second {
		side = 1
	}
	cells[0] = widget.TableCell{Text: string(letters[side]), Style: themes.Style{Role: themes.SeriesRole(side), Attr: themes.Bold}}
	cells[1].Text = strconv.Itoa(e.Count)
	cells[2].Text = p.clock(e.First)
	cells[3] = widget.TableCell{Text: e.Severity, Style: muted}
	cells[4].Text = e.Adapter
	cells[5].Text = deck.EventText(&eventlog.Event{Adapter: e.Adapter, Message: e.Message})
}
