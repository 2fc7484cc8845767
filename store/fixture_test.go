package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/perf"
)

// start is the time at which the sessions of tests begin.
var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// openNew opens a new history in a temporary directory.
func openNew(t testing.TB, options Options) *DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "cxdeck.db"), options)
}

func openAt(t testing.TB, path string, options Options) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, options)
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close %s: %v", path, err)
		}
	})
	return db
}

// begin starts a session of a small lab.
func begin(t testing.TB, db *DB) *Recorder {
	t.Helper()
	info := perf.SourceInfo{Kind: perf.LabSource, Name: "LAB-N4", Host: "lab", Seed: 1<<63 + 7, LabHash: "abc", Started: start, Twin: "WEB1", Assumed: 12}
	recorder, err := db.Begin(t.Context(), info, time.Second)
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	return recorder
}

func closeRecorder(t testing.TB, recorder *Recorder) {
	t.Helper()
	if err := recorder.Close(context.Background()); err != nil {
		t.Fatalf("close the recorder: %v", err)
	}
}

// schemaOf returns a schema with one series per cell, of all kinds in turn.
func schemaOf(t testing.TB, generation uint64, cells int) *perf.Schema {
	t.Helper()
	series := make([]perf.Series, cells)
	for i := range series {
		series[i] = perf.Series{
			Set: "Network Interface", Instance: fmt.Sprintf("Ethernet %d", i/8), Counter: fmt.Sprintf("Counter %d", i%8),
			Kind: perf.Kind(i % 5), Unit: perf.Bytes, Cell: i, Line: 100_000_000_000,
		}
	}
	schema, err := perf.NewSchema(generation, cells, series)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// column returns sample number n with the given cells.
func column(n int, cells ...int64) *perf.Column {
	return &perf.Column{Time: start.Add(time.Duration(n) * time.Second), Cells: cells}
}

// play reads a replay to its end, and returns its columns.
func play(t testing.TB, source perf.Source, interval time.Duration) []perf.Column {
	t.Helper()
	var all []perf.Column
	for {
		var c perf.Column
		err := source.Next(context.Background(), interval, &c)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("row %d: %v", len(all), err)
		}
		all = append(all, c)
	}
}

func replayOf(t testing.TB, db *DB, id int64) perf.Source {
	t.Helper()
	source, err := db.Replay(t.Context(), id)
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	t.Cleanup(func() { source.Close() })
	return source
}

// traffic changes cells like the counters of adapters: most are constant, some change rarely, some change all the time, a few
// are gauges.
type traffic struct {
	random *rand.Rand
	rates  []float64
	cells  []int64
}

func newTraffic(seed uint64, cells int) *traffic {
	m := &traffic{random: rand.New(rand.NewPCG(seed, 1)), rates: make([]float64, cells), cells: make([]int64, cells)}
	for i := range m.cells {
		m.rates[i] = []float64{1e4, 1e6}[m.random.IntN(2)] * (0.5 + m.random.Float64())
	}
	return m
}

// step advances all cells by one second: 60% constant, 20% rare, 8% packets, 7% bytes, 5% gauges.
func (m *traffic) step() {
	for i := range m.cells {
		switch k := i % 100; {
		case k < 60:
		case k < 80:
			if m.random.IntN(60) == 0 {
				m.cells[i] += int64(1 + m.random.IntN(5))
			}
		case k < 95:
			m.rates[i] *= 1 + 0.02*(m.random.Float64()-0.5)
			scale := 1.0
			if k >= 88 {
				scale = 1000
			}
			m.cells[i] += int64(m.rates[i] * scale * (1 + 0.01*m.random.NormFloat64()))
		default:
			m.cells[i] = int64(40 + m.random.IntN(4))
		}
	}
}
