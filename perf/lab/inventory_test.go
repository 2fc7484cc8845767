package lab

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf"
)

// TestTheInventoryShowsSettingsOfPorts checks that the inventory shows a change: first as pending, and after the restart as the
// new setting.
func TestTheInventoryShowsSettingsOfPorts(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	next := func(times int) {
		t.Helper()
		for range times {
			if err := l.Next(t.Context(), time.Second, &column); err != nil {
				t.Fatal(err)
			}
		}
	}
	apply := func(operations ...driver.Operation) {
		t.Helper()
		if _, err := l.Host().Apply(driver.Plan{Title: "Test", Operations: operations}); err != nil {
			t.Fatal(err)
		}
	}
	node := func() perf.Node {
		for _, n := range l.Inventory().Nodes {
			if n.Name == "Ethernet 7" {
				return n
			}
		}
		t.Fatal("there is no Ethernet 7")
		return perf.Node{}
	}
	want := func(label, value string) {
		t.Helper()
		for _, f := range node().Identity {
			if f.Label == label {
				if !strings.Contains(f.Value, value) {
					t.Errorf("%s is %q, want %q", label, f.Value, value)
				}
				return
			}
		}
		t.Errorf("there is no %s", label)
	}
	next(2)
	want("RSS", "8 queues")
	want("Pause", "PFC on 3")
	want("PCIe", "Gen3 x16")
	apply(hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 2, Lanes: 4},
		edit.SetValue{Connection: "Ethernet 7", Key: "*NumRSSQueues", Value: "4"})
	next(1)
	want("PCIe", "Gen2 x4")
	want("RSS", "8 queues")
	if pending := node().Pending; !strings.Contains(pending, "*NumRSSQueues") {
		t.Errorf("pending is %q", pending)
	}
	apply(adapters.RestartAdapter{Connection: "Ethernet 7"})
	next(10)
	want("RSS", "4 queues")
	if pending := node().Pending; pending != "" {
		t.Errorf("after the restart %q still waits", pending)
	}
}
