package registry

import (
	"math"
	"strings"
	"time"

	"cxdeck/driver/registry"
	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
)

// The time and width of the live charts of the counters that a key affects, and their maximum number.
const (
	chartSpan  = time.Minute
	chartWidth = 12
	maxMoves   = 6
)

// writeAffectedCounters writes the counters that the key affects, each with a chart of its last minute; Enter opens one.
func (v *View) writeAffectedCounters(e *keyset.Entry, d *registry.Detail) {
	if len(d.Moves) == 0 || v.schema == nil {
		return
	}
	p := &v.detail
	p.Add(browse.Line{Text: "Affects", Style: title, Value: "last 60 s", ValueStyle: muted})
	instances := v.deck.Monitor().Inventory().Instances(v.snapshot.Ports[e.Port].Connection)
	for _, counter := range d.Moves[:min(len(d.Moves), maxMoves)] {
		set, name, _ := strings.Cut(counter, `\`)
		series, path := v.series(set, name, instances)
		if series < 0 {
			p.Add(browse.Line{Text: "  " + name, Style: muted, Value: "not here", ValueStyle: muted})
			continue
		}
		chart, now := v.chart(series)
		l := browse.Line{Text: "  " + name, Value: now + "  " + chart, Opens: name}
		l.Open = func() ui.Cmd { return ui.Go("counters", deck.Focus{Paths: []string{path}, Title: name}) }
		p.Add(l)
	}
}

// series finds a counter of one of the instances, or a counter without instances; -1 for none.
func (v *View) series(set, counter string, instances []string) (series int, path string) {
	for _, instance := range append(instances[:len(instances):len(instances)], "") {
		path = perf.JoinPath(set, instance, counter)
		if i, ok := v.schema.Find(path); ok {
			return i, path
		}
	}
	return -1, ""
}

// chart returns the last minute of a series as a sparkline, and its newest value; for a cumulative counter, its rate.
func (v *View) chart(series int) (text, now string) {
	s := &v.schema.Series[series]
	count := chartWidth
	if v.detail.Glyphs.Braille {
		count *= 2
	}
	bands := make([]widget.Band, count)
	last, perSecond := math.NaN(), s.PerSecond()
	if s.Kind == perf.Cumulative {
		last, perSecond = v.speed(series, bands), true
	} else {
		buckets := make([]window.Bucket, count)
		v.window.Buckets([]int{series}, v.now.Add(-chartSpan), v.now, buckets)
		for i, b := range buckets {
			bands[i] = widget.Band(b)
		}
		if value, ok := v.window.Last(series); ok {
			last = value
		}
	}
	return widget.Pad(widget.Sparkline(bands, 0, v.detail.Glyphs), chartWidth), perf.Number(last, s.Unit, perSecond, v.deck.InBytes)
}

// speed fills bands with the rates of a counter, and returns the newest rate.
func (v *View) speed(series int, bands []widget.Band) float64 {
	from := v.now.Add(-chartSpan)
	points := v.window.Points(series, from, v.now, nil)
	for i := range bands {
		bands[i] = widget.Band{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	last := math.NaN()
	for i := 1; i < len(points); i++ {
		span := time.Duration(points[i].Time - points[i-1].Time)
		value := (points[i].Value - points[i-1].Value) / span.Seconds()
		if span <= 0 || math.IsNaN(value) || value < 0 {
			continue
		}
		last = value
		at := int(int64(len(bands)) * (points[i].Time - from.UnixNano()) / int64(chartSpan))
		if at = min(max(at, 0), len(bands)-1); !(bands[at].Max >= value) {
			bands[at] = widget.Band{Min: value, Max: value, Average: value}
		}
	}
	return last
}
