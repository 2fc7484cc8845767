package monitor_test

import (
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/scenes"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

func TestMonitorPublishesTheLab(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model, err := device.New(description.Default(), 1)
		if err != nil {
			t.Fatal(err)
		}
		source, err := lab.New(driver.NewHost(model))
		if err != nil {
			t.Fatal(err)
		}
		monitor := running(t, source, monitor.Options{})
		pass(5 * time.Second)
		first := monitor.Lab()
		flow := first.Flows[0]
		if len(first.Recent) < 5 || len(first.Scenes) != len(scenes.All()) || flow.Scale != 1 || flow.ReceiveRate+flow.SendRate == 0 {
			t.Fatalf("%d columns, %d scenes, %+v", len(first.Recent), len(first.Scenes), flow)
		}
		if err := monitor.SetPaused(true); err != nil {
			t.Fatal(err)
		}
		entry, err := monitor.Apply(t.Context(), driver.Plan{Title: "Stop", Operations: []driver.Operation{fabric.ScaleFlow{Flow: flow.Name}}})
		if err != nil || monitor.Lab().Flows[0].Scale != 0 {
			t.Errorf("after a change while paused, the scale is %g, %v", monitor.Lab().Flows[0].Scale, err)
		}
		if first.Flows[0].Scale != 1 {
			t.Error("a published state changed")
		}
		if _, err := monitor.UndoEntry(t.Context(), entry.Sequence); err != nil || monitor.Lab().Flows[0].Scale != 1 {
			t.Errorf("after the undo, the scale is %g, %v", monitor.Lab().Flows[0].Scale, err)
		}
		if err := monitor.SetPaused(false); err != nil {
			t.Fatal(err)
		}
		length := len(first.Recent)
		pass(3 * time.Minute)
		state := monitor.Lab()
		if n := len(state.Recent); n < 55 || n > 62 {
			t.Errorf("the newest minute has %d columns", n)
		}
		if len(first.Recent) != length {
			t.Error("a published list grew")
		}
		for i := 1; i < len(state.Recent); i++ {
			if !state.Recent[i].Time.After(state.Recent[i-1].Time) {
				t.Fatal("the times of the columns do not rise")
			}
		}
	})
}
