package registry

import (
	"fmt"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/forecast"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// The maximum numbers of counters and events of a forecast in a review, and the width of the progress bar in cells.
const (
	maxDifferences = 10
	maxMeanwhile   = 4
	maxEvents      = 4
	progressWidth  = 30
)

// writeForecast writes the progress or the result of the forecast.
func writeForecast(f *change.Forecast, p *browse.Page, v *View) {
	p.Blank()
	span := seconds(forecast.DefaultSpan)
	switch {
	case f.Running():
		part := f.Part()
		g := p.Glyphs
		bar := ""
		for x := range progressWidth {
			glyph := g.Shade
			if float64(x) < part*progressWidth {
				glyph = g.Full[7]
			}
			bar += string(glyph)
		}
		p.Add(browse.Line{Text: fmt.Sprintf("Forecast, %s on a copy of the host  %s %3.0f%%", span, bar, 100*part), Style: accent,
			Value: "F stops it", ValueStyle: muted})
	case f.Err != nil:
		p.Item(p.Glyphs.Failed, "The forecast failed: "+f.Err.Error()+".", bad)
	case f.Result != nil:
		writeForecastResult(f.Result, p, v)
	default:
		p.Add(browse.Line{Text: fmt.Sprintf("F: forecast (%s, on copies of the host with and without the plan)", span), Style: muted})
	}
}

// writeForecastResult writes the counters that differ, the largest differences first, and the events that only the plan
// causes.
func writeForecastResult(r *forecast.Result, p *browse.Page, v *View) {
	after := ""
	if r.RestartTime > 0 {
		after = " afterwards"
		writeDifferences(r.Meanwhile, maxMeanwhile, fmt.Sprintf("Forecast, the first %s: until everything has restarted", seconds(r.RestartTime)), "", p, v)
	}
	writeDifferences(r.Differences, maxDifferences, fmt.Sprintf("Forecast, %s%s on a copy of the host", seconds(r.Span), after), after, p, v)
	writeEvents(r, p)
}

// writeDifferences writes the first counters that differ under a heading, up to limit, and the number of the others.
func writeDifferences(list []forecast.Difference, limit int, heading, when string, p *browse.Page, v *View) {
	p.Add(browse.Line{Text: heading, Style: title, Value: differ(len(list), "counter"), ValueStyle: muted})
	if len(list) == 0 {
		p.Text("  No counter differs"+when+".", muted)
	}
	for _, d := range list[:min(len(list), limit)] {
		number := func(value float64) string { return perf.Number(value, d.Series.Unit, d.PerSecond, v.deck.InBytes) }
		name := d.Series.Counter
		if d.Series.Instance != "" {
			name += "  " + d.Series.Instance
		}
		l := browse.Line{Text: "  " + widget.Cut(name, p.Width-44), Style: text}
		l.Value = fmt.Sprintf("%12s %c %12s  %8s", number(d.Before), p.Glyphs.ArrowRight, number(d.After), forecast.ChangeText(d.Change))
		p.Add(l)
	}
	if more := len(list) - limit; more > 0 {
		p.Text("  and "+count(more, "more counter"), muted)
	}
}

// writeEvents writes the events that only the plan causes.
func writeEvents(r *forecast.Result, p *browse.Page) {
	shown := 0
	for _, e := range r.Events { // leave out information, such as the events of a restart
		if e.Severity == eventlog.Information || shown == maxEvents {
			continue
		}
		shown++
		glyph, role := deck.SeverityLook(p.Glyphs, e.Severity)
		p.Item(glyph, e.Message, themes.Style{Role: role})
	}
	if more := len(r.Events) - shown; more > 0 {
		p.Text("  and "+count(more, "more event")+" in the log", muted)
	}
}
