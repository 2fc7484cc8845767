package registry

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// forecast is the rehearsal of a plan on a copy of the host. The zero forecast has not begun.
type forecast struct {
	run    *rehearsal // nil when none runs
	result *perf.Forecast
	err    error
}

// rehearsal is a forecast on its way. The work tells how far it is, and takes its end from cancel.
type rehearsal struct {
	cancel context.CancelFunc
	part   atomic.Uint64 // the bits of a float64
}

// forecastMsg brings the result of a rehearsal.
type forecastMsg struct {
	run    *rehearsal
	result *perf.Forecast
	err    error
}

func (f *forecast) running() bool { return f.run != nil }

// cancel ends the rehearsal that runs.
func (f *forecast) cancel() {
	if f.run != nil {
		f.run.cancel()
	}
	*f = forecast{}
}

// toggle begins a rehearsal, or ends the one that runs.
func (f *forecast) toggle(v *View, plan driver.Plan) ui.Cmd {
	if f.running() {
		f.cancel()
		return nil
	}
	f.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	run := &rehearsal{cancel: cancel}
	f.run = run
	m := v.deck.Monitor()
	return ui.Batch(ui.Background("Forecast: "+plan.Title, func(shell context.Context) ui.Msg {
		defer cancel()
		defer context.AfterFunc(shell, cancel)()
		result, err := m.Forecast(ctx, plan, perf.ForecastOptions{
			Progress: func(part float64) { run.part.Store(math.Float64bits(part)) },
		})
		return forecastMsg{run, result, err}
	}), tick())
}

// update takes the result of the rehearsal that runs, or looks again how far it is.
func (f *forecast) update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case forecastMsg:
		if msg.run == f.run && msg.run != nil {
			*f = forecast{result: msg.result, err: msg.err}
			if errors.Is(msg.err, context.Canceled) {
				*f = forecast{}
			}
		}
	case tickMsg:
		if f.running() {
			return tick()
		}
	}
	return nil
}

// The bounds of what the review shows of a forecast, and the width of the bar of one that runs.
const (
	mostDifferences = 10
	mostNews        = 4
	progressWidth   = 30
)

// write writes how far the forecast is, or what it found.
func (f *forecast) write(p *page, v *View) {
	p.blank()
	span := seconds(perf.UsualForecast)
	switch {
	case f.run != nil:
		part := math.Float64frombits(f.run.part.Load())
		g := p.glyphs
		bar := ""
		for x := range progressWidth {
			glyph := g.Shade
			if float64(x) < part*progressWidth {
				glyph = g.Full[7]
			}
			bar += string(glyph)
		}
		p.lines = append(p.lines, line{text: fmt.Sprintf("Forecast, %s on a copy of the host  %s %3.0f%%", span, bar, 100*part), style: accent,
			value: "f stops it", valueStyle: muted})
	case f.err != nil:
		p.item(p.glyphs.Failed, "The forecast failed: "+f.err.Error()+".", bad)
	case f.result != nil:
		f.writeResult(p, v)
	default:
		p.lines = append(p.lines, line{text: fmt.Sprintf("f forecasts: %s on a copy of the host, beside one without the plan", span), style: muted})
	}
}

// writeResult writes the counters that differ, the most telling first, and the events that only the plan brings.
func (f *forecast) writeResult(p *page, v *View) {
	r := f.result
	p.lines = append(p.lines, line{text: fmt.Sprintf("Forecast, %s on a copy of the host", seconds(r.Span)), style: title,
		value: differ(len(r.Differences), "counter"), valueStyle: muted})
	if len(r.Differences) == 0 {
		p.text("  No counter differs.", muted)
	}
	for _, d := range r.Differences[:min(len(r.Differences), mostDifferences)] {
		number := func(value float64) string { return perf.Number(value, d.Series.Unit, d.PerSecond, v.deck.InBytes) }
		name := d.Series.Counter
		if d.Series.Instance != "" {
			name += "  " + d.Series.Instance
		}
		l := line{text: "  " + widget.Cut(name, p.width-44), style: text}
		l.value = fmt.Sprintf("%12s %c %12s  %8s", number(d.Before), p.glyphs.ArrowRight, number(d.After), changeWord(d.Change))
		p.lines = append(p.lines, l)
	}
	told := 0
	for _, e := range r.Events { // what an adapter says while it restarts is no news
		if e.Severity == driver.Information || told == mostNews {
			continue
		}
		told++
		glyph, role := deck.SeverityLook(p.glyphs, e.Severity)
		p.item(glyph, e.Message, themes.Style{Role: role})
	}
	if more := len(r.Events) - told; more > 0 {
		p.text("  and "+count(more, "event")+" more in the log", muted)
	}
}

// changeWord is a change in per cent: "-83%"; "new" for what was 0 and is not.
func changeWord(change float64) string {
	switch {
	case math.IsNaN(change):
		return "-"
	case math.IsInf(change, 1):
		return "from 0"
	case math.Abs(change) >= 10:
		return fmt.Sprintf("x%.0f", change+1)
	}
	return fmt.Sprintf("%+.0f%%", 100*change)
}
