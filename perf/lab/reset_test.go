package lab

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/perf"
)

// TestTheInventoryAfterAReset: a card whose counters restart has no huge rates of drops.
func TestTheInventoryAfterAReset(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	var c perf.Column
	next(t, l, 0, &c)
	next(t, l, 40*time.Second, &c) // includes an incast
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{adapters.ResetCard{Adapter: "ConnectX-5 Ex"}}}); err != nil {
		t.Fatal(err)
	}
	next(t, l, 100*time.Millisecond, &c)
	for _, n := range l.Inventory().Nodes {
		for _, f := range n.Health {
			if strings.Contains(f.Text, "000000000") {
				t.Errorf("%s: %s", n.Name, f.Text)
			}
		}
	}
	at, _ := l.Schema().Find(`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Bytes Received`)
	if n := c.Cells[l.Schema().Series[at].Cell]; n != 0 {
		t.Errorf("%d bytes are received right after the reset", n)
	}
}
