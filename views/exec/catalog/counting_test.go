package catalog

import (
	"strings"
	"testing"
)

// TestCountingBeginsWhenItIsLookedAt: counters that the driver keeps only while someone looks stay 0 until a command
// asks for them, and rise from then on.
func TestCountingBeginsWhenItIsLookedAt(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	ask := func() string {
		b.out.Reset()
		b.script(`counters '\Mellanox Adapter RSS Counters(Ethernet 3 Total)\Rss IPv4/Tcp'`)
		fields := strings.Fields(b.out.String())
		return fields[max(0, len(fields)-1)]
	}
	b.script(`reg set "Ethernet 3" RssMonitoringEnabled 1`, `adapter restart "Ethernet 3"`, "advance 20s", "advance 1s")
	if got := ask(); got != "0" {
		t.Errorf("%s before anyone looked", got)
	}
	b.script("advance 10s")
	if got := ask(); got == "0" {
		t.Error("0 after ten seconds of looking")
	}
	if b.errs.Len() > 0 {
		t.Error(b.errs.String())
	}
}
