package comparison_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/store"
	"cxdeck/views/comparison"
)

// hours is a source of five hours with one counter: it rises by about 100 packets a second in the first half of each hour, and
// by about 200 in the second half.
type hours struct {
	schema *perf.Schema
	at     int
	value  int64
}

const hoursLength = 5 * 3600

var hoursBegan = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

func (h *hours) Info() perf.SourceInfo      { return perf.SourceInfo{Kind: perf.LogSource, Name: "log"} }
func (h *hours) Schema() *perf.Schema       { return h.schema }
func (h *hours) Inventory() *perf.Inventory { return &perf.Inventory{} }
func (h *hours) Close() error               { return nil }
func (h *hours) Span() (from, to time.Time) { return hoursBegan, secondsIn(hoursLength - 1) }
func (h *hours) Seek(time.Time) error       { h.at, h.value = 0, 0; return nil }

func (h *hours) Next(_ context.Context, _ time.Duration, into *perf.Column) error {
	if h.at == hoursLength {
		return io.EOF
	}
	into.Time, into.Missed, into.Cells = secondsIn(h.at), 0, []int64{h.value}
	h.at++
	h.value += 95 + int64(h.at%11)
	if h.at%3600 >= 1800 {
		h.value += 100
	}
	return nil
}

func secondsIn(seconds int) time.Time { return hoursBegan.Add(time.Duration(seconds) * time.Second) }

// openReduced opens a session whose first hours are kept as minutes.
func openReduced(t *testing.T) *comparison.Subject {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"), store.Options{KeepSamples: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	schema, err := perf.NewSchema(1, 1, []perf.Series{{Set: "Port", Instance: "1", Counter: "Packets/sec", Unit: perf.Packets, Kind: perf.Rate}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ImportSource(t.Context(), &hours{schema: schema}, nil); err != nil {
		t.Fatal(err)
	}
	if done, err := db.Tidy(t.Context(), func(int, int) {}); err != nil || done.Reduced <= 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	subject, err := comparison.OpenSession(t.Context(), db, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { subject.Close() })
	return subject
}

// TestPeriodsOfAReducedSession checks that a period is extended to whole minutes where only minutes are kept, and refused
// with the reason if it has too few of them.
func TestPeriodsOfAReducedSession(t *testing.T) {
	t.Parallel()
	s := openReduced(t)
	in := func(from, to int) compare.Range { return compare.Range{From: secondsIn(from), To: secondsIn(to)} }
	found, err := comparison.WhatChanged(t.Context(), s, in(3600+1830, 3600+2100+10), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !found.Second.From.Equal(secondsIn(3600+1800)) || !found.Second.To.Equal(secondsIn(3600+2159)) {
		t.Errorf("the period is %s", found.Second)
	}
	if len(found.Counters) != 1 || !strings.Contains(found.Sentence(false), "100 p/s to 200 p/s") {
		t.Errorf("%s %+v", found.Sentence(false), found.Counters)
	}
	_, err = comparison.WhatChanged(t.Context(), s, in(3600+1830, 3600+1845), nil)
	if err == nil || !strings.Contains(err.Error(), "keeps only minutes around") {
		t.Errorf("a period of 15 s: %v", err)
	}
	// The same traffic, kept as minutes and as samples, must not differ.
	same, err := comparison.Compare(t.Context(), s, s, in(330, 1700), in(4*3600+330, 4*3600+1700), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range same.Counters {
		difference := &same.Counters[i]
		if difference.BeyondNoise() {
			t.Errorf("%+v differs", difference)
		}
	}
	if !same.First.From.Equal(secondsIn(300)) || !same.Second.From.Equal(secondsIn(4*3600+330)) {
		t.Errorf("%s, %s", same.First, same.Second)
	}
}

// Where only minutes are kept around a change, whole minutes are compared, of which none has both the time before and the time after it.
// The page says so.
func TestAroundAChangeOfAReducedSession(t *testing.T) {
	t.Parallel()
	s := openReduced(t)
	entry := driver.Entry{Sequence: 1, Time: secondsIn(2*3600 + 1815), Plan: driver.Plan{Title: "Pull the cable"}}
	c, err := comparison.AroundChange(t.Context(), s, entry, time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !c.First.From.Equal(secondsIn(2*3600+1500)) || !c.First.To.Before(secondsIn(2*3600+1800)) || c.First.To.Before(secondsIn(2*3600+1799)) ||
		!c.Second.From.Equal(secondsIn(2*3600+1860)) || !c.Second.To.Equal(secondsIn(2*3600+2159)) {
		t.Errorf("%s and %s are compared", c.First, c.Second)
	}
	if c.Change.Row != time.Minute || c.Change.Length != 5*time.Minute || c.Change.Periods < 5 {
		t.Errorf("%+v", c.Change)
	}
	if len(c.Counters) != 1 || c.Counters[0].Before.Mean > 101 || c.Counters[0].After.Mean < 199 || c.Counters[0].Periods < 5 {
		t.Errorf("%+v", c.Counters)
	}
	if method := strings.Join(c.Change.Method(), "\n"); !strings.Contains(method, "Only minutes are kept around the change") {
		t.Error(method)
	}
	// Where samples are left, nothing is said of minutes.
	entry.Time = secondsIn(4*3600 + 1815)
	if c, err = comparison.AroundChange(t.Context(), s, entry, time.Minute, nil); err != nil {
		t.Fatal(err)
	}
	if method := strings.Join(c.Change.Method(), "\n"); c.Change.Row != 0 || strings.Contains(method, "minutes are kept") || !c.First.To.Before(entry.Time) {
		t.Errorf("%+v\n%s", c.Change, method)
	}
}
