package teaming

import (
	"fmt"
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// graphSpans are the periods that the operator can choose for the curves, in ascending order.
var graphSpans = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}

// graph holds the curves of a team's members, or of one port.
type graph struct {
	span    time.Duration
	chart   widget.Chart
	drawn   graphKey
	buckets []window.Bucket
	bands   [][]widget.Band
	// names are the connections of the curves in order.
	names []string
}

// graphKey identifies the contents of the curves.
type graphKey struct {
	state   *labstate.State
	subject string
	dots    int
	span    time.Duration
	bytes   bool
}

// curves returns the connections with curves for the selected row, and the title of the chart.
func (v *View) curves() (names []string, title string) {
	r := v.row()
	switch {
	case r == nil:
		return nil, ""
	case r.team != nil:
		for i := range r.team.Members {
			names = append(names, r.team.Members[i].Connection)
		}
		return names, r.team.Name
	case r.port != nil:
		name := r.port.Description.Connection
		return []string{name}, name
	}
	return nil, ""
}

// showsGuide reports whether the guide replaces the curves: there is no team and the operator has selected no row.
func (v *View) showsGuide() bool { return len(v.state.Teams) == 0 && !v.chosen }

// drawGraph draws the curves of the selected row below their title.
func (v *View) drawGraph(head, body widget.Area) {
	names, subject := v.curves()
	if head.Height == 0 || body.Height == 0 {
		return
	}
	if len(names) == 0 || v.showsGuide() {
		v.drawGuide(head, body)
		return
	}
	x := head.PrintCut(0, 0, head.Width/2, subject, title)
	x = head.Print(x+2, 0, "receive + send, last "+spanText(v.graph.span), muted)
	if t := v.team(); t != nil && len(t.Failovers) > 0 {
		text := failoverLine(head.Glyphs(), &t.Failovers[len(t.Failovers)-1], v.now)
		if room := head.Width - x - 3; widget.Width(text) <= room {
			head.PrintRight(head.Width, 0, text, warning)
		}
	}
	v.makeGraph(body, names, subject)
	v.graph.chart.Draw(body)
}

// makeGraph reads the curves from the window if the row, the period or the data have changed.
func (v *View) makeGraph(area widget.Area, names []string, subject string) {
	g := &v.graph
	dots := g.chart.Dots(area)
	key := graphKey{v.state, subject, dots, g.span, v.deck.InBytes}
	if key == g.drawn {
		return
	}
	g.drawn, g.names = key, names
	from := v.now.Add(-g.span)
	g.chart = widget.Chart{ID: zoneGraph, From: from, To: v.now, Location: v.now.Location(), Series: g.chart.Series[:0],
		Marks: g.chart.Marks[:0]}
	if len(g.buckets) != dots {
		g.buckets, g.bands = make([]window.Bucket, dots), nil
	}
	for len(g.bands) < len(names) {
		g.bands = append(g.bands, make([]widget.Band, dots))
	}
	high := 0.0
	for i, name := range names {
		high = max(high, v.readCurve(name, from, g.bands[i]))
		g.chart.Series = append(g.chart.Series, widget.ChartSeries{
			Role: themes.SeriesRole(i), Letter: rune('a' + i%26), Bands: g.bands[i], Bold: v.curveSelected(name),
		})
	}
	v.scaleGraph(high)
	if t := v.team(); t != nil {
		for i := range t.Failovers {
			g.chart.Marks = append(g.chart.Marks, widget.ChartMark{Time: t.Failovers[i].At, Role: themes.Warn})
		}
	}
}

// readCurve reads the received and sent traffic of a port into bands, and returns the highest value.
func (v *View) readCurve(connection string, from time.Time, bands []widget.Band) (high float64) {
	for i := range bands {
		bands[i] = widget.Band{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	n := v.nodes[connection]
	if n == nil || v.window == nil {
		return 0
	}
	series := make([]int, 0, 8)
	series = append(append(series, n.Receive...), n.Send...)
	v.window.Buckets(series, from, v.now, v.graph.buckets)
	for i, b := range v.graph.buckets {
		bands[i] = widget.Band(b)
		if b.Max > high {
			high = b.Max
		}
	}
	return high
}

// scaleGraph chooses the value axis: a round number in the displayed unit, bits or bytes per second.
func (v *View) scaleGraph(high float64) {
	unit := perf.Bytes
	perSecond := true
	for _, n := range v.nodes {
		unit, perSecond = deck.UnitOf(v.schema, n.Receive)
		break
	}
	factor := 8.0
	if v.deck.InBytes {
		factor = 1
	}
	v.graph.chart.Low, v.graph.chart.High = 0, widget.NiceScale(high*factor)/factor
	if high == 0 {
		v.graph.chart.High = 1e9 / 8
	}
	inBytes := v.deck.InBytes
	v.graph.chart.Format = func(value float64) string { return perf.Number(value, unit, perSecond, inBytes) }
}

// curveSelected reports whether the curve of a connection belongs to the selected row.
func (v *View) curveSelected(connection string) bool {
	r := v.row()
	return r != nil && r.kind == memberRow && r.member.Connection == connection
}

// curveMark returns the mark of a connection's curve in the table; empty if it has no curve.
func (v *View) curveMark(glyphs *themes.Glyphs, r *row) (mark string, style themes.Style) {
	t := v.team()
	switch {
	case r.kind == memberRow && t != nil && r.team == t:
		mark, style = string(glyphs.Line), themes.Style{Role: themes.SeriesRole(r.place)}
		if glyphs.Letters || glyphs.ASCII {
			mark = string(rune('a' + r.place%26))
		}
		if glyphs.ASCII {
			mark = string(glyphs.Points[r.place%len(glyphs.Points)])
		}
	case r.kind == portRow && v.row() != nil && v.row().id == r.id && !v.showsGuide():
		mark, style = string(glyphs.Line), themes.Style{Role: themes.SeriesRole(0)}
	}
	return mark, style
}

// zoom changes the period of the curves by step entries of graphSpans.
func (v *View) zoom(step int) {
	for i, span := range graphSpans {
		if span == v.graph.span {
			v.graph.span = graphSpans[min(max(i+step, 0), len(graphSpans)-1)]
			return
		}
	}
}

// spanText returns a period of time in words: "60 s", "5 min".
func spanText(d time.Duration) string {
	if d <= time.Minute {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}
