package counters

import (
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/views/counters/timeline"
)

// rated reports whether a curve shows a cumulative counter as a rate instead of its total.
func (c *curve) rated() bool { return c.asRate && !c.missing() && c.hasRate() }

// hasRate reports whether the curve's counter is cumulative, so that it has a rate.
func (c *curve) hasRate() bool { return c.info.Kind == perf.Cumulative && !c.info.PerSecond() }

// rateCurve holds the settings for converting a counter's points to rates.
type rateCurve struct {
	series int
	rated  bool
	// total is set for a cumulative counter.
	total bool
	// wrap is the value at which the counter wraps to 0; 0 for a counter of 64 bits.
	wrap float64
}

// reading returns the settings for reading the curve.
func (c *curve) reading() rateCurve {
	r := rateCurve{series: c.series, rated: c.rated(), total: c.info.Kind == perf.Cumulative}
	if c.info.Width > 0 && c.info.Width < 64 {
		r.wrap = math.Ldexp(1, int(c.info.Width))
		if c.info.Scale > 0 {
			r.wrap *= c.info.Scale
		}
	}
	return r
}

// rates converts the points of a counter to increases per second, in place. The first point, and points after a gap or a
// reset, become NaN.
func (r rateCurve) rates(points []perf.Point) []perf.Point {
	if !r.rated {
		return points
	}
	before := perf.Point{Value: math.NaN()}
	for i := range points {
		now := points[i]
		rise, elapsed := now.Value-before.Value, float64(now.Time-before.Time)/float64(time.Second)
		if rise < 0 && r.wrap > 0 && -rise > r.wrap/2 {
			rise += r.wrap
		}
		points[i].Value = math.NaN()
		if rise >= 0 && elapsed > 0 {
			points[i].Value = rise / elapsed
		}
		before = now
	}
	return points
}

// ratePoints returns the rates of a curve in a period of time: from the window's samples, and from averages over longPiece
// for the time before them.
func (s *Screen) ratePoints(recent *window.Recent, c *curve, from, to time.Time, dst []perf.Point) []perf.Point {
	points := dst[:0]
	full := recent.Points(c.series, from.Add(-2*s.sampleInterval()), to, nil)
	edge := to
	if len(full) > 0 {
		edge = time.Unix(0, full[0].Time)
	}
	if n := int(edge.Sub(from)/longPiece) + 1; n > 1 {
		start := edge.Add(-time.Duration(n) * longPiece)
		buckets := make([]window.Bucket, n)
		recent.Buckets([]int{c.series}, start, edge, buckets)
		for i, b := range buckets {
			points = append(points, perf.Point{Time: start.Add(time.Duration(i)*longPiece + longPiece/2).UnixNano(), Value: b.Average})
		}
	}
	return c.reading().rates(append(points, full...))
}

// readRate reads buckets and statistics of a curve that shows a rate.
func (s *Screen) readRate(window *window.Recent, c *curve, r *row, last time.Time) extent {
	p := &s.picture
	p.points = s.ratePoints(window, c, p.frame.From, last, p.points)
	copy(p.buckets, bucketsOf(p.points, p.frame.From, p.frame.To, p.frame.PieceLength))
	s.past.fill(c.path, p.frame, p.buckets)
	within := p.points
	for len(within) > 0 && within[0].Time < p.frame.From.UnixNano() {
		within = within[1:]
	}
	r.statistics = statisticsOf(within)
	return convertBuckets(r.values, p.buckets, c.toBase)
}

// toggleRate switches the selected counter between rate and total.
func (s *Screen) toggleRate() ui.Cmd {
	i := s.selected()
	if i < 0 {
		return nil
	}
	c := &s.curves[i]
	c.asRate = !c.asRate
	c.resolve(s.schema)
	c.peak, c.scale = math.NaN(), 0
	s.chosen++
	s.changes++
	return ui.Batch(s.saveLayoutSoon(), s.readPast())
}

// noRate returns why the selected curve can't be shown as a rate; empty if it can.
func (s *Screen) noRate() string {
	i := s.selected()
	switch {
	case i < 0:
		return "no counter is chosen; a adds some"
	case s.curves[i].missing():
		return "the source has no such counter now"
	case !s.curves[i].hasRate():
		return "it is not a cumulative counter"
	}
	return ""
}

// title returns the name of the counter, with "/sec" if the curve shows its rate.
func (c *curve) title() string {
	if c.rated() {
		return c.counter + "/sec"
	}
	return c.counter
}

// valuesIn returns the values of the curve in bands. It skips bands without a value and marks the next as after a gap.
func (r rateCurve) valuesIn(bands []perf.Band) (list timeline.Pieces) {
	gap := false
	for i := range bands {
		b := &bands[i]
		p := timeline.Piece{From: b.From, To: b.To, Low: b.Min, High: b.Max, Average: b.Average, End: b.Last, Count: b.Count, Step: b.Step, Gap: b.Gap || gap}
		switch {
		case r.total && !r.rated:
			p.Low, p.High, p.Average, p.Count = b.Last, b.Last, b.Last, 1
		case r.rated || math.IsNaN(b.Last):
			p.End = b.Average
		}
		if gap = math.IsNaN(p.Average); !gap {
			list = append(list, p)
		}
	}
	return list
}
