package qos

import (
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/lossless"
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

// TestBeginningsOfMismatches reads the mismatches of ports: one that was there already has no time, one that appears has the time of the
// reading, and a jump of a recording forgets all times.
func TestBeginningsOfMismatches(t *testing.T) {
	t.Parallel()
	ports := []labstate.Port{{Description: &description.Port{Connection: "Ethernet 7"}}, {Description: &description.Port{Connection: "Ethernet 8"}}}
	old, fresh := lossless.Mismatch{Kind: lossless.SwitchPFC, Priority: 3}, lossless.Mismatch{Kind: lossless.HostPFC, Priority: 4}
	paths := []lossless.Path{{Mismatches: []lossless.Mismatch{old}}, {}}
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	var b beginnings
	b.read(ports, paths, at)
	paths[0].Mismatches, paths[1].Mismatches = []lossless.Mismatch{old, fresh}, []lossless.Mismatch{old}
	appeared := at.Add(time.Second)
	b.read(ports, paths, appeared)
	b.read(ports, paths, at.Add(5*time.Second))
	if !b.of(&ports[0], &old).IsZero() || !b.of(&ports[0], &fresh).Equal(appeared) || !b.of(&ports[1], &old).Equal(appeared) {
		t.Errorf("%v", b.at)
	}
	b.read(ports, paths, at.Add(time.Hour))
	if !b.of(&ports[0], &fresh).IsZero() {
		t.Error("after a jump the time is unknown")
	}
}
