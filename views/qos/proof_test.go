package qos

import (
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/perf/labstate"
)

// TestRatesOfMarks reads the counts of congestion control twice, and again after the port changes.
func TestRatesOfMarks(t *testing.T) {
	t.Parallel()
	port := &labstate.Port{Description: &description.Port{Connection: "Ethernet 7"}}
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	var p proofs
	p.read(port, nil, at)
	port.Congestion[3] = labstate.Congestion{Marked: 400, NoticesSent: 80, NoticesHandled: 20}
	if _, ok := p.rate(congestionName(3, marked), at); ok {
		t.Error("one reading has a rate")
	}
	at = at.Add(2 * time.Second)
	p.read(port, nil, at)
	for name, want := range map[string]float64{congestionName(3, marked): 200, congestionName(3, notified): 50, congestionName(4, marked): 0} {
		if rate, ok := p.rate(name, at); !ok || rate != want {
			t.Errorf("%s: %.0f a second, %v; want %.0f", name, rate, ok, want)
		}
	}
	p.read(&labstate.Port{Description: &description.Port{Connection: "Ethernet 8"}}, nil, at.Add(time.Second))
	if _, ok := p.rate(congestionName(3, marked), at.Add(time.Second)); ok {
		t.Error("another port has the rate of the first")
	}
}
