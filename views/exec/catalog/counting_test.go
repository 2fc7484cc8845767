package catalog

import (
	"strings"
	"testing"
)

// TestCountingBeginsAtFirstRead: RSS counters stay 0 until a command reads them, and then rise.
func TestCountingBeginsAtFirstRead(t *testing.T) {
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
		t.Errorf("%s before the first read", got)
	}
	b.script("advance 10s")
	if got := ask(); got == "0" {
		t.Error("0 ten seconds after the first read")
	}
	if b.errs.Len() > 0 {
		t.Error(b.errs.String())
	}
}
