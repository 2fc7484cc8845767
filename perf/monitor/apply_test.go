package monitor_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

func TestMonitorAppliesAndUndoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model, err := device.New(description.Default(), 1)
		if err != nil {
			t.Fatal(err)
		}
		host := driver.NewHost(model)
		host.SetActor(driver.Actor{By: "owner", Run: "r"})
		source, err := lab.New(host)
		if err != nil {
			t.Fatal(err)
		}
		m := running(t, source, monitor.Options{})
		pass(2 * time.Second)
		if !m.Operable() {
			t.Fatal("the lab can't be changed")
		}
		before := len(m.Events(0, 1000))
		plan := driver.Plan{Title: "Pull a cable", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
		entry, err := m.Apply(t.Context(), plan)
		if err != nil || entry.Sequence != 1 {
			t.Fatalf("%+v, %v", entry, err)
		}
		pass(2 * time.Second)
		if len(m.Events(0, 1000)) <= before {
			t.Error("there is no event for the link that went down")
		}
		if failed, err := m.Apply(t.Context(), plan); err == nil || failed.Err == "" {
			t.Errorf("the cable was pulled twice: %+v, %v", failed, err)
		}
		undone, err := m.Undo(t.Context())
		if err != nil || undone.Undoes != 1 {
			t.Errorf("%+v, %v", undone, err)
		}
		if _, err := m.Undo(t.Context()); !errors.Is(err, journal.ErrNothingToUndo) {
			t.Errorf("a second undo: %v", err)
		}
		if journal := m.Journal()[:3]; journal[0].By != "owner" || journal[1].Err == "" || journal[2].Undoes != 1 {
			t.Errorf("journal %+v", journal)
		}
	})
}
