package sriov

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// sparkSpan is the period of the sparklines, and the default period of the curves.
const sparkSpan = time.Minute

// chartSpans are the periods that the operator can choose for the curves, in ascending order.
var chartSpans = []time.Duration{sparkSpan, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}

// zoom changes the period of the curves by step entries of chartSpans.
func (v *View) zoom(step int) {
	at := slices.Index(chartSpans, v.chart.span)
	v.chart.span = chartSpans[min(max(at+step, 0), len(chartSpans)-1)]
}

// spanText returns the period of the curves in words.
func spanText(span time.Duration) string {
	if span <= time.Minute {
		return fmt.Sprintf("last %.0f s", span.Seconds())
	}
	return fmt.Sprintf("last %.0f min", span.Minutes())
}

// chart holds the curves of the selected row.
type chart struct {
	span              time.Duration
	traffic, firmware widget.Chart
	drawn             chartKey
	bands             [3][]widget.Band
}

// chartKey identifies the contents of the curves.
type chartKey struct {
	state *labstate.State
	row   string
	span  time.Duration
	dots  [2]int
	bytes bool
}

// spark is a cached sparkline with the state for which it was drawn.
type spark struct {
	state  *labstate.State
	glyphs *themes.Glyphs
	text   string
}

// sparkline returns the received and sent traffic of a row over the newest minute.
func (v *View) sparkline(glyphs *themes.Glyphs, r *row) string {
	if s, ok := v.sparks[r.id]; ok && s.state == v.state && s.glyphs == glyphs {
		return s.text
	}
	dots := sparkWidth
	if glyphs.Braille {
		dots *= 2
	}
	bands := make([]widget.Band, dots)
	high := v.read(r, sparkSpan, bands, func(l labstate.Load) float64 { return l.Receive + l.Send })
	text := widget.Sparkline(bands, high, glyphs)
	if len(v.sparks) > 4*len(v.rows)+64 {
		clear(v.sparks) // drops the sparklines of removed rows
	}
	v.sparks[r.id] = spark{v.state, glyphs, text}
	return text
}

// read reads one value of a row over the newest span into bands, and returns the highest value.
func (v *View) read(r *row, span time.Duration, bands []widget.Band, value func(labstate.Load) float64) (high float64) {
	for i := range bands {
		bands[i] = widget.Band{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	if v.state == nil || len(bands) == 0 {
		return 0
	}
	rows := []*row{r}
	if r.group {
		rows = v.rowsUnder(r)
	}
	from, loads := v.now.Add(-span), v.loadsOf(span)
	next := sort.Search(len(loads), func(i int) bool { return loads[i].Time.After(from) })
	for i := range bands {
		end, first := from.Add(span*time.Duration(i+1)/time.Duration(len(bands))), next
		for next < len(loads) && !loads[next].Time.After(end) {
			next++
		}
		switch {
		case next > first:
			bands[i] = v.sumBand(rows, loads[first:next], value)
		case next > 0 && next < len(loads): // inside the period of a later column
			bands[i] = v.sumBand(rows, loads[next:next+1], value)
		default:
			continue // older than the recorded loads
		}
		high = max(high, bands[i].Max)
	}
	return high
}

// loadsOf returns the loads of the newest span, oldest first. Beyond the single columns that are kept, they are averages.
func (v *View) loadsOf(span time.Duration) []*labstate.Loads {
	recent := v.state.Loads
	if len(recent) == 0 || recent[0].Time.Before(v.now.Add(-span)) {
		return recent
	}
	older := v.state.OlderLoads
	for len(older) > 0 && !older[len(older)-1].Time.Before(recent[0].Time) {
		older = older[:len(older)-1]
	}
	return slices.Concat(older, recent)
}

// sumBand sums a value of several rows over some columns.
func (v *View) sumBand(rows []*row, loads []*labstate.Loads, value func(labstate.Load) float64) widget.Band {
	b := widget.Band{Min: math.Inf(1), Max: math.Inf(-1)}
	for _, column := range loads {
		n := 0.0
		for _, row := range rows {
			n += value(v.scene.load(column, row))
		}
		b.Min, b.Max, b.Average = min(b.Min, n), max(b.Max, n), b.Average+n/float64(len(loads))
	}
	return b
}

// rowsUnder returns the rows below a heading.
func (v *View) rowsUnder(head *row) (rows []*row) {
	for i := range v.rows {
		r := &v.rows[i]
		switch {
		case r.group:
		case head.port != nil && r.port == head.port, head.vm != nil && r.vm == head.vm:
			rows = append(rows, r)
		}
	}
	return rows
}

// hasCurves reports whether the selected row has curves; a port without functions has none.
func (v *View) hasCurves() bool {
	r := v.row()
	return r != nil && (!r.group || r.port == nil || r.port.SRIOV.Open > 0)
}

// drawCharts draws the curves of the selected row below their title: traffic and, if there is room, the use of the
// firmware.
func (v *View) drawCharts(head, body widget.Area) {
	r := v.row()
	if r == nil || head.Height == 0 || body.Height == 0 {
		return
	}
	if !v.hasCurves() {
		v.drawGuide(head, body, r.port)
		return
	}
	left, right := body, widget.Area{}
	if body.Width >= 100 {
		left, right = body.SplitLeft(body.Width * 3 / 5)
	}
	x := head.PrintCut(0, 0, left.Width/2, v.name(r), title)
	x = head.Print(x+2, 0, string(head.Glyphs().Line)+" receive", themes.Style{Role: themes.SeriesRole(0)})
	x = head.Print(x+1, 0, string(head.Glyphs().Line)+" send", themes.Style{Role: themes.SeriesRole(1)})
	head.Sub(0, 0, left.Width-1, 1).Print(x+2, 0, spanText(v.chart.span), muted)
	if right.Width > 0 {
		head.Print(left.Width, 0, "FW CPU, %/s", muted)
	}
	v.makeCharts(r, left, right)
	v.chart.traffic.Draw(left)
	if right.Width > 0 {
		v.chart.firmware.Draw(right)
	}
}

// makeCharts reads the curves again if the row, the period or the data have changed.
func (v *View) makeCharts(r *row, left, right widget.Area) {
	c := &v.chart
	key := chartKey{v.state, r.id, c.span, [2]int{c.traffic.Dots(left), 0}, v.deck.InBytes}
	if right.Width > 0 {
		key.dots[1] = c.firmware.Dots(right)
	}
	if key == c.drawn {
		return
	}
	c.drawn = key
	for i, dots := range []int{key.dots[0], key.dots[0], key.dots[1]} {
		if len(c.bands[i]) != dots {
			c.bands[i] = make([]widget.Band, dots)
		}
	}
	high := v.read(r, c.span, c.bands[0], func(l labstate.Load) float64 { return l.Receive })
	high = max(high, v.read(r, c.span, c.bands[1], func(l labstate.Load) float64 { return l.Send }))
	factor := 8.0
	if v.deck.InBytes {
		factor = 1
	}
	if high == 0 {
		high = 1e9 / 8
	}
	from, zone := v.now.Add(-c.span), v.now.Location()
	c.traffic = widget.Chart{ID: zoneGraph, From: from, To: v.now, Location: zone,
		High: widget.NiceScale(high*factor) / factor, Format: v.deck.ByteRate,
		Series: []widget.ChartSeries{
			{Role: themes.SeriesRole(0), Letter: 'r', Bands: c.bands[0]},
			{Role: themes.SeriesRole(1), Letter: 's', Bands: c.bands[1]},
		}, Marks: v.pathMarks(r)}
	use := v.read(r, c.span, c.bands[2], func(l labstate.Load) float64 { return l.Use })
	c.firmware = widget.Chart{From: from, To: v.now, Location: zone, High: max(widget.NiceScale(use), 10),
		Format: func(value float64) string { return perf.Number(value, perf.NoUnit, false, false) + "%" },
		Series: []widget.ChartSeries{{Role: themes.SeriesRole(2), Letter: 'f', Bands: c.bands[2]}}}
}

// pathMarks returns the times at which the adapter of a row changed between the VF and the synthetic path.
func (v *View) pathMarks(r *row) (marks []widget.ChartMark) {
	if r.nic == nil {
		return nil
	}
	for _, h := range r.nic.History {
		if h.At.After(v.now.Add(-v.chart.span)) {
			marks = append(marks, widget.ChartMark{Time: h.At, Role: themes.Info})
		}
	}
	return marks
}

// drawGuide explains SR-IOV in place of the curves.
func (v *View) drawGuide(head, body widget.Area, p *driver.PortView) {
	head.PrintCut(0, 0, head.Width, p.Description.Connection+" has no virtual functions", title)
	guide := "With SR-IOV the card appears as many functions, and each virtual machine can have one of its own: " +
		"its traffic then bypasses the virtual switch of the host. n sets it up step by step, from the BIOS to the " +
		"machine, and resumes after the reboots; nothing is changed before its review."
	for y, line := range widget.Wrap(guide, min(body.Width, 110)) {
		body.Print(0, y, line, muted)
	}
}

func (v *View) name(r *row) string {
	switch {
	case r.group && r.vm != nil:
		return r.vm.Name
	case r.group:
		return r.port.Description.Connection
	case r.vf != nil && r.vmName() != "":
		return vfName(r) + ", " + nicName(r.vf.VM, r.vf.Adapter)
	case r.vf != nil:
		return vfName(r)
	default:
		return nicName(r.vm.Name, r.nic.Name)
	}
}
