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

// PlainLab is Lab without virtual functions: no port has a virtual switch, and every one can join a team.
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

// Watch runs a monitor of a source at a speed until the test ends, and gives a deck that shows it.
func Watch(t testing.TB, source perf.Source, speed float64) *deck.Deck {
	t.Helper()
	return WatchWith(t, source, monitor.Options{Interval: time.Second, Speed: speed})
}

// restingSpeed is the speed of a lab between the waits of a test, however slow the machine is, and waitingSpeed the one
// while it waits. Were it always fast, a loaded machine would let minutes pass between two keys.
const restingSpeed, waitingSpeed = 0.2, 50

// Run is Watch for a test that changes the host: time passes while the test waits for something.
func Run(t testing.TB, source perf.Source) *deck.Deck {
	t.Helper()
	return Watch(t, source, restingSpeed)
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

// WatchLab runs the lab for so many samples and stops it there: a fixed time for a picture.
func WatchLab(t testing.TB, samples int, changes map[int]driver.Operation) *deck.Deck {
	t.Helper()
	d := Watch(t, Film(t, samples, changes), monitor.MaxSpeed)
	AwaitEnd(t, d)
	return d
}

// AwaitEnd waits until the deck's source has come to its end.
func AwaitEnd(t testing.TB, d *deck.Deck) {
	t.Helper()
	deadline := time.After(patience)
	for !d.Live.Status().Ended {
		select {
		case <-d.Live.Updates():
		case <-deadline:
			t.Fatalf("the source did not come to its end: %+v", d.Live.Status())
		}
	}
}

// Still runs the lab for so many samples and leaves it as an operator would meet it: at its own speed and not at an
// end, but without another sample. sink takes what is recorded, and may be nil.
func Still(t testing.TB, samples int, changes map[int]driver.Operation, sink monitor.Sink) *deck.Deck {
	t.Helper()
	d, release := Hold(t, samples, changes, sink)
	release()
	return d
}

// Hold is Still in two steps: until release is called the lab is paused, and answers what it is asked and takes
// changes; from then on it does neither.
func Hold(t testing.TB, samples int, changes map[int]driver.Operation, sink monitor.Sink) (d *deck.Deck, release func()) {
	t.Helper()
	hold := make(chan *monitor.Monitor, 1)
	f := &film{Source: Lab(t), t: t, left: samples, changes: changes, hold: hold}
	d = WatchWith(t, f, monitor.Options{Interval: time.Second, Speed: monitor.MaxSpeed, Sink: sink})
	hold <- d.Live
	deadline := time.After(patience)
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

// Film returns a lab that ends after so many samples, with changes applied before some of them.
func Film(t testing.TB, samples int, changes map[int]driver.Operation) perf.Source {
	t.Helper()
	return &film{Source: Lab(t), t: t, left: samples, changes: changes}
}

// film is a lab that ends.
type film struct {
	*lab.Source
	t       testing.TB
	taken   int
	left    int
	changes map[int]driver.Operation
	// hold is the monitor that pauses after its last sample; nil for one that ends there.
	hold <-chan *monitor.Monitor
}

// afterBatch is longer than a monitor takes columns in one go: before the next it looks whether it is paused.
const afterBatch = 50 * time.Millisecond

func (f *film) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	if f.taken == f.left {
		if f.hold != nil {
			<-ctx.Done()
			return ctx.Err()
		}
		return io.EOF
	}
	if change := f.changes[f.taken]; change != nil {
		if _, err := f.Host().Apply(driver.Plan{Title: change.Describe(), Operations: []driver.Operation{change}}); err != nil {
			f.t.Error(err)
		}
	}
	f.taken++
	if f.taken == f.left && f.hold != nil {
		if err := (<-f.hold).SetPaused(true); err != nil {
			return err
		}
		time.Sleep(afterBatch)
	}
	return f.Source.Next(ctx, interval, column)
}
