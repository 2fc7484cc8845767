package store

import (
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/compare"
)

// BenchmarkWhatChanged ranks 10,000 series by how much they differ between a minute and the four before it, and between an
// hour and the four before it, from disk.
func BenchmarkWhatChanged(b *testing.B) {
	const cells, hours = 10_000, 5
	db := openNew(b, Options{})
	traffic := newTraffic(1, cells)
	recorder := begin(b, db)
	recorder.Schema(schemaOf(b, 1, cells), &perf.Inventory{})
	for n := range hours * 3600 {
		traffic.step()
		recorder.Column(column(n, traffic.cells...))
		if n%100 == 0 {
			waitEmpty(b, recorder)
		}
	}
	closeRecorder(b, recorder)
	source := replayOf(b, db, 1)
	_, newest := source.(perf.Seeker).Span()
	for _, c := range []struct {
		name   string
		length time.Duration
	}{{"minute", time.Minute}, {"hour", time.Hour - time.Minute}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				in := compare.Range{From: newest.Add(-c.length), To: newest}
				before := in.Before()
				step := compare.Step(time.Second, c.length)
				var sides [2]compare.Side
				for i, in := range []compare.Range{before, in} {
					schema, summaries, err := compare.Read(b.Context(), source, in, time.Second, step)
					if err != nil {
						b.Fatal(err)
					}
					sides[i] = compare.Side{Schema: schema, Summaries: summaries}
				}
				if found := compare.Rank(sides[0], sides[1], nil); len(found) == 0 {
					b.Fatal("nothing moved")
				}
			}
		})
	}
}
