package viewtest

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/views/deck"
)

// seed is the seed of every lab on a stage.
const seed = 7

// Lab returns the default lab as a source.
func Lab(t testing.TB) *lab.Source {
	t.Helper()
	model, err := device.New(description.Default(), seed)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// PlainLab returns the default lab without virtual switches, so that every port can join a team.
func PlainLab(t testing.TB) *lab.Source {
	t.Helper()
	d := description.Default()
	for i := range d.Adapters {
		for j := range d.Adapters[i].Ports {
			d.Adapters[i].Ports[j].VirtualFunctions = 0
		}
	}
	model, err := device.New(d, seed)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// Watch monitors a source at a speed until the test ends, and returns a deck with its data.
func Watch(t testing.TB, source perf.Source, speed float64) *deck.Deck {
	t.Helper()
	return WatchWith(t, source, monitor.Options{Interval: time.Second, Speed: speed})
}

// waitingSpeed is the speed of a lab while a test waits, idleSpeed its speed otherwise. If the lab were always fast, on
// a loaded machine minutes would pass between two keys.
const idleSpeed, waitingSpeed = 0.2, 50

// Run is Watch for a test that changes the host: the lab runs fast only while the test waits.
func Run(t testing.TB, source perf.Source) *deck.Deck {
	t.Helper()
	return Watch(t, source, idleSpeed)
}

// WatchWith is Watch with all choices for the monitor.
func WatchWith(t testing.TB, source perf.Source, options monitor.Options) *deck.Deck {
	t.Helper()
	monitor, err := monitor.New(source, options)
	if err != nil {
		t.Fatal(err)
	}
	d := &deck.Deck{Live: monitor, NoDB: "the test keeps none.", Now: func() time.Time { return monitor.Status().Now }}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = monitor.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		if err := d.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return d
}

// WatchLab runs the lab for a number of samples and stops it: a picture always shows the same time.
func WatchLab(t testing.TB, samples int, changes map[int]driver.Operation) *deck.Deck {
	t.Helper()
	d := Watch(t, NewFiniteLab(t, samples, changes), monitor.MaxSpeed)
	AwaitEnd(t, d)
	return d
}

// AwaitEnd waits until the deck's source has ended.
func AwaitEnd(t testing.TB, d *deck.Deck) {
	t.Helper()
	deadline := time.After(waitTimeout)
	for !d.Live.Status().Ended {
		select {
		case <-d.Live.Updates():
		case <-deadline:
			t.Fatalf("the source did not end: %+v", d.Live.Status())
		}
	}
}

// FreezeLab runs the lab for a number of samples. The status is then that of a running lab at normal speed, but no further
// sample follows. sink receives the recording, and may be nil.
func FreezeLab(t testing.TB, samples int, changes map[int]driver.Operation, sink monitor.Sink) *deck.Deck {
	t.Helper()
	d, release := PauseLab(t, samples, changes, sink)
	release()
	return d
}

// PauseLab is FreezeLab in two steps: until release is called the lab is paused, answers requests and accepts changes;
// after that it does neither.
func PauseLab(t testing.TB, samples int, changes map[int]driver.Operation, sink monitor.Sink) (d *deck.Deck, release func()) {
	t.Helper()
	pause := make(chan *monitor.Monitor, 1)
	f := &finiteLab{Source: Lab(t), t: t, samples: samples, changes: changes, pause: pause}
	d = WatchWith(t, f, monitor.Options{Interval: time.Second, Speed: monitor.MaxSpeed, Sink: sink})
	pause <- d.Live
	deadline := time.After(waitTimeout)
	for d.Live.Status().Samples < uint64(samples) {
		select {
		case <-d.Live.Updates():
		case <-deadline:
			t.Fatalf("the lab took only %d samples", d.Live.Status().Samples)
		}
	}
	return d, func() {
		if err := errors.Join(d.Live.SetSpeed(1), d.Live.SetPaused(false)); err != nil {
			t.Fatal(err)
		}
	}
}

// NewFiniteLab returns a lab that ends after a number of samples. The key of a change is the sample before which it is
// applied.
func NewFiniteLab(t testing.TB, samples int, changes map[int]driver.Operation) perf.Source {
	t.Helper()
	return &finiteLab{Source: Lab(t), t: t, samples: samples, changes: changes}
}

// finiteLab is a source that ends, for NewFiniteLab and PauseLab.
type finiteLab struct {
	*lab.Source
	t       testing.TB
	sampled int
	samples int
	changes map[int]driver.Operation
	// pause is the monitor to pause after the last sample; nil if the source ends instead.
	pause <-chan *monitor.Monitor
}

// afterBatch is longer than a monitor's batch of columns, after which the monitor checks whether it is paused.
const afterBatch = 50 * time.Millisecond

func (f *finiteLab) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	if f.sampled == f.samples {
		if f.pause != nil {
			<-ctx.Done()
			return ctx.Err()
		}
		return io.EOF
	}
	if change := f.changes[f.sampled]; change != nil {
		if _, err := f.Host().Apply(driver.Plan{Title: change.Describe(), Operations: []driver.Operation{change}}); err != nil {
			f.t.Error(err)
		}
	}
	f.sampled++
	if f.sampled == f.samples && f.pause != nil {
		if err := (<-f.pause).SetPaused(true); err != nil {
			return err
		}
		time.Sleep(afterBatch)
	}
	return f.Source.Next(ctx, interval, column)
}
