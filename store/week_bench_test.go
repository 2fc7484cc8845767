package store

import (
	"context"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// BenchmarkWeek opens a session of seven days, with a sample of 10,204 series per second, and seeks in it like the console: to
// a sample and the ten minutes before it. Writing the session takes minutes: -benchtime 20x is enough.
func BenchmarkWeek(b *testing.B) {
	const cells, samples = 10_204, 7 * 86_400
	db := openNew(b, Options{})
	traffic := newTraffic(1, cells)
	id := recordDirectly(b, db, cells, samples, func(n int) *perf.Column {
		traffic.step()
		return column(n, traffic.cells...)
	})
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			source, err := db.Replay(b.Context(), id)
			if err != nil {
				b.Fatal(err)
			}
			ended := show(b, source, func(m *monitor.Monitor) {
				_, to, _ := m.Seekable()
				if err := m.Seek(b.Context(), to); err != nil {
					b.Fatal(err)
				}
			})
			<-ended
		}
	})
	b.Run("Seek", func(b *testing.B) {
		source, err := db.Replay(b.Context(), id)
		if err != nil {
			b.Fatal(err)
		}
		var slowest time.Duration
		ended := show(b, source, func(m *monitor.Monitor) {
			from, _, _ := m.Seekable()
			at := 0
			for b.Loop() {
				began := time.Now()
				at = (at + 370_003) % samples
				if err := m.Seek(b.Context(), from.Add(time.Duration(at)*time.Second)); err != nil {
					b.Fatal(err)
				}
				slowest = max(slowest, time.Since(began))
			}
		})
		<-ended
		b.ReportMetric(float64(slowest.Milliseconds()), "ms-worst")
	})
}

// show runs a paused monitor of a recording while work lasts.
func show(b *testing.B, source perf.Source, work func(m *monitor.Monitor)) (ended <-chan struct{}) {
	b.Helper()
	m, err := monitor.New(source, monitor.Options{Interval: time.Second})
	if err != nil {
		b.Fatal(err)
	}
	if err := m.SetPaused(true); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = m.Run(ctx)
	}()
	work(m)
	return done
}
