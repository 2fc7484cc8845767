package threshold

import (
	"testing"
	"time"

	"cxdeck/perf"
)

// BenchmarkWatch checks one column with 1000 watched series.
func BenchmarkWatch(b *testing.B) {
	var series []perf.Series
	for i := range 1000 {
		series = append(series, perf.Series{Set: "S", Instance: time.Duration(i).String(), Counter: "C", Kind: perf.Rate, Cell: i})
	}
	schema, err := perf.NewSchema(1, len(series), series)
	if err != nil {
		b.Fatal(err)
	}
	var w Watcher
	w.Set([]Rule{{Path: `\S(*)\*`, Level: 10, Clear: 5}}, 1, schema)
	before, column := perf.Column{Time: time.Unix(0, 0)}, perf.Column{Time: time.Unix(1, 0)}
	before.Grow(1000)
	column.Grow(1000)
	for i := range 1000 {
		before.Cells[i], column.Cells[i] = 0, 1
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Check(schema, &before, &column)
	}
}
