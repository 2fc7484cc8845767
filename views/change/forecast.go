package change

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/forecast"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
)

// TickMsg comes every quarter of a second while a forecast or a countdown runs by the clock.
type TickMsg struct{}

func tick() ui.Cmd { return ui.After(250*time.Millisecond, TickMsg{}) }

// Forecast predicts the effect of a plan, by a run on a copy of the host. The zero Forecast has not begun.
type Forecast struct {
	// Result is the forecast, nil before it is ready; Err is why it failed.
	Result *forecast.Result
	Err    error

	run *forecastRun // nil when none runs
}

// forecastRun is a running forecast. Its goroutine stores the progress in part, and ends on cancel.
type forecastRun struct {
	cancel context.CancelFunc
	part   atomic.Uint64 // the bits of a float64, 0 to 1
}

// ForecastMsg contains the result of a run to the Forecast that began it.
type ForecastMsg struct {
	run    *forecastRun
	result *forecast.Result
	err    error
}

// Running reports whether a forecast is running.
func (f *Forecast) Running() bool { return f.run != nil }

// Part returns the progress of the forecast, 0 to 1.
func (f *Forecast) Part() float64 {
	if f.run == nil {
		return 0
	}
	return math.Float64frombits(f.run.part.Load())
}

// Cancel stops a running forecast and clears the result.
func (f *Forecast) Cancel() {
	if f.run != nil {
		f.run.cancel()
	}
	*f = Forecast{}
}

// Toggle starts a forecast, or stops the running one.
func (f *Forecast) Toggle(m *monitor.Monitor, plan driver.Plan) ui.Cmd {
	if f.Running() {
		f.Cancel()
		return nil
	}
	f.Cancel()
	ctx, cancel := context.WithCancel(context.Background())
	run := &forecastRun{cancel: cancel}
	f.run = run
	return ui.Batch(ui.Background("Forecast: "+plan.Title, func(shell context.Context) ui.Msg {
		defer cancel()
		defer context.AfterFunc(shell, cancel)()
		result, err := forecast.Run(ctx, m, plan, forecast.Options{
			Progress: func(part float64) { run.part.Store(math.Float64bits(part)) },
		})
		return ForecastMsg{run, result, err}
	}), tick())
}

// Update handles a ForecastMsg; at a TickMsg it asks for the next tick while the forecast runs.
func (f *Forecast) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ForecastMsg:
		if msg.run == f.run && msg.run != nil {
			*f = Forecast{Result: msg.result, Err: msg.err}
			if errors.Is(msg.err, context.Canceled) {
				*f = Forecast{}
			}
		}
	case TickMsg:
		if f.Running() {
			return tick()
		}
	}
	return nil
}

// Maximum numbers of counters and events that the forecast of a review names.
const (
	maxMeanwhile   = 4
	maxDifferences = 8
	maxEvents      = 4
)

// writeForecast adds the progress or the result of the forecast to a review.
func (d *dialog) writeForecast(r *wizard.Review) {
	f := &d.forecast
	switch {
	case f.Running():
		r.Forecasting = fmt.Sprintf("Forecast running, %.0f of %.0f s", f.Part()*forecast.DefaultSpan.Seconds(),
			forecast.DefaultSpan.Seconds())
	case f.Err != nil:
		r.Forecast = []wizard.Fact{{Mark: wizard.Bad, Word: "failed", Text: wording.UpperFirst(f.Err.Error()) + "."}}
	case f.Result != nil:
		d.writeResult(r, f.Result)
	}
}

// writeResult adds the differences during the interruption, then the differences after it, then the events.
func (d *dialog) writeResult(r *wizard.Review, f *forecast.Result) {
	when := ""
	if f.RestartTime > 0 {
		when = " afterwards"
		r.Forecast = append(r.Forecast, wizard.Fact{Mark: wizard.Warn, Word: "the first " + deck.Length(f.RestartTime),
			Text: "until everything has restarted"})
		d.writeDifferences(r, f.Meanwhile, maxMeanwhile)
	}
	word, mark := fmt.Sprintf("%s%s", deck.Length(f.Span), when), wizard.NoMark
	if len(f.Differences) == 0 {
		word, mark = "no counter differs"+when, wizard.Good
	}
	r.Forecast = append(r.Forecast, wizard.Fact{Mark: mark, Word: word, Text: "over " + deck.Length(f.Span)})
	d.writeDifferences(r, f.Differences, maxDifferences)
	shown := 0
	for _, e := range f.Events {
		if e.Severity != eventlog.Information && shown < maxEvents {
			shown++
			r.Forecast = append(r.Forecast, wizard.Fact{Mark: wizard.Warn, Label: "Event", Text: e.Message})
		}
	}
}

// writeDifferences adds the first counters that differ, up to limit, and the number of the others.
func (d *dialog) writeDifferences(r *wizard.Review, list []forecast.Difference, limit int) {
	for _, difference := range list[:min(len(list), limit)] {
		number := func(value float64) string {
			if math.IsNaN(value) {
				return "none"
			}
			return perf.Number(value, difference.Series.Unit, difference.PerSecond, d.forms.Deck.InBytes)
		}
		r.Forecast = append(r.Forecast, wizard.Fact{
			Label: difference.Series.Instance, Text: difference.Series.Counter + ": " + number(difference.Before) + " -> " + number(difference.After),
		})
	}
	if more := len(list) - limit; more > 0 {
		r.Forecast = append(r.Forecast, wizard.Fact{Text: "and " + wording.Count(more, "counter") + " more"})
	}
}
