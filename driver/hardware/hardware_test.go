package hardware_test

import (
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
)

// TestInverses holds that the inverse of an Operation restores what it changed, and that an Operation that can't be undone has none.
func TestInverses(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	const winOF, winOF2 = "Ethernet 3", "Ethernet 7"
	for _, o := range []driver.Operation{
		hardware.PullCable{Connection: winOF2}, hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 1, Lanes: 2},
		hardware.SetProcessorSpeed{Connection: winOF2, Speed: 0.5}, hardware.SetFault{Connection: winOF2, Fault: description.BadCable, Share: 0.5},
		hardware.SetFault{Connection: winOF, Fault: description.SendHang, Share: 1},
	} {
		entry, err := h.Apply(driver.Plan{Title: "Change", Operations: []driver.Operation{o}})
		if err != nil || len(entry.Inverse.Operations) != 1 {
			t.Fatalf("%s: %+v, %v", o.Describe(), entry.Inverse, err)
		}
		if _, err := h.Undo(); err != nil {
			t.Errorf("undo of %s: %v", o.Describe(), err)
		}
	}
	entry, err := h.Apply(driver.Plan{Title: "Clear", Operations: []driver.Operation{
		hardware.ResetStatistics{Connection: winOF, Which: hardware.GlobalStatistics}, hardware.ResetStatistics{Connection: winOF, Which: hardware.AllStatistics},
	}})
	if err != nil || len(entry.Inverse.Operations) != 0 {
		t.Errorf("statistics that are cleared come back by %+v, %v", entry.Inverse, err)
	}
	for _, o := range []driver.Operation{
		hardware.PlugCable{Connection: winOF2}, hardware.StopCapture{Connection: winOF}, hardware.EmptyCapture{Connection: winOF},
		hardware.StartCapture{Connection: winOF2, Packets: 1, Bytes: 64}, hardware.ResetStatistics{Connection: winOF2, Which: hardware.AllStatistics},
	} {
		if _, err := h.Apply(driver.Plan{Title: "Change", Operations: []driver.Operation{o}}); err == nil {
			t.Errorf("%s is possible", o.Describe())
		}
	}
}
