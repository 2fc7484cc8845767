package catalog

import (
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/views/exec"
)

// TestRoceModeFallsBack checks rule ROCE-5: a mode that the firmware does not support is stored, and the driver uses the highest
// supported one.
func TestRoceModeFallsBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id       uint16
		firmware string
		says     string
	}{
		{0x1003, "2.42.5000", "The firmware has no mode 2; 5 is used"},
		{0x1007, "2.31.5000", "The firmware has no mode 2; 5 is used"},
		{0x1007, "2.42.5000", "done"},
	} {
		b := newBench(t, func(d *description.Description) {
			for i := range d.Adapters {
				if a := &d.Adapters[i]; a.Family == description.WinOF {
					a.DeviceID, a.Firmware = c.id, c.firmware
				}
			}
		})
		status := b.script("Set-MlnxDriverCoreSetting -RoceMode 1", "Set-MlnxDriverCoreSetting -RoceMode 2")
		if got := b.out.String(); status != exec.Done || !strings.Contains(got, c.says) || strings.Contains(got, "no mode 2") != strings.Contains(c.says, "no mode 2") {
			t.Errorf("%#x with %s: status %d, %s%s", c.id, c.firmware, status, got, b.errs.String())
		}
	}
}
