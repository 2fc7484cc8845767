package counters

import (
	"context"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// began is the time of the first sample of a generated source.
var began = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// madeUp is a source that takes a sample when the test sends a step: bytes as a sine wave on each port, and a discard
// counter. rateOf gives the expected values.
type madeUp struct {
	kind   perf.SourceKind
	schema *perf.Schema
	steps  chan struct{} // each value allows one sample
	n      int           // the samples so far
	limit  int           // the number of samples
	events []eventlog.Event
}

const samplePeriod = time.Second

// rateOf returns the rate of a port in the second before sample n, in bytes per second.
func rateOf(port, n int) float64 {
	return math.Round(1e9 * (1 + float64(port) + math.Sin(float64(n)/20)))
}

// dropping reports whether port 2 drops 300 packets in the second before sample n.
func dropping(n int) bool { return n/15%2 == 1 }

func newMadeUp(t testing.TB, ports int) *madeUp {
	t.Helper()
	var series []perf.Series
	for p := range ports {
		name := fmt.Sprintf("Port %d", p+1)
		line := uint64(100e9)
		series = append(series,
			perf.Series{Set: "Network Interface", Instance: name, Counter: "Bytes Sent/sec", Kind: perf.Rate, Unit: perf.Bytes, Cell: 3 * p, Line: line},
			perf.Series{Set: "Network Interface", Instance: name, Counter: "Bytes Received/sec", Kind: perf.Rate, Unit: perf.Bytes, Cell: 3*p + 2, Line: line},
			perf.Series{Set: "Network Interface", Instance: name, Counter: "Packets Received Discarded/sec", Kind: perf.Rate, Unit: perf.Packets, Cell: 3*p + 1},
			perf.Series{Set: "Network Interface", Instance: name, Counter: "Packets Received Discarded", Kind: perf.Cumulative, Unit: perf.Packets, Cell: 3*p + 1},
		)
	}
	series = append(series, perf.Series{Set: "Network Interface", Instance: "_Total", Counter: "Bytes Sent/sec", Kind: perf.Rate,
		Unit: perf.Bytes, Cell: 0, Sum: "all ports, no frame counted twice"})
	schema, err := perf.NewSchema(1, 3*ports, series)
	if err != nil {
		t.Fatal(err)
	}
	return &madeUp{kind: perf.LabSource, schema: schema, steps: make(chan struct{}), limit: math.MaxInt}
}

func (m *madeUp) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: m.kind, Name: "made up", Host: "TEST", Started: began}
}
func (m *madeUp) Schema() *perf.Schema       { return m.schema }
func (m *madeUp) Inventory() *perf.Inventory { return &perf.Inventory{Host: "TEST"} }
func (m *madeUp) Close() error               { return nil }

func (m *madeUp) Events() []eventlog.Event {
	events := m.events
	m.events = nil
	return events
}

func (m *madeUp) Next(ctx context.Context, _ time.Duration, column *perf.Column) error {
	if m.n >= m.limit {
		return io.EOF
	}
	select {
	case <-m.steps:
	case <-ctx.Done():
		return ctx.Err()
	}
	column.Time = began.Add(time.Duration(m.n) * samplePeriod)
	column.Grow(m.schema.Cells)
	for p := range m.schema.Cells / 3 {
		sent, drops := 0.0, int64(0)
		for n := 1; n <= m.n; n++ {
			sent += rateOf(p, n)
			if p == 1 && dropping(n) {
				drops += 300
			}
		}
		column.Cells[3*p], column.Cells[3*p+1], column.Cells[3*p+2] = int64(sent), drops, int64(sent/5)
	}
	if m.n == 100 {
		m.events = append(m.events, eventlog.Event{Sequence: 1, Time: column.Time, Severity: eventlog.Warning, Adapter: "Port 2", Message: "the link went down"})
	}
	m.n++
	return nil
}

// play is a screen on a generated source, with the functions that operate both.
type play struct {
	*viewtest.Stage
	t      testing.TB
	deck   *deck.Deck
	source *madeUp
	screen *Screen
	seen   uint64
}

// newPlay opens the screen after a number of samples.
func newPlay(t testing.TB, ports, samples int) *play {
	t.Helper()
	p := &play{t: t, source: newMadeUp(t, ports)}
	p.deck = viewtest.Watch(t, p.source, monitor.MaxSpeed)
	p.screen, p.Stage = staged(t, p.deck)
	p.step(samples)
	return p
}

// step takes samples and shows the last one.
func (p *play) step(samples int) {
	p.t.Helper()
	for range samples {
		p.source.steps <- struct{}{}
	}
	p.seen += uint64(samples)
	deadline := time.After(time.Minute)
	for p.deck.Live.Status().Samples < p.seen {
		select {
		case <-p.deck.Live.Updates():
		case <-time.After(time.Millisecond):
		case <-deadline:
			p.t.Fatal("the samples did not come")
		}
	}
	p.Shell.Send(ui.DataMsg{})
	p.WaitIdle()
}
