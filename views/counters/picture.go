package counters

import (
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/timeline"
)

// picture holds the prepared drawing. It is computed once per sample or change, not per frame.
type picture struct {
	read  readKey
	look  drawingKey
	frame timeline.Frame
	// newest and oldest are the ends of the window's samples; empty reports that there are none.
	newest, oldest time.Time
	empty          bool
	rows           []row
	axis           axis
	extents        []extent
	chart          widget.Chart
	// inView holds the marks in the frame, oldest first.
	inView []timeline.Mark
	// description is the description of the selected curve, in lines.
	description []string
	bars        []widget.Bar
	report      []reportLine
	buckets     []window.Bucket
	points      []perf.Point
}

// readKey identifies the values that were read; another key requires reading again.
type readKey struct {
	data, curves, past uint64
	from, to           int64
	dots               int
}

// drawingKey identifies the prepared drawing; another key requires preparing it again.
type drawingKey struct {
	read    readKey
	changes uint64
	cursor  int64
	// marked holds the ends of the marked range, in Unix nanoseconds.
	marked  [2]int64
	inBytes bool
	width   int
}

// row holds the values of one curve in the legend, in the unit of its dimension.
type row struct {
	values, drawn []widget.Band
	statistics    window.Statistics
	// at is the value at the cursor, NaN without a cursor.
	at    float64
	alarm alarm
	cells [columnCount]string
}

// refresh updates the picture for a chart with a number of pieces of time.
func (s *Screen) refresh(dots, width int) {
	p := &s.picture
	monitor := s.deck.Monitor()
	if monitor == nil {
		p.empty = true
		return
	}
	window := monitor.Window()
	if window == nil {
		p.empty = true
		return
	}
	oldest, newest, ok := window.Span()
	p.empty = !ok
	if !s.time.Frozen || p.newest.IsZero() {
		p.oldest, p.newest = oldest, newest
	}
	f := s.time.Frame(p.newest, dots)
	read := readKey{data: s.samples, curves: s.chosen, past: s.past.version, from: f.From.UnixNano(), to: f.To.UnixNano(), dots: dots}
	if s.time.Frozen && p.read.dots != 0 {
		read.data = p.read.data // a frozen picture is read again only for another period
	}
	if read != p.read || len(p.rows) != len(s.curves) {
		p.read, p.frame = read, f
		s.readRows(window, dots)
	}
	from, to := s.rangeShown()
	look := drawingKey{read: read, changes: s.changes, cursor: s.time.Cursor.UnixNano(), marked: [2]int64{from.UnixNano(), to.UnixNano()}, inBytes: s.deck.InBytes, width: width}
	if look != p.look {
		p.look = look
		s.prepare(window)
	}
}

// readRows reads buckets and statistics of all curves from the window and from the past.
func (s *Screen) readRows(window *window.Recent, dots int) {
	p := &s.picture
	for len(p.rows) < len(s.curves) {
		p.rows = append(p.rows, row{})
	}
	p.rows = p.rows[:len(s.curves)]
	p.extents = p.extents[:0]
	p.buckets = resized(p.buckets, dots)
	last := s.time.Last(p.newest)
	for i := range s.curves {
		c, r := &s.curves[i], &p.rows[i]
		r.values = resized(r.values, dots)
		r.statistics = timeline.NoStatistics
		e := extent{math.NaN(), math.NaN()}
		switch {
		case c.missing():
			for n := range r.values {
				r.values[n] = noBand
			}
		case c.rated():
			e = s.readRate(window, c, r, last)
			if statistics, ok := s.past.statistics(c.path, p.frame); ok {
				r.statistics = statistics
			}
			scaleStatistics(&r.statistics, c.toBase)
			c.keepPeak(&r.statistics)
		default:
			window.Buckets([]int{c.series}, p.frame.From, p.frame.To, p.buckets)
			s.past.fill(c.path, p.frame, p.buckets)
			e = convertBuckets(r.values, p.buckets, c.toBase)
			r.statistics = window.Statistics(c.series, p.frame.From, last)
			if statistics, ok := s.past.statistics(c.path, p.frame); ok {
				r.statistics = statistics
			}
			scaleStatistics(&r.statistics, c.toBase)
			c.keepPeak(&r.statistics)
		}
		p.extents = append(p.extents, e)
	}
}

// keepPeak updates the largest value of the session.
func (c *curve) keepPeak(statistics *window.Statistics) {
	if !(c.peak >= statistics.Maximum) && statistics.Count > 0 {
		c.peak = statistics.Maximum
	}
}

// noBand is a band without a value.
var (
	noBand = widget.Band{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
)

// convertBuckets converts buckets to bands in the dimension's unit, and returns their extent.
func convertBuckets(dst []widget.Band, buckets []window.Bucket, toBase float64) extent {
	e := extent{math.Inf(1), math.Inf(-1)}
	for i, b := range buckets {
		dst[i] = widget.Band{Min: b.Min * toBase, Max: b.Max * toBase, Average: b.Average * toBase}
		if dst[i].Min < e.low {
			e.low = dst[i].Min
		}
		if dst[i].Max > e.high {
			e.high = dst[i].Max
		}
	}
	if e.high < e.low {
		return extent{math.NaN(), math.NaN()}
	}
	return e
}

// scaleStatistics multiplies all values of statistics by a factor.
func scaleStatistics(s *window.Statistics, factor float64) {
	for _, v := range []*float64{&s.Last, &s.Average, &s.Minimum, &s.Maximum, &s.P95, &s.P99} {
		*v *= factor
	}
}

// resized returns a slice of length n, in the memory of the given one if it is large enough.
func resized[T any](slice []T, n int) []T {
	if cap(slice) < n {
		return make([]T, n)
	}
	return slice[:n]
}

// prepare finds the axis, scales the curves and formats the texts.
func (s *Screen) prepare(window *window.Recent) {
	p := &s.picture
	findAxis(s.curves, p.extents, scaling{
		mode: s.scale, log: s.log, stacked: s.stacked && s.mode == modeLine, inBytes: s.deck.InBytes,
		manual: s.manual, lead: s.highlighted(),
	}, p.maxStackedSum, &p.axis)
	p.inView = s.marks.Between(p.frame.From, p.frame.To, p.inView[:0])
	unit := p.axis.axisUnits(s.deck.InBytes)
	for i := range p.rows {
		r := &p.rows[i]
		r.drawn = scaled(r.drawn, r.values, p.axis.factors[i]*unit)
		r.at = s.valueAt(window, i)
		r.alarm = s.alarms.curveAlarm(&s.curves[i], r.statistics.Last)
		s.writeCells(i)
	}
	s.makeChart()
	p.description = p.description[:0]
	if i := s.selected(); i >= 0 {
		p.description = widget.Wrap(s.describe(i), max(1, p.look.width-2))
	}
	switch s.mode {
	case modeBars:
		s.makeBars()
	case modeReport:
		p.report = s.makeReport(p.report[:0], p.look.width)
	default:
	}
}

// maxStackedSum returns the largest sum of the averages of the stacked curves in one piece of time.
func (p *picture) maxStackedSum(belongs func(row int) bool) float64 {
	highest := math.Inf(-1)
	for n := range p.read.dots {
		sum, found := 0.0, false
		for i := range p.rows {
			if v := p.rows[i].values[n].Average; belongs(i) && v == v {
				sum, found = sum+v, true
			}
		}
		if found && sum > highest {
			highest = sum
		}
	}
	return highest
}

// scaled returns bands multiplied by a factor, in the memory of dst.
func scaled(dst, bands []widget.Band, factor float64) []widget.Band {
	dst = resized(dst, len(bands))
	for i, b := range bands {
		dst[i] = widget.Band{Min: b.Min * factor, Max: b.Max * factor, Average: b.Average * factor}
	}
	return dst
}

// makeChart sets the fields of the chart; small charts are copies of it.
func (s *Screen) makeChart() {
	p := &s.picture
	c := &p.chart
	c.ID = zoneChart
	c.From, c.To = p.frame.From, p.frame.To
	// The chart uses the displayed unit, so that the numbers at its axis are round.
	unit := p.axis.axisUnits(s.deck.InBytes)
	c.Low, c.High = p.axis.low*unit, p.axis.high*unit
	c.Log, c.Stacked = s.log && !s.stacked, s.stacked
	c.Location = s.location
	c.Cursor = s.time.Cursor
	c.RangeFrom, c.RangeTo = s.rangeShown()
	c.Format = s.axisText()
	c.Marks = c.Marks[:0]
	for _, m := range p.inView {
		c.Marks = append(c.Marks, widget.ChartMark{Time: m.At, Role: m.Role})
	}
	c.Limits = c.Limits[:0]
	if i := s.legend.List.Cursor(); i >= 0 && i < len(s.curves) {
		for _, level := range s.alarms.levels(&s.curves[i]) {
			c.Limits = append(c.Limits, widget.ChartLimit{Value: level * p.axis.factors[i] * unit, Role: limitRole})
		}
	}
	c.Series = c.Series[:0]
	for i := range p.rows {
		if p.axis.factors[i] != 0 {
			c.Series = append(c.Series, s.chartSeries(i))
		}
	}
}

// chartSeries returns one curve of a chart.
func (s *Screen) chartSeries(i int) widget.ChartSeries {
	return widget.ChartSeries{
		Role: s.curves[i].role(), Letter: s.curves[i].letter(), Bands: s.picture.rows[i].drawn, Bold: i == s.highlighted(),
	}
}

// axisText returns the function that formats the numbers at the axis.
func (s *Screen) axisText() func(float64) string {
	p := &s.picture
	if p.axis.percent {
		return percentText
	}
	lead, inBytes := p.axis.lead, s.deck.InBytes
	unit := p.axis.axisUnits(inBytes)
	return func(value float64) string { return lead.Number(value/unit, inBytes) }
}

// valueAt returns the value of a curve at the cursor: the last sample before it, or else the average of the piece.
func (s *Screen) valueAt(window *window.Recent, i int) float64 {
	p := &s.picture
	c := &s.curves[i]
	cursor := s.time.Cursor
	if cursor.IsZero() || c.missing() {
		return math.NaN()
	}
	value := math.NaN()
	if n := p.frame.Piece(cursor); n >= 0 {
		value = p.rows[i].values[n].Average
	}
	back := s.sampleInterval()
	if c.rated() {
		back *= 2
	}
	p.points = c.reading().rates(window.Points(c.series, cursor.Add(-back), cursor, p.points[:0]))
	for k := len(p.points) - 1; k >= 0; k-- {
		if v := p.points[k].Value; v == v {
			return v * c.toBase
		}
	}
	return value
}

// sampleInterval returns the time between two samples; one second if it is unknown.
func (s *Screen) sampleInterval() time.Duration {
	if interval := s.status.Interval; interval > 0 {
		return interval
	}
	return time.Second
}
