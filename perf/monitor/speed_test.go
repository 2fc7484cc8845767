package monitor_test

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

// samples counts the numbers in columns and keeps a checksum of each column, up to the wanted number.
type samples struct {
	wanted  int // numbers
	numbers int
	sums    []uint64 // of the columns with their times, in their order
	enough  chan struct{}
}

func (s *samples) Schema(*perf.Schema, *perf.Inventory) {}
func (s *samples) Events([]eventlog.Event)              {}
func (s *samples) Journal(driver.Entry)                 {}

// Column adds a column, up to the wanted number.
func (s *samples) Column(column *perf.Column) {
	if s.numbers >= s.wanted {
		return
	}
	text := binary.LittleEndian.AppendUint64(nil, uint64(column.Time.UnixNano()))
	for _, cell := range column.Cells {
		text = binary.LittleEndian.AppendUint64(text, uint64(cell))
	}
	sum := fnv.New64a()
	sum.Write(text)
	s.sums = append(s.sums, sum.Sum64())
	if s.numbers += len(column.Cells); s.numbers >= s.wanted {
		close(s.enough)
	}
}

// TestTheMillionthSampleIsTheSameAtAnySpeed samples the default lab like the console, with the same seed at speed 1 and at
// speed 1000, up to a million numbers: all columns must be equal. It uses the fake clock of a synctest bubble.
func TestTheMillionthSampleIsTheSameAtAnySpeed(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	watch := func(speed float64) *samples {
		seen := &samples{wanted: million}
		synctest.Test(t, func(t *testing.T) {
			seen.enough = make(chan struct{})
			description := description.Default()
			description.Epoch = start
			model, err := device.New(description, 42)
			if err != nil {
				t.Fatal(err)
			}
			source, err := lab.New(driver.NewHost(model))
			if err != nil {
				t.Fatal(err)
			}
			monitor, err := monitor.New(source, monitor.Options{Interval: time.Second, Speed: speed, Sink: seen})
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- monitor.Run(ctx) }()
			<-seen.enough
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			// Each column after the first is due a second of the lab after the one before.
			due := time.Duration(float64(len(seen.sums)-1) / speed * float64(time.Second))
			if took := time.Since(began); took < due || took > due+time.Second {
				t.Errorf("at speed %g %d columns took %s", speed, len(seen.sums), took)
			}
		})
		return seen
	}
	slow, fast := watch(1), watch(monitor.MaxSpeed)
	if slow.numbers < million || slow.numbers != fast.numbers || len(slow.sums) != len(fast.sums) {
		t.Fatalf("%d numbers in %d columns at speed 1, %d in %d at speed 1000", slow.numbers, len(slow.sums), fast.numbers, len(fast.sums))
	}
	for i := range slow.sums {
		if slow.sums[i] != fast.sums[i] {
			t.Fatalf("column %d of %d differs", i, len(slow.sums))
		}
	}
}
