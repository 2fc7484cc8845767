package winof2

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/views/exec/registrykey"
)

// TestResourceDump checks rule V4 over seeds: the first index is the number of the virtual function plus one, the second selects
// the counter, and each value is the counter of its function.
func TestResourceDump(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Flows, d.Faults = nil, nil
	targets := []registrykey.ToolTarget{{Connection: "Ethernet 8"}, {Connection: "Ethernet 7"}}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 4))
		lab, err := device.New(d, seed)
		if err != nil {
			t.Fatal(err)
		}
		if err := lab.SetFault(0, description.FirmwareLoad, 1); err != nil {
			t.Fatal(err)
		}
		lab.Advance(time.Duration(1+random.IntN(5)) * time.Second)
		first, count, which := random.IntN(4), 1+random.IntN(40), 1+random.IntN(2)
		request, err := readDump([]string{
			"-Dump", "-Segment", "0x5000", "-Index1", fmt.Sprint(first + 1), "-NumOfObj1", fmt.Sprint(count), "-Index2",
			fmt.Sprint(which),
		})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := request.read(lab, targets)
		if err != nil || len(rows) != min(count, 4-first) {
			t.Fatalf("seed %d: %d rows of VF %d on, %v", seed, len(rows), first, err)
		}
		cell := []counter.Function{1: counter.FunctionFirmwareUse, 2: counter.FunctionFirmwareErrors}[which]
		for i, r := range rows {
			want := lab.Counters()[lab.FunctionCell(0, first+i, cell)]
			if r.Function != first+i || r.Index1 != first+i+1 || r.Value != want || first+i == 0 && r.Value == 0 {
				t.Errorf("seed %d: row %d is %+v, and the counter %d", seed, i, r, want)
			}
		}
		if request.index1 = 5; err == nil {
			if _, err = request.read(lab, targets); err == nil {
				t.Error("a virtual function beyond the last one was read")
			}
		}
	}
}
