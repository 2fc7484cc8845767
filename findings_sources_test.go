package main

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/perf/lab"
	"cxdeck/store"
)

// recordLab records 50 s of the default lab after Operations, in which it loses no link, and returns the recording. Without topology its inventory is empty.
func recordLab(t *testing.T, topology bool, operations ...driver.Operation) perf.Source {
	t.Helper()
	made, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(made)
	host.Advance(time.Minute)
	if len(operations) > 0 {
		if _, err := host.Apply(driver.Plan{Title: "test", Operations: operations}); err != nil {
			t.Fatal(err)
		}
	}
	source, err := lab.New(host)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), store.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	recorder, err := db.Begin(t.Context(), source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	for range 50 {
		if err := source.Next(t.Context(), time.Second, &column); err != nil {
			t.Fatal(err)
		}
		inventory := source.Inventory()
		if !topology {
			inventory = &perf.Inventory{Host: inventory.Host}
		}
		recorder.Schema(source.Schema(), inventory)
		recorder.Column(&column)
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	sessions, err := db.Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions: %v", len(sessions), err)
	}
	recording, err := db.Replay(t.Context(), sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recording.Close() })
	return recording
}

// TestRecordingsAreDiagnosed holds that rules on counters run on recorded sessions, that a recording of a healthy host has no
// finding, and that one without topology is refused.
func TestRecordingsAreDiagnosed(t *testing.T) {
	t.Parallel()
	damage := hardware.SetFault{Connection: "Ethernet 7", Fault: description.BadCable, Share: 0.5}
	noWait := func(context.Context, time.Duration) error { return nil }
	report, err := observe.OfSource(t.Context(), recordLab(t, true, damage), noWait)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) == 0 || report.Findings[0].Subject.Name != "Ethernet 7" || report.Findings[0].Rule.ID != "damaged-frames" {
		t.Errorf("the findings of a recorded bad cable are %v", titles(report.Findings))
	}
	report, err = observe.OfSource(t.Context(), recordLab(t, true), noWait)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Severity > 0 {
			t.Errorf("the finding %s is invented", f.Title)
		}
	}
	if _, err := observe.OfSource(t.Context(), recordLab(t, false, damage), noWait); !errors.Is(err, observe.ErrNoTopology) {
		t.Errorf("a recording without topology: %v", err)
	}
}

func titles(list []*findings.Finding) (all []string) {
	for _, f := range list {
		all = append(all, f.Title)
	}
	return all
}
