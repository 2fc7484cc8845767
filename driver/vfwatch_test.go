package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
)

// TestVirtualFunctionsAreWatched: V1 the counters are read every so often, V2 a rise by more than the keys allow is
// told, and no rise up to it, V3 nothing is read when the watch is off.
func TestVirtualFunctionsAreWatched(t *testing.T) {
	t.Parallel()
	const connection, key = "Ethernet 7", "mlx5.vf-cpu-monitor"
	store := func(key, value string) Operation { return SetValue{Connection: connection, Key: key, Value: value} }
	for name, c := range map[string]struct {
		enable, use, errors string
		want                int
	}{
		"use":          {"1", "49", "1000", 4},
		"use, equal":   {"1", "50", "1000", 0},
		"errors":       {"1", "9999", "49", 4},
		"errors equal": {"1", "9999", "50", 0},
		"off":          {"0", "1", "1", 0},
	} {
		h := newHost(t, 1)
		from := h.sequence
		mustApply(t, h,
			store("VfCpuMonEnable", c.enable), store("VfCpuMonBatchPeriodSec", "5"),
			store("VfCpuMonFwCpuUsageMax", c.use), store("VfCpuMonErrors2FwMax", c.errors),
			SetFault{connection, device.FirmwareLoad, 1})
		h.Advance(7 * time.Second)
		saved, err := h.Save()
		if err != nil {
			t.Fatal(err)
		}
		again, err := RestoreHost(h.lab.Description(), saved)
		if err != nil {
			t.Fatal(err)
		}
		for what, host := range map[string]*Host{"host": h, "restored": again, "clone": h.Clone()} {
			host.Advance(13 * time.Second)
			got := 0
			for _, e := range host.EventsAfter(from) {
				if e.Key != key {
					continue
				}
				if got++; !strings.Contains(e.Message, "VF 0 ") || !strings.Contains(e.Message, "within 5 s") {
					t.Errorf("the event says: %s", e.Message)
				}
			}
			if got != c.want {
				t.Errorf("%s, %s: %d warnings in 20 s, want %d", name, what, got, c.want)
			}
		}
		mustApply(t, h, SetFault{connection, device.FirmwareLoad, 0}, RestartAdapter{connection})
		h.Advance(10 * time.Second)
		from = h.sequence
		h.Advance(20 * time.Second)
		if slices.Contains(newest(h, from, connection), key) {
			t.Errorf("%s: a warning of a virtual function that behaves", name)
		}
	}
}
