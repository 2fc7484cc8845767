package catalog

import (
	"math"
	"testing"
	"time"

	"cxdeck/views/exec/hosts"
)

// TestRatesAfterSchemaChange creates a virtual switch, which replaces the RSS instances of a port, and reads rates again in the same
// run: removed series have no value, and each rate belongs to its series.
func TestRatesAfterSchemaChange(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	lab := b.host.(*hosts.Lab)
	const gone, rate = `\Mellanox WinOF-2 Rss Counters(Ethernet 8 Cpu_8)\Rss IPv4/Tcp`, `\cxdeck Port(Ethernet 7)\Bytes Received/sec`
	var series []int
	for _, path := range []string{gone, rate} {
		i, found := lab.Schema().Find(path)
		if !found {
			t.Fatal("no counter", path)
		}
		series = append(series, i)
	}
	b.script(`New-VMSwitch -Name Lab -NetAdapterName "Ethernet 8"`, "advance 5s")
	now, coming := make([]float64, len(series)), make([]float64, len(series))
	if _, err := lab.Measure(t.Context(), series, 0, now); err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Measure(t.Context(), series, time.Second, coming); err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(now[0]) || now[1] != coming[1] || now[1] == 0 {
		t.Errorf("without time passing %v, in the second after it %v", now, coming)
	}
}
