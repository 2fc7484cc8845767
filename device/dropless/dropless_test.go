package dropless_test

import (
	"testing"

	"cxdeck/device/dropless"
)

// TestTimers is RES-4 and RES-5: the limits of both families at their bounds and beyond.
func TestTimers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		timer         dropless.Timer
		enabled       bool
		expires, sure float64 // the shortest wait that ends the mode, the longest that does not
	}{
		{"WinOF 0", dropless.WinOF(0), false, 1, 0},
		{"WinOF 1", dropless.WinOF(1), true, 101, 100},
		{"WinOF 3000", dropless.WinOF(3000), true, 300_001, 300_000},
		{"WinOF 65534", dropless.WinOF(65534), true, 6_553_401, 6_553_400},
		{"WinOF 65535", dropless.WinOF(65535), true, 0, 1e12},
		{"WinOF 65536", dropless.WinOF(65536), false, 1, 0},
		{"WinOF-2 0", dropless.WinOF2(0), false, 1, 0},
		{"WinOF-2 50", dropless.WinOF2(50), true, 5001, 5000},
		{"WinOF-2 100", dropless.WinOF2(100), true, 10_001, 10_000},
		{"WinOF-2 101", dropless.WinOF2(101), true, 5001, 5000},
		{"WinOF-2 -1", dropless.WinOF2(-1), true, 5001, 5000},
	} {
		if c.timer.Enabled() != c.enabled || c.timer.Expires(c.sure) || c.expires > 0 && !c.timer.Expires(c.expires) {
			t.Errorf("%s: %+v", c.name, c.timer)
		}
	}
	if e := dropless.WinOF(3000).Error; e != 200 {
		t.Errorf("the timer of WinOF is inexact by %d µs, want 200", e)
	}
}
