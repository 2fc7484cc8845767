package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// TestVirtualFunctionsAreWatched: V1 the counters are read every so often, V2 a rise by more than the keys allow is
// told, and no rise up to it, V3 nothing is read when the watch is off.
func TestVirtualFunctionsAreWatched(t *testing.T) {
	t.Parallel()
	const connection, key = "Ethernet 7", "mlx5.vf-cpu-monitor"
	store := func(key, value string) Operation {
		return edit.SetValue{Connection: connection, Key: key, Value: value}
	}
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
		from := h.events.Last()
		mustApply(t, h,
			store("VfCpuMonEnable", c.enable), store("VfCpuMonBatchPeriodSec", "5"),
			store("VfCpuMonFwCpuUsageMax", c.use), store("VfCpuMonErrors2FwMax", c.errors),
			hardware.SetFault{Connection: connection, Fault: description.FirmwareLoad, Share: 1})
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
		mustApply(t, h, hardware.SetFault{Connection: connection, Fault: description.FirmwareLoad, Share: 0}, adapters.RestartAdapter{Connection: connection})
		h.Advance(10 * time.Second)
		from = h.events.Last()
		h.Advance(20 * time.Second)
		if slices.Contains(newest(h, from, connection), key) {
			t.Errorf("%s: a warning of a virtual function that behaves", name)
		}
	}
}

// TestMonitoringKeepsItsPeriod changes a key that counts at once in the middle of a period: the next reading comes when it
// was due, with the new limit. Another period starts over.
func TestMonitoringKeepsItsPeriod(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 1)
	mustApply(t, h, set(connection, "VfCpuMonEnable", "1"), set(connection, "VfCpuMonBatchPeriodSec", "5"),
		set(connection, "VfCpuMonErrors2FwMax", "1000"), hardware.SetFault{Connection: connection, Fault: description.FirmwareLoad, Share: 1})
	for _, step := range []struct {
		key, value string
		before     time.Duration // so long it is since the step before
		warnings   int           // in the two seconds after it
	}{
		{"VfCpuMonErrors2FwMax", "1", 3 * time.Second, 1},   // due at 5 s
		{"VfCpuMonBatchPeriodSec", "4", 3 * time.Second, 0}, // at 8 s: due at 12 s instead of 10 s
		{"VfCpuMonErrors2FwMax", "100000", time.Second, 0},  // at 11 s
		{"VfCpuMonErrors2FwMax", "1", 2 * time.Second, 1},   // at 15 s: due at 16 s
	} {
		h.Advance(step.before)
		mustApply(t, h, set(connection, step.key, step.value))
		from := h.events.Last()
		h.Advance(2 * time.Second)
		if keys := newest(h, from, connection); len(keys) != step.warnings {
			t.Errorf("after %s became %s there are the events %v", step.key, step.value, keys)
		}
	}
}

// TestNothingIsWatchedWithoutFunctions saves a host whose port must be watched and has no virtual functions: nothing of a
// watch is kept, which no other host would believe.
func TestNothingIsWatchedWithoutFunctions(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 8"
	h := newHost(t, 1)
	mustApply(t, h, set(connection, "VfCpuMonEnable", "1"), set(connection, "VfCpuMonBatchPeriodSec", "5"))
	h.Advance(time.Second)
	if _, err := RestoreHost(h.lab.Description(), mustSave(t, h)); err != nil {
		t.Error(err)
	}
	if w := h.miniports[must(h.port(connection))].watch; w.Due != 0 {
		t.Errorf("a reading is due at %s", w.Due)
	}
}

// TestBadCommandsAreOfTheirFunction has the log of a WinOF card while one of two functions sends bad commands: of that
// one and its channel, with each look, and no more when it has stopped.
func TestBadCommandsAreOfTheirFunction(t *testing.T) {
	t.Parallel()
	const connection, key = "Ethernet 3", "mlx4.vf-bad-command"
	h := newEthernetHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}}, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}},
		askingVM("A", "S"), askingVM("B", "S"), hardware.SetFunctionFault{Connection: connection, Function: 1, Fault: description.FirmwareLoad, Share: 1})
	looks := func(want int) {
		t.Helper()
		from, got := h.events.Last(), 0
		h.Advance(3 * virtualization.CommandPeriod * time.Second)
		for _, e := range h.EventsAfter(from) {
			if e.Key != key {
				continue
			}
			if got++; !strings.Contains(e.Message, "VF 1 sent") || !strings.Contains(e.Message, "channel 2;") {
				t.Errorf("the event says: %s", e.Message)
			}
		}
		if got != want {
			t.Errorf("%d events in 30 s, want %d", got, want)
		}
	}
	looks(3)
	mustApply(t, h, hardware.SetFunctionFault{Connection: connection, Function: 1, Fault: description.FirmwareLoad, Share: 0})
	h.Advance(virtualization.CommandPeriod * time.Second)
	looks(0)
}
