package health_test

import (
	"testing"
	"time"

	"cxdeck/driver/health"
)

// TestStuckAfter is RES-1 with the numbers of its rule, and values out of range.
func TestStuckAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sensor           health.Sensor
		interval, checks int64
		want             time.Duration
	}{
		{health.HardwareSend, health.DefaultInterval, health.DefaultChecks, 16 * time.Second},
		{health.SoftwareReceive, 4, 4, 16 * time.Second},
		{health.SoftwareSend, 4, 4, 32 * time.Second},
		{health.HardwareSend, 1, 1000, 1000 * time.Second},
		{health.HardwareSend, 10, 3, 30 * time.Second},
		{health.SoftwareSend, 10, 3, 60 * time.Second},
		{health.HardwareSend, 0, 4, 16 * time.Second},
		{health.HardwareSend, 4, 0, 16 * time.Second},
		{health.HardwareSend, 4, 1001, 16 * time.Second},
		{health.SendError, 4, 4, 0},
		{health.ReceiveError, 4, 4, 0},
		{health.SoftwareSend, 1<<32 - 1, 1000, 2_000_000_000 * time.Second},
	} {
		if got := health.StuckAfter(c.sensor, c.interval, c.checks); got != c.want {
			t.Errorf("sensor %#x, %d s, %d checks: %v, want %v", c.sensor, c.interval, c.checks, got, c.want)
		}
	}
}

// TestResets is RES-2: each sensor has its own bit, and the sensor of hardware sends has two exceptions.
func TestResets(t *testing.T) {
	t.Parallel()
	all := []health.Sensor{
		health.HardwareSend, health.SoftwareSend, health.SoftwareReceive, health.ReceiveError, health.SendError,
	}
	for _, sensor := range all {
		hardware := sensor == health.HardwareSend
		for _, c := range []struct {
			mask                  uint32
			function, headOfQueue bool
			want                  bool
		}{
			{health.DefaultResetMask, false, true, true},
			{^uint32(sensor), false, true, false},
			{0xfffc_ffa7, false, true, false},
			{health.DefaultResetMask, false, false, !hardware},
			{0, true, true, hardware},
			{0, true, false, hardware},
			{health.DefaultResetMask, true, false, true},
		} {
			if got := health.Resets(sensor, c.mask, c.function, c.headOfQueue); got != c.want {
				t.Errorf("sensor %#x, %+v: %v", sensor, c, got)
			}
		}
		if health.Dumps(sensor, health.DefaultDumpMask) || !health.Dumps(sensor, uint32(sensor)) {
			t.Errorf("sensor %#x does not follow its bit in the mask of dumps", sensor)
		}
	}
}

// TestDumpSlot is the table of DMN-11, whose incidents count from 1, and its limits.
func TestDumpSlot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		total, preserved int
		slots            map[int]int
	}{
		{16, 2, map[int]int{1: 0, 2: 1, 3: 2, 16: 15, 17: 2, 18: 3, 30: 15, 31: 2, 44: 15, 45: 2}},
		{health.DefaultDumps, health.DefaultPreserved, map[int]int{128: 127, 129: 8, 248: 127, 249: 8}},
		{4, 1, map[int]int{4: 3, 5: 1, 6: 2, 7: 3, 8: 1}},
		{3, 0, map[int]int{3: 2, 4: 0, 5: 1, 6: 2}},
		{4, 3, map[int]int{4: 3, 5: 3, 6: 3}},
	} {
		for incident, want := range c.slots {
			if got, ok := health.DumpSlot(c.total, c.preserved, incident-1); got != want || !ok {
				t.Errorf("%d dumps, %d preserved, incident %d: slot %d (%v), want %d", c.total, c.preserved, incident, got, ok, want)
			}
		}
	}
	for _, c := range [][3]int{{4, 4, 4}, {4, 5, 9}, {0, 0, 0}, {0, 8, 0}, {4, 1, -1}} {
		if slot, ok := health.DumpSlot(c[0], c[1], c[2]); ok {
			t.Errorf("%v: slot %d, want a refusal", c, slot)
		}
	}
	if slot, ok := health.DumpSlot(4, 4, 3); slot != 3 || !ok {
		t.Errorf("the last free slot is refused although all are preserved: %d, %v", slot, ok)
	}
}
