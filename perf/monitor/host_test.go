package monitor_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

// TestHostIsSaved checks that the host is saved after each attempted change and at the end, that ReadHost works in between, and that
// earlier changes of the host stay in the journal.
func TestHostIsSaved(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(model)
	pull := driver.Plan{Title: "Pull", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	if _, err := host.Apply(pull); err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(host)
	if err != nil {
		t.Fatal(err)
	}
	var kept []int // entries in the journal at each save
	m, err := monitor.New(source, monitor.Options{
		Interval: 100 * time.Millisecond, Saver: saver(func(h *driver.Host) { kept = append(kept, len(h.Journal())) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	if len(m.Journal()) != 1 {
		t.Errorf("the journal begins with %v", m.Journal())
	}
	if _, err := m.Apply(ctx, pull); err == nil {
		t.Error("a cable was pulled twice")
	}
	if _, err := m.Undo(ctx); err != nil {
		t.Error(err)
	}
	seen := 0
	if err := m.ReadHost(ctx, func(h *driver.Host) error { seen = len(h.Journal()); return nil }); err != nil || seen != 3 {
		t.Errorf("%d entries, %v", seen, err)
	}
	wrong := errors.New("wrong")
	if err := m.ReadHost(ctx, func(*driver.Host) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	for samples := m.Status().Samples; m.Status().Samples == samples; {
		<-m.Updates()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !slices.Equal(kept, []int{2, 3, 3}) {
		t.Errorf("kept %v", kept)
	}
}
