package diagnose

import (
	"math"
	"time"

	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

// The span of the curves of evidence: the moment when the finding began is in the middle, within these bounds.
const (
	minCurveSpan = time.Minute
	maxCurveSpan = 10 * time.Minute
	// curveColumn is the first column of a curve, behind the label; maxCurveWidth is its maximum width, in cells.
	curveColumn, maxCurveWidth = 10, 48
)

// placesOf finds the series of facts; they are searched once for a schema.
func (v *View) placesOf(schema *perf.Schema, inventory *perf.Inventory) *diagnosis.SeriesIndex {
	if v.places == nil || v.placedIn != schema || v.placedOf != inventory {
		v.places, v.placedIn, v.placedOf = diagnosis.NewSeriesIndex(schema, inventory), schema, inventory
	}
	return v.places
}

// writeCurve writes the curve of the first counter among facts of a subject over the time around a moment, which a mark below names;
// a moment of zero has no mark. It writes nothing if no counter gives one of the facts.
func (v *View) writeCurve(s *findings.Subject, facts []findings.Evidence, moment time.Time) {
	if v.monitor == nil || v.monitor.Window() == nil {
		return
	}
	schema := v.monitor.Schema()
	places := v.placesOf(schema, v.monitor.Inventory())
	for _, e := range facts {
		series := places.Of(s.Kind, s.Name, e.Fact.Name)
		if len(series) == 0 {
			continue
		}
		p := &v.Page
		high := v.writeSeries(series, moment)
		if math.IsInf(high, -1) {
			continue
		}
		if e.Fact.Unit == "share" {
			high /= 1e6 // microseconds per second
		}
		p.Add(browse.Line{Label: " ", Text: e.Fact.Meaning + ", highest: " + (findings.Evidence{Fact: e.Fact, Value: high}).Text(), Column: curveColumn, Style: themes.Style{Role: themes.Muted}})
		return
	}
}

// writeSeries writes the sum of series as a curve over the time around a moment, and a mark below. It returns the largest value, -Inf
// when there is no value or no room.
func (v *View) writeSeries(series []int, moment time.Time) (high float64) {
	p := &v.Page
	width := min(p.Width-curveColumn, maxCurveWidth)
	if width < 8 {
		return math.Inf(-1)
	}
	span := minCurveSpan
	if !moment.IsZero() {
		span = min(max(2*v.now.Sub(moment), minCurveSpan), maxCurveSpan)
	}
	dots := width
	if p.Glyphs.Braille {
		dots *= 2
	}
	bands, high := rateBands(v.monitor.Window(), v.monitor.Schema(), series, v.now.Add(-span), v.now, dots)
	if math.IsInf(high, -1) {
		return high
	}
	p.Add(browse.Line{Label: "Curve", Text: widget.Sparkline(bands, max(high, 1e-9), p.Glyphs), Column: curveColumn, Style: themes.Style{Role: themes.SeriesRole(0)}})
	from := v.now.Add(-span)
	mark, at := from.Format(time.TimeOnly), 0
	if !moment.IsZero() && moment.After(from) && !moment.After(v.now) {
		mark = string(p.Glyphs.Marker) + " " + moment.Format(time.TimeOnly)
		at = min(int(float64(moment.Sub(from))/float64(span)*float64(width)), max(width-widget.Width(mark), 0))
	}
	p.Add(browse.Line{Label: " ", Text: mark, Column: curveColumn + at, Style: themes.Style{Role: themes.Accent}})
	return high
}

// rateBands returns the sum of series in a period, as bands of a sparkline: rates of counters, levels of gauges. high is the largest
// value, -Inf for none.
func rateBands(recent *window.Recent, schema *perf.Schema, series []int, from, to time.Time, dots int) (bands []widget.Band, high float64) {
	bands, high = make([]widget.Band, dots), math.Inf(-1)
	totals := make([]float64, dots)
	for i := range totals {
		totals[i] = math.NaN()
	}
	var points []perf.Point
	for _, index := range series {
		points = recent.Points(index, from.Add(-5*time.Second), to, points[:0])
		counts := schema.Series[index].Kind == perf.Cumulative
		highest := make([]float64, dots)
		for i := range highest {
			highest[i] = math.NaN()
		}
		for i, p := range points {
			value := p.Value
			if counts {
				if i == 0 {
					continue
				}
				before, seconds := points[i-1], float64(p.Time-points[i-1].Time)/float64(time.Second)
				if value = (p.Value - before.Value) / seconds; seconds <= 0 || value < 0 {
					continue
				}
			}
			at := int(float64(p.Time-from.UnixNano()) / float64(to.Sub(from)) * float64(dots))
			if math.IsNaN(value) || at < 0 {
				continue
			}
			if at = min(at, dots-1); math.IsNaN(highest[at]) || value > highest[at] {
				highest[at] = value
			}
		}
		held := math.NaN() // columns without a point of their own, between two points
		for i, value := range highest {
			if math.IsNaN(value) && i < lastKnown(highest) {
				value = held
			}
			if held = value; !math.IsNaN(value) {
				if math.IsNaN(totals[i]) {
					totals[i] = 0
				}
				totals[i] += value
			}
		}
	}
	for i, value := range totals {
		bands[i] = widget.Band{Min: value, Max: value, Average: value}
		if !math.IsNaN(value) {
			high = max(high, value)
		}
	}
	return bands, high
}

// lastKnown returns the index of the last known value, -1 for none.
func lastKnown(values []float64) int {
	for i := len(values) - 1; i >= 0; i-- {
		if !math.IsNaN(values[i]) {
			return i
		}
	}
	return -1
}
