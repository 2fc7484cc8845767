package lab

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
)

// TestFunctionsBeyondTheDescriptionGetSeries opens virtual functions at a port whose description has none: each gets its
// series.
func TestFunctionsBeyondTheDescriptionGetSeries(t *testing.T) {
	t.Parallel()
	hardware, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	lab, err := New(driver.NewHost(hardware))
	if err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for _, s := range lab.Schema().Series {
			if strings.HasPrefix(s.Instance, "Ethernet 10 VF ") {
				n++
			}
		}
		return n
	}
	if count() != 0 {
		t.Fatal("a port without virtual functions has series for some")
	}
	if _, err := lab.Host().Apply(driver.Plan{Title: "open", Operations: []driver.Operation{
		virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "5"}}},
		edit.SetValue{Connection: "Ethernet 10", Key: "*SRIOV", Value: "1"}, adapters.Reboot{Host: "LAB-N4"},
	}}); err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	for range 2 { // the first call reads without waiting
		if err := lab.Next(t.Context(), 2*time.Minute, &column); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(); n == 0 || n%5 != 0 {
		t.Errorf("5 functions have %d series", n)
	}
	values := func() (numbers, missing int) {
		for _, s := range lab.Schema().Series {
			switch at := strings.HasPrefix(s.Instance, "Ethernet 10 VF "); {
			case at && column.Cells[s.Cell] == perf.Missing:
				missing++
			case at:
				numbers++
			}
		}
		return numbers, missing
	}
	if numbers, missing := values(); numbers == 0 || missing > 0 {
		t.Errorf("of functions that are open %d values are there and %d are missing", numbers, missing)
	}
	if _, err := lab.Host().Apply(driver.Plan{Title: "close", Operations: []driver.Operation{
		virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "0"}}}, adapters.Reboot{Host: "LAB-N4"},
	}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := lab.Next(t.Context(), 2*time.Minute, &column); err != nil {
			t.Fatal(err)
		}
	}
	if numbers, missing := values(); numbers > 0 || missing == 0 {
		t.Errorf("of functions that are closed %d values are there and %d are missing", numbers, missing)
	}
}
