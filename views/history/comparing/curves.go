package comparing

import (
	"context"
	"math"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/comparison"
)

// curves holds the points of the selected counter in both periods.
type curves struct {
	// path is the counter of the points, wanted the counter that is being read; empty for none.
	path, wanted string
	points       [2][]perf.Point
	err          error
}

// readCurves reads the curves of the selected counter outside the terminal loop, one counter at a time.
func (p *Page) readCurves() ui.Cmd {
	d := p.selected()
	if d == nil || p.curves.wanted != "" || p.curves.path == d.Series.Path() {
		return nil
	}
	path := d.Series.Path()
	p.curves.wanted = path
	request, number, ranges := p.request, p.number, p.shownRanges()
	return ui.Background("Read the curves", func(ctx context.Context) ui.Msg {
		msg := curvesMsg{number: number, path: path}
		msg.err = withSubjects(ctx, request, func(first, second *comparison.Subject) (err error) {
			if msg.points[0], err = first.Samples.Curve(ctx, path, ranges[0]); err != nil {
				return err
			}
			msg.points[1], err = second.Samples.Curve(ctx, path, ranges[1])
			return err
		})
		return msg
	})
}

func (p *Page) shownRanges() [2]compare.Range {
	return [2]compare.Range{p.found.First.Range, p.found.Second.Range}
}

func (p *Page) takeCurves(msg curvesMsg) ui.Cmd {
	if msg.number != p.number || p.found == nil {
		return nil
	}
	p.curves = curves{path: msg.path, points: msg.points, err: msg.err}
	return p.readCurves() // another counter may be selected now
}

// aligned reports whether both curves begin at the left; a range and the time before it are drawn one after the other.
func (p *Page) aligned() bool { return p.request.Kind != WhatChanged }

// drawChart draws the curves of the selected counter.
func (p *Page) drawChart(area widget.Area, d *compare.Difference) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	title, body := area.SplitTop(1)
	title.PrintCut(1, 0, title.Width-1, d.Name(), themes.Style{Role: themes.Title})
	switch {
	case p.curves.path != d.Series.Path():
		body.PrintCut(1, 0, body.Width-1, "Reading the curves.", muted)
		return
	case p.curves.err != nil:
		body.PrintCut(1, 0, body.Width-1, "The curves can't be read: "+p.curves.err.Error(), themes.Style{Role: themes.Warn})
		return
	}
	c := &p.chart
	from, to := p.found.First.From, p.found.Second.To
	starts := [2]time.Time{from, from}
	if p.aligned() {
		starts = [2]time.Time{p.found.First.From, p.found.Second.From}
		to = from.Add(max(p.found.First.Length(), p.found.Second.Length()))
	}
	*c = widget.Chart{From: from, To: to, Location: p.zone, Offsets: p.aligned(), Format: func(v float64) string { return d.Number(v, p.deck.InBytes) }}
	if !p.aligned() {
		c.RangeFrom, c.RangeTo = p.found.Second.From, p.found.Second.To
	}
	dots := max(c.Dots(body), 1)
	highest := 0.0
	for side, points := range p.curves.points {
		bands := bandsOf(points, starts[side], to.Sub(from), dots)
		for i := range bands {
			if bands[i].Max > highest {
				highest = bands[i].Max
			}
			if bands[i].Min < c.Low {
				c.Low = bands[i].Min
			}
		}
		c.Series = append(c.Series, widget.ChartSeries{
			Role: themes.SeriesRole(side), Letter: letters[side], Bands: bands, Dashed: side == 0, Bold: side == 1,
		})
	}
	unit := axisUnit(d, p.deck.InBytes)
	c.High = widget.NiceScale(highest*unit) / unit
	c.Draw(body)
}

// letters name the two curves.
var letters = [2]rune{'a', 'b'}

// axisUnit returns the factor from a value to the displayed unit, in which the axis is rounded.
func axisUnit(d *compare.Difference, inBytes bool) float64 {
	unit := string(d.Series.Unit)
	isBytes := strings.HasPrefix(unit, string(perf.Bytes)) || strings.HasPrefix(unit, string(perf.Kilobytes))
	if isBytes && !inBytes && (d.Series.PerSecond() || d.Series.Kind == perf.Cumulative) {
		return 8
	}
	return 1
}

// bandsOf summarises points in equal pieces of time from a start. A value lasts until the next one, unless there is a gap.
func bandsOf(points []perf.Point, start time.Time, length time.Duration, dots int) []widget.Band {
	none := widget.Band{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	bands, counts := make([]widget.Band, dots), make([]int, dots)
	for i := range bands {
		bands[i] = none
	}
	if length <= 0 {
		return bands
	}
	for _, point := range points {
		i := int(float64(point.Time-start.UnixNano()) / float64(length) * float64(dots))
		if i == dots {
			i--
		}
		if math.IsNaN(point.Value) || i < 0 || i >= dots {
			continue
		}
		b := &bands[i]
		if counts[i]++; counts[i] == 1 {
			*b = widget.Band{Min: point.Value, Max: point.Value, Average: point.Value}
			continue
		}
		b.Min, b.Max = min(b.Min, point.Value), max(b.Max, point.Value)
		b.Average += (point.Value - b.Average) / float64(counts[i])
	}
	holdValues(bands, points, length)
	return bands
}

// holdValues repeats values in the pieces between points; gaps of more than twice the usual distance stay empty.
func holdValues(bands []widget.Band, points []perf.Point, length time.Duration) {
	if len(points) < 2 {
		return
	}
	usual := float64(points[len(points)-1].Time-points[0].Time) / float64(len(points)-1)
	reach := int(2 * usual / float64(length) * float64(len(bands)))
	for i, since := 1, 0; i < len(bands); i++ {
		if !math.IsNaN(bands[i].Average) {
			since = 0
			continue
		}
		if since++; since <= reach && !math.IsNaN(bands[i-1].Average) {
			last := bands[i-1].Average
			bands[i] = widget.Band{Min: last, Max: last, Average: last}
		}
	}
}
