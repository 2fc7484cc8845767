package driver

import (
	"fmt"
	"slices"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/fabric"
)

// TestSwitchSpeedSaysWhatTheFirmwareLacks: a switch port of 56 Gb/s links at 40 with a card whose firmware is too old, and the
// change says so (FAM-7).
func TestSwitchSpeedSaysWhatTheFirmwareLacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		firmware   string
		speed      int
		connection string
		want       []string
		rate       float64
	}{
		{"2.31.5000", 56, "Ethernet 3", []string{"a 56 Gb/s Ethernet link needs firmware 2.31.5050 or later, and this card has 2.31.5000"}, 40e9},
		{"2.31.5050", 56, "Ethernet 3", nil, 56e9},
		{"2.31.5000", 10, "Ethernet 3", nil, 10e9},
	} {
		d := description.Default()
		d.Adapters[2].Firmware, d.Adapters[2].DriverVersion = c.firmware, "4.95.10777"
		lab, err := device.New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		plan := Plan{Operations: []Operation{fabric.SetSwitchPort{Connection: c.connection, SpeedGbps: &c.speed}}}
		mustApply(t, h, plan.Operations...)
		if got := h.LimitsOf(plan); !slices.Equal(got, c.want) {
			t.Errorf("firmware %s, %d Gb/s: it says %q", c.firmware, c.speed, got)
		}
		if got := lab.State(portOf(t, h, c.connection)).Rate; got != c.rate {
			t.Errorf("firmware %s: the link has %g b/s", c.firmware, got)
		}
		key, err := h.Key(c.connection, "*SpeedDuplex")
		if got, want := key.Row.Label(key.Effective), fmt.Sprintf("%g Gb/s and full duplex", c.rate/1e9); err != nil || got != want {
			t.Errorf("firmware %s: *SpeedDuplex reads %q, want %q, %v", c.firmware, got, want, err)
		}
	}
}
