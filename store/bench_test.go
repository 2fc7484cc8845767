package store

import (
	"context"
	"database/sql"
	"os"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store/codec"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// BenchmarkIngest measures the rate of samples from the queue into the file, with chunks, frames and commits.
func BenchmarkIngest(b *testing.B) {
	const cells = 20_000
	db := openNew(b, Options{})
	log := writerOf(b, db)
	log.add([]item{{schema: schemaOf(b, 1, cells), inventory: &perf.Inventory{}}})
	traffic := newTraffic(1, cells)
	columns := make([]*perf.Column, codec.WindowSamples)
	for i := range columns {
		traffic.step()
		columns[i] = column(i, append([]int64(nil), traffic.cells...)...)
	}
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for b.Loop() {
		for _, c := range columns {
			c.Time = start.Add(time.Duration(n) * time.Second)
			n++
			log.addColumn(c)
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

// recordDirectly writes a session at full speed, without the queue.
func recordDirectly(b *testing.B, db *DB, cells, samples int, step func(n int) *perf.Column) int64 {
	b.Helper()
	log := writerOf(b, db)
	log.add([]item{{schema: schemaOf(b, 1, cells), inventory: &perf.Inventory{}}})
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

// writerOf starts a session without the writer goroutine: the benchmark writes and commits itself, without the pause of a
// second.
func writerOf(b testing.TB, db *DB) *sessionWriter {
	b.Helper()
	var session int64
	err := db.write(b.Context(), func(tx *sql.Tx) (err error) {
		session, err = sessions.Insert(b.Context(), tx, perf.SourceInfo{}, time.Second, "", start)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	log, err := newSessionWriter(b.Context(), db.writer, session)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(log.close)
	return log
}

// BenchmarkReadSeries24h reads a day of one series from a session of 1,000 series.
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

// BenchmarkBytesPerSample measures the file size per sample for an hour of synthetic traffic.
func BenchmarkBytesPerSample(b *testing.B) {
	const cells, samples = 5000, 3600
	for b.Loop() {
		db := openNew(b, Options{})
		traffic := newTraffic(1, cells)
		recordDirectly(b, db, cells, samples, func(n int) *perf.Column {
			traffic.step()
			return column(n, traffic.cells...)
		})
		if err := sqlite.Checkpoint(context.Background(), db.writer); err != nil {
			b.Fatal(err)
		}
		file, err := os.Stat(db.Path())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(file.Size())/cells/samples, "B/sample")
	}
}

// BenchmarkLabBytesPerSample measures the file size per sample for the default lab: in short and long sessions, quiet ones, and
// busy ones in which an operator pulls cables and restarts adapters.
func BenchmarkLabBytesPerSample(b *testing.B) {
	for _, c := range []struct {
		name    string
		samples int
		busy    bool
	}{
		{"10min", 600, false}, {"1h", 3600, false}, {"10minBusy", 600, true}, {"1hBusy", 3600, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				db := openNew(b, Options{})
				cells := recordLab(b, db, c.samples, c.busy)
				if err := sqlite.Checkpoint(b.Context(), db.writer); err != nil {
					b.Fatal(err)
				}
				file, err := os.Stat(db.Path())
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(file.Size())/float64(cells)/float64(c.samples), "B/sample")
			}
		})
	}
}

// recordLab records the default lab at full speed, and returns the length of its columns. In a busy session a cable is pulled
// or an adapter restarted every minute.
func recordLab(b *testing.B, db *DB, samples int, busy bool) (cells int) {
	b.Helper()
	model, err := device.New(description.Default(), 1)
	if err != nil {
		b.Fatal(err)
	}
	host := driver.NewHost(model)
	source, err := lab.New(host)
	if err != nil {
		b.Fatal(err)
	}
	log := writerOf(b, db)
	var connections []string
	for _, port := range source.Inventory().Nodes {
		if port.Kind == perf.PortNode {
			connections = append(connections, port.Name)
		}
	}
	var c perf.Column
	var inventory *perf.Inventory
	for n := range samples {
		if busy && n%60 == 30 {
			connection := connections[n/60%len(connections)]
			change := []driver.Operation{hardware.PullCable{Connection: connection}, hardware.PlugCable{Connection: connection},
				adapters.RestartAdapter{Connection: connection}}[n/60/len(connections)%3]
			entry, err := host.Apply(driver.Plan{Title: "Disturb", Operations: []driver.Operation{change}})
			if err != nil {
				b.Fatal(err)
			}
			log.add([]item{{entry: &entry}})
		}
		if err := source.Next(b.Context(), time.Second, &c); err != nil {
			b.Fatal(err)
		}
		if source.Inventory() != inventory {
			inventory = source.Inventory()
			log.add([]item{{schema: source.Schema(), inventory: inventory}})
		}
		for _, event := range source.Events() {
			log.add([]item{{event: &event}})
		}
		log.addColumn(&c)
		if log.samples%10 == 0 {
			if err := log.commit(db.writer, start); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := log.finish(db.writer, start); err != nil {
		b.Fatal(err)
	}
	return len(c.Cells)
}
