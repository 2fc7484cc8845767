package perf

import (
	"testing"
	"time"
)

// BenchmarkWatch is one column with 1000 series watched.
func BenchmarkWatch(b *testing.B) {
	var series []Series
	for i := range 1000 {
		series = append(series, Series{Set: "S", Instance: time.Duration(i).String(), Counter: "C", Kind: Rate, Cell: i})
	}
	schema, err := NewSchema(1, len(series), series)
	if err != nil {
		b.Fatal(err)
	}
	var w watcher
	w.set([]Threshold{{Path: `\S(*)\*`, Level: 10, Clear: 5}}, 1, schema)
	before, column := Column{Time: time.Unix(0, 0)}, Column{Time: time.Unix(1, 0)}
	before.Grow(1000)
	column.Grow(1000)
	for i := range 1000 {
		before.Cells[i], column.Cells[i] = 0, 1
	}
	b.ReportAllocs()
	for b.Loop() {
		w.look(schema, &before, &column)
	}
}
