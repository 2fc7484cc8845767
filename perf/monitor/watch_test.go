package monitor

import (
	"context"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/perf/threshold"
)

// watchedSource records calls of Watch.
type watchedSource struct {
	*lab.Source
	newlyWatched chan []int
}

func (s watchedSource) Watch(series []int) { s.newlyWatched <- slices.Clone(series) }

// TestMonitorPassesWatchedSeries: the source gets the series of screens and thresholds, but not series that are only sampled.
func TestMonitorPassesWatchedSeries(t *testing.T) {
	t.Parallel()
	hardware, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	model, err := lab.New(driver.NewHost(hardware))
	if err != nil {
		t.Fatal(err)
	}
	source := watchedSource{model, make(chan []int, 8)}
	const path = `\Mellanox WinOF-2 Rss Counters(Ethernet 7 VPort_0 Total)\Rss IPv4/Tcp`
	wanted, ok := source.Schema().Find(path)
	if !ok {
		t.Fatalf("there is no %s", path)
	}
	m, err := New(source, Options{
		Interval: time.Second, Thresholds: []threshold.Rule{{Path: path, Level: 1e12, Clear: 1e11}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = m.Run(ctx)
	}()
	if got := <-source.newlyWatched; !slices.Equal(got, []int{wanted}) {
		t.Errorf("the threshold watches %v, want %d", got, wanted)
	}
	m.Watch(3, 4)
	for got := range source.newlyWatched {
		if slices.Equal(got, []int{3, 4}) {
			break
		}
	}
	cancel()
	<-ended
}
