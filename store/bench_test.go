package store

import (
	"context"
	"database/sql"
	"os"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
)

// BenchmarkIngest measures how fast samples go from the queue into the file, chunks, frames and commits included.
func BenchmarkIngest(b *testing.B) {
	const cells = 20_000
	db := openNew(b, Options{})
	log := writerOf(b, db, cells)
	traffic := newTraffic(1, cells)
	columns := make([]*perf.Column, windowSamples)
	for i := range columns {
		traffic.step()
		columns[i] = column(i, append([]int64(nil), traffic.cells...)...)
	}
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for b.Loop() {
		for _, one := range columns {
			one.Time = start.Add(time.Duration(n) * time.Second)
			n++
			log.addColumn(one)
			if n%10 == 0 {
				if err := log.commit(db.writer, start); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.ReportMetric(float64(n)*cells/b.Elapsed().Seconds(), "samples/s")
	b.ReportMetric(0, "ns/op")
}

// recordDirectly writes a session as fast as it goes, without the queue.
func recordDirectly(b *testing.B, db *DB, cells, samples int, step func(n int) *perf.Column) int64 {
	b.Helper()
	log := writerOf(b, db, cells)
	for n := range samples {
		log.addColumn(step(n))
		if log.size() > 4<<20 {
			if err := log.commit(db.writer, start); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := log.finish(db.writer, start); err != nil {
		b.Fatal(err)
	}
	return log.session
}

// writerOf starts a session without the writer goroutine, whose work the benchmark does itself, and without the
// second between its commits.
func writerOf(b *testing.B, db *DB, cells int) *journalist {
	b.Helper()
	var session int64
	err := db.write(b.Context(), func(tx *sql.Tx) (err error) {
		session, err = insertSession(b.Context(), tx, perf.SourceInfo{}, time.Second, "", start)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	log, err := newJournalist(db.writer, session)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(log.close)
	log.add([]item{{schema: schemaOf(b, 1, cells), inventory: &perf.Inventory{}}})
	if err := log.commit(db.writer, start); err != nil {
		b.Fatal(err)
	}
	return log
}

// BenchmarkReadSeries24h reads a day of one series out of a session of a thousand.
func BenchmarkReadSeries24h(b *testing.B) {
	const cells, samples = 1000, 86_400
	db := openNew(b, Options{})
	traffic := newTraffic(1, cells)
	id := recordDirectly(b, db, cells, samples, func(n int) *perf.Column {
		traffic.step()
		return column(n, traffic.cells...)
	})
	source := replayOf(b, db, id).(perf.RangeReader)
	var points []perf.Point
	b.ResetTimer()
	series := 0
	for b.Loop() {
		var err error
		series = (series + 101) % cells
		points, err = source.ReadRange(context.Background(), series, start, start.Add(24*time.Hour), points[:0])
		if err != nil || len(points) < samples {
			b.Fatal(len(points), err)
		}
	}
}

// BenchmarkBytesPerSample measures the file an hour of synthetic traffic makes, divided by its samples.
func BenchmarkBytesPerSample(b *testing.B) {
	const cells, samples = 5000, 3600
	for b.Loop() {
		db := openNew(b, Options{})
		traffic := newTraffic(1, cells)
		recordDirectly(b, db, cells, samples, func(n int) *perf.Column {
			traffic.step()
			return column(n, traffic.cells...)
		})
		if err := checkpoint(context.Background(), db.writer); err != nil {
			b.Fatal(err)
		}
		file, err := os.Stat(db.Path())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(file.Size())/cells/samples, "B/sample")
	}
}

// BenchmarkLabBytesPerSample measures the file an hour of the default lab makes, divided by its samples.
func BenchmarkLabBytesPerSample(b *testing.B) {
	const samples = 3600
	for b.Loop() {
		lab, err := device.New(device.Default(), 1)
		if err != nil {
			b.Fatal(err)
		}
		source, err := perf.NewLabSource(driver.NewHost(lab))
		if err != nil {
			b.Fatal(err)
		}
		db := openNew(b, Options{})
		log := writerOf(b, db, 1)
		var one perf.Column
		var inventory *perf.Inventory
		inventories := 0
		for range samples {
			if err := source.Next(b.Context(), time.Second, &one); err != nil {
				b.Fatal(err)
			}
			if source.Inventory() != inventory {
				inventory = source.Inventory()
				inventories++
				log.add([]item{{schema: source.Schema(), inventory: inventory}})
			}
			log.addColumn(&one)
			if log.samples%10 == 0 {
				if err := log.commit(db.writer, start); err != nil {
					b.Fatal(err)
				}
			}
		}
		if err := log.finish(db.writer, start); err != nil {
			b.Fatal(err)
		}
		if err := checkpoint(b.Context(), db.writer); err != nil {
			b.Fatal(err)
		}
		file, err := os.Stat(db.Path())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(file.Size())/float64(len(one.Cells))/samples, "B/sample")
		b.Log(len(one.Cells), "cells", len(source.Schema().Series), "series", inventories, "inventories", file.Size(), "bytes", log.totals)
	}
}
