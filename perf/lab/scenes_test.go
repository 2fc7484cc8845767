package lab

import (
	"math"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/scenes"
	"cxdeck/perf"
)

// labPair is a lab with changes, and the course of the same lab without them.
type labPair struct {
	with    *Source
	without *labCourse
	// spans is the number of finished spans; from and to are the columns of the lab at both ends of the last one.
	spans    int
	from, to perf.Column
}

// labCourse has the columns of a lab between several spans of time. Several pairs can share one.
type labCourse struct {
	schema *perf.Schema
	spans  []time.Duration
	// columns are the columns from before the first span to after the last; later ones may be longer.
	columns []perf.Column
}

// rested returns a host of the default lab after two seconds; tests use clones of it.
func rested(t testing.TB, seed uint64) *driver.Host {
	t.Helper()
	return restedAs(t, seed, func(*description.Description) {})
}

// restedAs is rested for a lab with a changed description.
func restedAs(t testing.TB, seed uint64, describe func(*description.Description)) *driver.Host {
	t.Helper()
	description := *defaultLab()
	describe(&description)
	lab, err := device.New(&description, seed)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(lab)
	host.Advance(2 * time.Second)
	return host
}

// sourceOf returns a source of a host, and reads its first column.
func sourceOf(t testing.TB, host *driver.Host, c *perf.Column) *Source {
	t.Helper()
	l, err := New(host)
	if err != nil {
		t.Fatal(err)
	}
	next(t, l, 0, c)
	return l
}

// newCourse advances a host by the spans after applying operations, if there are any.
func newCourse(t testing.TB, host *driver.Host, operations []driver.Operation, spans ...time.Duration) *labCourse {
	t.Helper()
	c := &labCourse{spans: spans, columns: make([]perf.Column, len(spans)+1)}
	l := sourceOf(t, host, &c.columns[0])
	if len(operations) > 0 {
		mustApply(t, l, operations)
	}
	for i, span := range spans {
		next(t, l, span, &c.columns[i+1])
	}
	c.schema = l.Schema()
	return c
}

// newPair returns a host with the course of the same host.
func newPair(t testing.TB, host *driver.Host, without *labCourse) *labPair {
	t.Helper()
	p := &labPair{without: without}
	p.with = sourceOf(t, host, &p.to)
	return p
}

func mustApply(t testing.TB, l *Source, operations []driver.Operation) {
	t.Helper()
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

// span advances the lab by the next span of the course.
func (p *labPair) span(t testing.TB) {
	t.Helper()
	p.from.Time, p.from.Cells = p.to.Time, append(p.from.Cells[:0], p.to.Cells...)
	next(t, p.with, p.without.spans[p.spans], &p.to)
	p.spans++
}

// change returns the change of a counter, or the value of another series, in the last span of both labs.
func (p *labPair) change(t testing.TB, path string) (with, without float64) {
	t.Helper()
	a, ok := changeOf(p.with.Schema(), path, &p.from, &p.to)
	b, there := changeOf(p.without.schema, path, &p.without.columns[p.spans-1], &p.without.columns[p.spans])
	if !ok && !there {
		t.Fatalf("there is no %s", path)
	}
	return a, b
}

// changeOf returns the change of a series between two columns; a series missing in the first began at 0.
func changeOf(schema *perf.Schema, path string, from, to *perf.Column) (change float64, ok bool) {
	at, ok := schema.Find(path)
	if !ok || schema.Series[at].Cell >= len(to.Cells) {
		return 0, ok
	}
	s := schema.Series[at]
	change = float64(to.Cells[s.Cell])
	if (s.Kind == perf.Cumulative || s.Kind == perf.Rate) && s.Cell < len(from.Cells) {
		change -= float64(from.Cells[s.Cell])
	}
	return change, true
}

// moves reports whether a value changed in a way, by at least a part of the value without the change.
func moves(way scenes.Trend, with, without, part float64) bool {
	switch way {
	case scenes.Rises:
		return with > without*(1+part)
	case scenes.Falls:
		return with < without*(1-part)
	case scenes.Stops:
		return with == 0 && without > 0
	}
	return false
}

// TestEverySceneAtEveryPort runs each scene at each port that supports it, and compares with an unchanged lab: its counters
// change as described, rising ones within five seconds, its events appear, and after the undo the counters match the other lab.
func TestEverySceneAtEveryPort(t *testing.T) {
	t.Parallel()
	const (
		seed    = 4   // its first incast comes late
		clearly = 0.1 // relative to the counter without the scene
		nearly  = 0.1
	)
	played, host := 0, rested(t, seed)
	without := newCourse(t, host.Clone(), nil, 5*time.Second, 5*time.Second, 8*time.Second, 4*time.Second)
	for _, scene := range scenes.All() {
		for port := range host.Lab().Ports() {
			d, _, _ := host.Lab().Port(port)
			connection := d.Connection
			shows, err := scene.At(host, connection)
			if err != nil {
				t.Fatal(err)
			}
			if shows.Refusal != "" {
				t.Logf("%s: %s", scene.Name, shows.Refusal)
				continue
			}
			if played++; played%labShare != 0 {
				continue
			}
			t.Run(scene.Name+" at "+connection, func(t *testing.T) {
				t.Parallel()
				p := newPair(t, host.Clone(), without)
				plan, err := scene.Plan(p.with.Host(), connection)
				if err != nil {
					t.Fatal(err)
				}
				p.with.Events() // events before the scene
				if _, err := p.with.Host().Apply(plan); err != nil {
					t.Fatal(err)
				}
				p.span(t)
				for _, sign := range shows.Signs {
					if a, b := p.change(t, sign.Counter); sign.Way == scenes.Rises && !moves(sign.Way, a, b, clearly) {
						t.Errorf("%s changes by %.0f, and by %.0f without the scene", sign.Counter, a, b)
					}
				}
				p.span(t)
				for _, sign := range shows.Signs {
					if a, b := p.change(t, sign.Counter); sign.Way != scenes.Rises && !moves(sign.Way, a, b, clearly) {
						t.Errorf("%s is %.0f, and %.0f without the scene", sign.Counter, a, b)
					}
				}
				events := p.with.Events()
				for _, key := range shows.Events {
					if !hasEvent(events, key, connection) {
						t.Errorf("no event %s", key)
					}
				}
				if _, err := p.with.Host().Undo(); err != nil {
					t.Fatal(err)
				}
				p.span(t)
				p.span(t)
				for _, sign := range shows.Signs {
					a, b := p.change(t, sign.Counter)
					if math.Abs(a-b) > nearly*math.Max(math.Abs(b), 10) {
						t.Errorf("%s changes by %.0f after it, and by %.0f without the scene", sign.Counter, a, b)
					}
				}
			})
		}
	}
	t.Logf("%d scenes at ports", played)
}

func hasEvent(events []eventlog.Event, key, connection string) bool {
	for _, e := range events {
		if e.Key == key && e.Adapter == connection {
			return true
		}
	}
	return false
}
