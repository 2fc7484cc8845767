package driver

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// TestWatchesOverSeeds: V1 to V3 over 200 seeds: a warning comes exactly at the end of a period in which a counter rose
// by more than its key allows, whatever the keys are and however long the virtual function misbehaves; without the
// watch none comes.
func TestWatchesOverSeeds(t *testing.T) {
	t.Parallel()
	const connection, key = "Ethernet 7", "mlx5.vf-cpu-monitor"
	d := description.Default()
	d.Flows, d.Faults = nil, nil // nothing that costs time
	warned := 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 9))
		lab, err := device.New(d, seed)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		port, err := h.port(connection)
		if err != nil {
			t.Fatal(err)
		}
		on := random.IntN(5) > 0
		period, most, mostErrors := 1+random.IntN(4), random.IntN(50), random.IntN(50)
		store := func(key string, value int) Operation {
			return edit.SetValue{Connection: connection, Key: key, Value: fmt.Sprint(value)}
		}
		enable := 0
		if on {
			enable = 1
		}
		mustApply(t, h, store("VfCpuMonEnable", enable), store("VfCpuMonBatchPeriodSec", period),
			store("VfCpuMonFwCpuUsageMax", most), store("VfCpuMonErrors2FwMax", mostErrors))
		for range 6 {
			mustApply(t, h, hardware.SetFault{Connection: connection, Fault: description.FirmwareLoad, Share: float64(random.IntN(5)) / 4})
			from := h.events.Last()
			use, errors := h.firstCost(port)
			h.Advance(time.Duration(period) * time.Second)
			use2, errors2 := h.firstCost(port)
			want := 0
			if on && (use2-use > uint64(most) || errors2-errors > uint64(mostErrors)) {
				want = 1
			}
			got := 0
			for _, e := range h.EventsAfter(from) {
				if e.Key == key {
					got++
				}
			}
			if got != want {
				t.Fatalf("seed %d: %d warnings, want %d: use rose by %d of %d, errors by %d of %d; watched: %v",
					seed, got, want, use2-use, most, errors2-errors, mostErrors, on)
			}
			warned += got
		}
	}
	if warned == 0 {
		t.Error("nothing was warned of")
	}
}

// firstCost is what the first virtual function of a port has cost the firmware.
func (h *Host) firstCost(port int) (use, errors uint64) {
	cost := virtualization.FunctionCosts(h.lab, port)[0]
	return cost.Use, cost.Errors
}
