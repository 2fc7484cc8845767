package forecast

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/lab"
)

// The span of a forecast in lab time.
const (
	DefaultSpan = 60 * time.Second
	MaxSpan     = 10 * time.Minute
)

// Options are the options of a forecast.
type Options struct {
	// Span is the compared lab time; 0 means DefaultSpan, and MaxSpan is the maximum.
	Span time.Duration
	// Progress is called with the completed part, 0 to 1, on the goroutine of the caller, which waits for it; it may be nil.
	Progress func(part float64)
}

// Result is the effect of a plan on the counters of a host: two copies, one with the plan, run over the same time.
type Result struct {
	// Span is the time that was compared. It begins when all adapters that the plan stops have started again, which takes
	// RestartTime.
	Span, RestartTime time.Duration
	// Differences are the series that differ in the span, the most significant first.
	Differences []Difference
	// Meanwhile are the rates that differ during the restarts: the cost of the interruption. A counter that stops meanwhile has
	// a rate of 0.
	Meanwhile []Difference
	// Events are events that happened only on the copy with the plan, oldest first.
	Events []eventlog.Event
}

// Difference is a series that a plan changes. Its values are averages per second over the span for rates and cumulative
// counters, averages for gauges, and the last value for maxima.
type Difference struct {
	Series perf.Series
	// PerSecond reports that Before and After are values per second.
	PerSecond bool
	// Before is the value without the plan, After the value with it. It is NaN when the series does not exist.
	Before, After float64
	// Change is the relative change: -0.83 for 83% less, +Inf from 0, NaN when Before or After is NaN.
	Change float64
	// Score is the significance of the change, from 0 up.
	Score float64
}

// Cloner returns copies of a host: a monitor of a lab.
type Cloner interface {
	Clone(ctx context.Context) (*driver.Host, error)
}

// Run forecasts the effect of a plan on a copy of a host; the host itself is not affected.
func Run(ctx context.Context, hosts Cloner, plan driver.Plan, options Options) (*Result, error) {
	host, err := hosts.Clone(ctx)
	if err != nil {
		return nil, err
	}
	return RunOn(ctx, host, plan, options)
}

// RunOn measures the effect of a plan on the counters of a host. It advances the host, which must be a copy that nobody else
// uses. It fails when the plan can't be applied, and when ctx ends.
func RunOn(ctx context.Context, host *driver.Host, plan driver.Plan, options Options) (*Result, error) {
	span := options.Span
	if span == 0 {
		span = DefaultSpan
	}
	if span < time.Second || span > MaxSpan {
		return nil, fmt.Errorf("the span of a forecast, %s, is not between 1 s and %s", span, MaxSpan)
	}
	before, after := newSimulation(host), newSimulation(host.Clone())
	// Both use one builder, so that their cells are the same; run adds the series of new objects.
	builder := lab.NewBuilder(after.host.Lab())
	if err := builder.Grow(after.host.VirtualMiniports()); err != nil {
		return nil, err
	}
	if _, err := after.host.Apply(plan); err != nil {
		return nil, err
	}
	f := &Result{Span: span}
	err := f.awaitRestarts(ctx, builder, before, after)
	if err != nil {
		return nil, err
	}
	if f.RestartTime > 0 {
		f.Meanwhile = differences(rates(builder.Series()), before, after, plan)
	}
	err = f.run(ctx, builder, before, after, options.Progress)
	if err != nil {
		return nil, err
	}
	f.Differences = differences(builder.Series(), before, after, plan)
	f.Events = newEvents(before, after)
	return f, nil
}

// linkTimeout is the maximum time that a forecast waits for links after the last adapter has started.
const linkTimeout = 5 * time.Second

// awaitRestarts advances both hosts until all adapters that the plan stops have started again, and counts meanwhile.
func (f *Result) awaitRestarts(ctx context.Context, builder *lab.Builder, before, after *simulation) error {
	const look, looks = 100 * time.Millisecond, 5
	before.begin(builder)
	after.begin(builder)
	n := 0
	for limit := linkTimeout; after.host.ComingUp() && f.RestartTime < limit; f.RestartTime += look {
		if err := ctx.Err(); err != nil {
			return err
		}
		if after.host.Starting() {
			limit = f.RestartTime + look + linkTimeout
		}
		before.host.Advance(look)
		after.host.Advance(look)
		if n++; n%looks == 0 {
			before.count(builder)
			after.count(builder)
		}
	}
	before.endCounting(builder, f.RestartTime)
	after.endCounting(builder, f.RestartTime)
	return nil
}

// rates returns the rates and the cumulative counters of a list.
func rates(series []perf.Series) (list []perf.Series) {
	for i := range series {
		if kind := series[i].Kind; kind == perf.Rate || kind == perf.Cumulative {
			list = append(list, series[i])
		}
	}
	return list
}

// begin starts counting the increase of each cell, which continues when a counter restarts or is missing for a time.
func (r *simulation) begin(builder *lab.Builder) {
	r.last, r.total = make([]int64, builder.Cells()), make([]int64, builder.Cells())
	r.read(builder)
	r.first = slices.Clone(r.last)
}

// count adds the increase of each cell since the last reading.
func (r *simulation) count(builder *lab.Builder) {
	copy(r.first, r.last)
	r.read(builder)
	for i, now := range r.last {
		if was := r.first[i]; was != perf.Missing && now != perf.Missing && now > was {
			r.total[i] += now - was
		}
	}
}

// endCounting ends the counting since begin: the values cover the time span.
func (r *simulation) endCounting(builder *lab.Builder, span time.Duration) {
	r.count(builder)
	clear(r.first)
	copy(r.last, r.total)
	r.span = span
}

// run advances both hosts by the span.
func (f *Result) run(ctx context.Context, builder *lab.Builder, before, after *simulation, progress func(float64)) error {
	if err := builder.Grow(after.host.VirtualMiniports()); err != nil {
		return err
	}
	other := make(chan error, 1)
	go func() { other <- before.runSafely(ctx, builder, f.Span) }()
	err := after.run(ctx, builder, f.Span, progress)
	if second := <-other; err == nil {
		err = second
	}
	return err
}

// simulation is a host that is advanced, and the counts of its cells.
type simulation struct {
	host  *driver.Host
	event uint64
	// first and last are the cells at the start and the end; sums are the sums of all samples, NaN for a cell that was missing
	// once.
	first, last []int64
	sums        []float64
	// total holds the increase of each cell during the restarts.
	total   []int64
	samples int
	span    time.Duration
}

func newSimulation(host *driver.Host) *simulation {
	r := &simulation{host: host}
	if events := host.EventsAfter(0); len(events) > 0 {
		r.event = events[len(events)-1].Sequence
	}
	return r
}

// sampleEvery is the interval at which gauges are read in a span.
const sampleEvery = time.Second

// run advances the host by a span, and samples its cells.
func (r *simulation) run(ctx context.Context, builder *lab.Builder, span time.Duration, progress func(float64)) error {
	r.span, r.samples = span, 0
	r.last, r.sums = make([]int64, builder.Cells()), make([]float64, builder.Cells())
	r.read(builder)
	r.first = slices.Clone(r.last)
	for done := time.Duration(0); done < span; {
		if err := ctx.Err(); err != nil {
			return err
		}
		step := min(sampleEvery, span-done)
		r.host.Advance(step)
		done += step
		r.read(builder)
		r.samples++
		for i, cell := range r.last {
			if cell == perf.Missing {
				r.sums[i] = math.NaN()
			} else {
				r.sums[i] += float64(cell)
			}
		}
		if progress != nil {
			progress(float64(done) / float64(span))
		}
	}
	return nil
}

// runSafely is run for a separate goroutine: it returns a panic, which would end the console, as an error.
func (r *simulation) runSafely(ctx context.Context, builder *lab.Builder, span time.Duration) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("internal error: %v", fault)
		}
	}()
	return r.run(ctx, builder, span, nil)
}

func (r *simulation) read(builder *lab.Builder) {
	for port := range r.host.Lab().Ports() {
		r.host.StartCounting(port)
	}
	lab.NewReader(builder, r.host).Read(r.last)
}

// value returns the value of a series for the span: the rate of a counter, the average of a gauge, or the last value.
func (r *simulation) value(s *perf.Series) float64 {
	switch s.Kind {
	case perf.Rate, perf.Cumulative:
		return s.Rate(r.first[s.Cell], r.last[s.Cell], r.span)
	case perf.Gauge:
		return s.Scaled(r.sums[s.Cell] / float64(r.samples))
	default:
		return s.CellValue(r.last[s.Cell])
	}
}

// newEvents returns the events of after that before does not have.
func newEvents(before, after *simulation) (list []eventlog.Event) {
	type sameness struct{ key, adapter, message string }
	known := map[sameness]int{}
	for _, e := range before.host.EventsAfter(before.event) {
		known[sameness{e.Key, e.Adapter, e.Message}]++
	}
	for _, e := range after.host.EventsAfter(after.event) {
		s := sameness{e.Key, e.Adapter, e.Message}
		if known[s] == 0 {
			list = append(list, e)
			continue
		}
		known[s]--
	}
	return list
}

// ChangeText returns a relative change: "-83%", "x12"; "from 0" if the value was 0 before.
func ChangeText(change float64) string {
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
