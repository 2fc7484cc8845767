package qos

import (
	"fmt"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// The zones of the mouse.
const (
	zonePage   = "qos.page"
	zoneFilter = "qos.filter"
)

// The room that decides where the parts lie, in cells.
const (
	besideFrom   = 110 // the page stands beside the rest
	minPage      = 38
	maxPage      = 60
	minChart     = 8
	settingLabel = 14
	allColumns   = 157 // the width of the table of priorities with all its columns
	fullValue    = 22  // the width of a column of the path that shows every value in full
	hostFrom     = 100 // the host's own settings have a column
)

// absence says why there is nothing to show.
var absence = browse.Absence{
	Session: "This session was recorded without its host: classes and policies are unknown. X closes the replay.",
	Local:   "No adapter of this machine has classes or PFC, or they have not been read yet. The counters of this machine are on Counters.",
	Log:     "A log file has only counters: classes, PFC and policies are unknown.",
}

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	p := v.port()
	switch {
	case v.state == nil:
		if !v.sheets.Draw(area, v.deck.Monitor(), perf.QoSTopic) {
			browse.DrawAbsence(area, v.deck.Monitor(), absence)
		}
		return
	case p == nil:
		v.filter.Draw(area.Sub(0, 0, area.Width, 1), zoneFilter)
		text := "This lab has no ports."
		if v.filter.Active() {
			text = v.filter.NoMatch("No port matches")
		}
		browse.DrawNotice(area.Sub(0, 1, area.Width, area.Height-1), text)
		return
	}
	bar, body := area.SplitTop(1)
	v.drawBar(bar)
	if v.state.Drift != nil {
		bar, body = body.SplitTop(1)
		v.drawDrift(bar)
	}
	if body.Width >= besideFrom {
		page := min(max(body.Width*3/10, minPage), maxPage)
		if body.Width-page-3 < allColumns { // a narrower page leaves room for all columns of the table
			page = max(minPage, min(page, body.Width-3-allColumns))
		}
		side := body.Sub(body.Width-page, 0, page, body.Height)
		rule := themes.Style{Role: themes.Border}
		if v.inPage {
			rule.Role = themes.Accent
		}
		body.Sub(body.Width-page-2, 0, 1, body.Height).Vertical(0, area.Glyphs().Vertical, rule)
		v.drawPage(side)
		v.drawPort(body.Sub(0, 0, body.Width-page-3, body.Height), true)
		return
	}
	if v.inPage {
		v.drawPage(body)
		return
	}
	v.drawPort(body, false)
}

// drawBar draws which port shows, and how many mismatches it has.
func (v *View) drawBar(area widget.Area) {
	p, q := v.port(), v.windows()
	text, style := "", good
	switch problems := v.problems(); {
	case q == nil || !q.Ethernet:
	case problems != "":
		text, style = string(area.Glyphs().Warning)+" "+problems, warning
	default:
		text = string(area.Glyphs().Up) + " no mismatches"
	}
	area.PrintRight(area.Width, 0, text, style)
	room := area.Sub(0, 0, area.Width-widget.Width(text)-2, 1)
	x := room.Print(0, 0, p.Description.Connection, themes.Style{Role: themes.Accent, Attr: themes.Bold})
	x = room.Print(x+2, 0, fmt.Sprintf("port %d of %d", v.at+1, len(v.ports)), muted)
	if v.filter.Active() || v.filter.Typing() {
		v.filter.Draw(room.Sub(x+2, 0, room.Width-x-2, 1), zoneFilter)
		return
	}
	x = room.Print(x+2, 0, roceText(p.RoCE), muted)
	if q != nil && q.Ethernet {
		room.PrintCut(x+2, 0, room.Width-x-2, exchangeText(q), muted)
	}
}

// roceText names a RoCE mode.
func roceText(mode description.RoCEMode) string {
	switch mode {
	case description.RoCEv1:
		return "RoCE v1"
	case description.RoCEv2:
		return "RoCE v2"
	default:
		return "no RoCE"
	}
}

// drawPort draws the path, the table of the priorities, and the curves of the selected one where there is room. The mismatches
// stand on the page beside it, or else the first one below the path.
func (v *View) drawPort(area widget.Area, beside bool) {
	q := v.windows()
	if q == nil || !q.Ethernet {
		why := "The priorities of this port are unknown."
		if q != nil {
			why = wording.UpperFirst(q.Why) + "."
		}
		browse.DrawNotice(area, why)
		return
	}
	y := v.drawPath(area, beside)
	if y+1 < area.Height {
		area.Sub(0, y, area.Width, 1).Horizontal(0, area.Glyphs().Horizontal, themes.Style{Role: themes.Border})
		y++
	}
	height := min(priorityRows+1, area.Height-y)
	glyphs := area.Glyphs()
	v.table.Focused = !v.inPage
	v.table.Draw(area.Sub(0, y, area.Width, height), func(row int, cells []widget.TableCell) { v.fill(glyphs, row, cells) })
	if y += height + 1; area.Height-y >= minChart {
		v.drawChart(area.Sub(0, y, area.Width, area.Height-y))
	}
}

// drawPath draws the settings along the path side by side, and the first mismatch where no page stands beside them; it returns
// the next free line.
func (v *View) drawPath(area widget.Area, beside bool) (y int) {
	p, path := v.port(), v.path()
	places := []string{p.Description.Connection, p.Description.Switch.Name, "peers' switch", "peers"}
	first := 0
	if area.Width >= hostFrom {
		places, first = append([]string{v.state.Host.Name}, places...), 1
	}
	width := (area.Width - settingLabel) / len(places)
	short := strings.NewReplacer()
	if width < fullValue {
		short = strings.NewReplacer(" on priority ", " on ", "ECN marks above ", "ECN > ")
	}
	for i, place := range places {
		area.PrintCut(settingLabel+i*width, 0, width-3, place, themes.Style{Role: themes.Title})
	}
	for i := range path.Settings {
		s := &path.Settings[i]
		y = i + 1
		area.PrintCut(0, y, settingLabel-1, strings.Replace(s.Name, "Congestion control", "Congestion", 1), muted)
		values := []string{s.Host, s.Adapter, s.Switch, s.FarSwitch, s.FarAdapter}[1-first:]
		for at, value := range values {
			area.PrintCut(settingLabel+at*width, y, width-1, short.Replace(value), themes.Style{})
		}
		for at, differs := range []bool{s.Differs, s.SwitchDiffers, s.FarDiffers} {
			glyph, style := area.Glyphs().Up, good
			if differs {
				glyph, style = area.Glyphs().Warning, warning
			}
			if compared := s.Compared && (at == 0 || s.FarSwitch != ""); compared || differs {
				area.Print(settingLabel+(first+at+1)*width-3, y, " "+string(glyph)+" ", style)
			}
		}
	}
	y++
	if beside || len(path.Mismatches) == 0 {
		return y
	}
	lines := browse.Paragraph(string(area.Glyphs().Warning)+" ", wording.UpperFirst(path.Mismatches[0].Text)+".", area.Width)
	room := max(area.Height-y-1-(priorityRows+1), 1) // the whole table shows
	for _, line := range lines[:min(len(lines), room)] {
		area.PrintCut(0, y, area.Width, line, warning)
		y++
	}
	return y
}

// drawPage draws the page; with the focus it has a cursor.
func (v *View) drawPage(area widget.Area) {
	p := &v.page
	p.Fit(area.Width, area.Glyphs())
	p.Rewrite(v.writePage)
	p.Scroll.SetHeight(area.Height)
	from, to := p.Scroll.Visible()
	if !v.inPage {
		from, to = 0, min(area.Height, len(p.Lines))
	}
	for y, l := range p.Lines[from:to] {
		l.Draw(area, y, area.Width)
		area.Zone(0, y, area.Width, 1, zonePage, from+y)
		if v.inPage && from+y == p.Scroll.Cursor() {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if to < len(p.Lines) {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, accent)
	}
}

// chart is the chart of the selected priority, and what it was made for.
type chart struct {
	widget.Chart
	series  *perf.Schema
	port    string
	row     int
	now     time.Time
	dots    int
	inBytes bool
}

// drawChart draws what the selected priority received and sent in the last minute.
func (v *View) drawChart(area widget.Area) {
	row := v.selected()
	if row < 0 || v.window == nil {
		return
	}
	s := v.find().at[row]
	list := []int{s[received], s[sent]}
	if _, ok := s[received]; !ok {
		return
	}
	head, plot := area.SplitTop(1)
	x := head.Print(0, 0, wording.UpperFirst(priorityPhrase(row)), themes.Style{Attr: themes.Bold})
	in, _ := v.figureText(row, received)
	out, _ := v.figureText(row, sent)
	x = head.Print(x+2, 0, "received "+in, themes.Style{Role: themes.SeriesRole(0)})
	head.Print(x+2, 0, "sent "+out, themes.Style{Role: themes.SeriesRole(1)})
	c := &v.chart
	if dots := c.Dots(plot); c.series != v.schema || c.port != v.series.port || c.row != row || !c.now.Equal(v.now) || c.dots != dots || c.inBytes != v.deck.InBytes {
		c.series, c.port, c.row, c.now, c.dots, c.inBytes = v.schema, v.series.port, row, v.now, dots, v.deck.InBytes
		v.makeChart(list)
	}
	c.Draw(plot)
}

func (v *View) makeChart(list []int) {
	c := &v.chart
	unit, perSecond := deck.UnitOf(v.schema, list)
	inBytes := v.deck.InBytes
	c.Chart = widget.Chart{From: v.now.Add(-span), To: v.now, Location: v.now.Location(),
		Format: func(value float64) string { return perf.Number(value, unit, perSecond, inBytes) }}
	high := 1.0
	buckets := make([]window.Bucket, c.dots)
	for at, series := range list {
		v.window.Buckets([]int{series}, c.From, c.To, buckets)
		bands := make([]widget.Band, len(buckets))
		for i := range buckets {
			bands[i] = widget.Band(buckets[i])
			if high < buckets[i].Max {
				high = buckets[i].Max
			}
		}
		c.Series = append(c.Series, widget.ChartSeries{Bands: bands, Role: themes.SeriesRole(at)})
	}
	c.High = high * 1.1
}
