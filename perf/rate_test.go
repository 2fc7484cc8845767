package perf_test

import (
	"math"
	"testing"
	"time"

	"cxdeck/perf"
)

func TestPerSecond(t *testing.T) {
	t.Parallel()
	pattern := func(unsigned uint64) int64 { return int64(unsigned) }
	for name, c := range map[string]struct {
		before, after int64
		width         uint8
		elapsed       time.Duration
		want          float64
		ok            bool
	}{
		"plain":                  {1000, 3000, 64, 2 * time.Second, 1000, true},
		"no width is 64":         {1000, 3000, 0, 2 * time.Second, 1000, true},
		"still":                  {7, 7, 64, time.Second, 0, true},
		"100 ms":                 {0, 10, 64, 100 * time.Millisecond, 100, true},
		"over the sign":          {math.MaxInt64, pattern(1<<63 + 9), 64, time.Second, 10, true},
		"wrap":                   {pattern(math.MaxUint64 - 9), 90, 64, time.Second, 100, true},
		"reset":                  {5_000_000, 10, 64, time.Second, 0, false},
		"reset to 0":             {5_000_000, 0, 64, time.Second, 0, false},
		"wrap of 32":             {1<<32 - 10, 90, 32, time.Second, 100, true},
		"reset of 32":            {1 << 20, 90, 32, time.Second, 0, false},
		"no reading before":      {perf.Missing, 90, 64, time.Second, 0, false},
		"no reading after":       {90, perf.Missing, 64, time.Second, 0, false},
		"no time":                {0, 90, 64, 0, 0, false},
		"time that goes back":    {0, 90, 64, -time.Second, 0, false},
		"large jump of 32":       {0, 1<<32 - 1, 32, time.Second, 1<<32 - 1, true},
		"large jump of 64":       {0, -1, 64, time.Second, math.MaxUint64, true},
		"fall in upper half":     {pattern(1<<63 + 5), 3, 64, time.Second, 1<<63 - 2, true},
		"just a wrap of 32":      {3 << 30, 1<<30 - 1, 32, time.Second, 1<<31 - 1, true},
		"half of 32":             {3 << 30, 1 << 30, 32, time.Second, 0, false},
		"just a wrap of 8":       {200, 71, 8, time.Second, 127, true},
		"half of 8":              {200, 72, 8, time.Second, 0, false},
		"rise by half of 8":      {72, 200, 8, time.Second, 128, true},
		"top of 63":              {1<<62 + 1, 0, 63, time.Second, 1<<62 - 1, true},
		"the upper half":         {pattern(1<<63 + 1), 0, 64, time.Second, 1<<63 - 1, true},
		"a nanosecond":           {0, 1, 64, 1, 1e9, true},
		"fall within upper half": {pattern(1<<63 + 5), pattern(1<<63 + 4), 64, time.Second, math.MaxUint64, true},
		"fall from lower half":   {1<<63 - 1, 3, 64, time.Second, 0, false},
	} {
		got, ok := perf.PerSecond(c.before, c.after, c.width, c.elapsed)
		if ok != c.ok || math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %v, %v; want %v, %v", name, got, ok, c.want, c.ok)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	before := &perf.Column{Time: start, Cells: []int64{1000, -40}}
	column := &perf.Column{Time: start.Add(time.Second), Cells: []int64{1500, -40}}
	late := &perf.Column{Time: start.Add(3 * time.Second), Missed: 2, Cells: []int64{2500, perf.Missing}}
	for name, c := range map[string]struct {
		series         perf.Series
		before, column *perf.Column
		want           float64
		ok             bool
	}{
		"rate":                {perf.Series{Kind: perf.Rate}, before, column, 500, true},
		"scaled rate":         {perf.Series{Kind: perf.Rate, Scale: 8}, before, column, 4000, true},
		"first":               {perf.Series{Kind: perf.Rate}, nil, column, 0, false},
		"after missed ones":   {perf.Series{Kind: perf.Rate}, column, late, 0, false},
		"gauge":               {perf.Series{Kind: perf.Gauge, Cell: 1, Scale: 0.1}, nil, column, -4, true},
		"gauge missed":        {perf.Series{Kind: perf.Gauge}, column, late, 2500, true},
		"gauge without value": {perf.Series{Kind: perf.Gauge, Cell: 1}, column, late, 0, false},
		"no such cell":        {perf.Series{Kind: perf.Gauge, Cell: 2}, before, column, 0, false},
		"cumulative":          {perf.Series{Kind: perf.Cumulative, Cell: 1}, before, column, math.MaxUint64 - 39, true},
	} {
		got, ok := c.series.Value(c.before, c.column)
		if ok != c.ok || ok && got != c.want || !ok && !math.IsNaN(got) {
			t.Errorf("%s: %v, %v; want %v, %v", name, got, ok, c.want, c.ok)
		}
	}
}
