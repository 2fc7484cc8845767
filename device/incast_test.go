package device

import (
	"fmt"
	"net/netip"
	"os"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// incastFigures are the figures of an incast after its flows have converged.
type incastFigures struct {
	pauses             uint64  // to the senders
	line, jain, victim float64 // parts: of the line rate, Jain's index over the flows, and of the victim's demand
}

const victimGbps = 5.0

// incastLab has senders start to a port with a line rate in Gb/s, one after each gap, while the first of them also sends to another
// port. Together they demand 3.2 times the line rate.
func incastLab(t testing.TB, controlled bool, gap time.Duration, senders int, line float64) (l *Lab, port int) {
	t.Helper()
	d := description.Default()
	d.Schedules, d.Faults, d.Flows = nil, nil, nil
	flow := func(name, port, local string, peer int, gbps float64) {
		d.Flows = append(d.Flows, description.Flow{
			Name: name, Port: port, Protocol: description.RDMA, Flows: 1, Connections: 1, Priority: new(3),
			Local: netip.MustParseAddr(local), Peer: netip.AddrFrom4([4]byte{10, 7, 1, byte(peer)}),
			ReceiveGbps: gbps, Packets: []description.PacketSize{{IP: 2092, Share: 1}},
		})
	}
	for i := range senders {
		flow(fmt.Sprint("sender ", i+1), "Ethernet 7", "10.7.0.10", i+1, min(line, 3.2*line/float64(senders)))
	}
	flow("victim", "Ethernet 9", "10.9.0.10", 1, victimGbps)
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	for l.Connection(port) != "Ethernet 7" {
		port++
	}
	s := l.SwitchPort(port)
	s.SpeedGbps = int(line)
	if err := l.SetSwitchPort(port, s); err != nil {
		t.Fatal(err)
	}
	if !controlled {
		if err := l.SetFarEnd(port, setup.FarEnd{Reacts: new(uint8)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range senders {
		if err := l.SetFlowScale(i, 0); err != nil {
			t.Fatal(err)
		}
	}
	for i := range senders {
		if err := l.SetFlowScale(i, 1); err != nil {
			t.Fatal(err)
		}
		l.Advance(gap)
	}
	return l, port
}

// runIncast returns the figures of the lab of incastLab over 10 s after its flows have converged.
func runIncast(t testing.TB, controlled bool, gap time.Duration, senders int, line float64) incastFigures {
	t.Helper()
	l, port := incastLab(t, controlled, gap, senders, line)
	return measureIncast(l, port, senders, line, 20*time.Second, 10*time.Second)
}

// measureIncast returns the figures of the lab of incastLab over a time, after another to converge.
func measureIncast(l *Lab, port, senders int, line float64, converge, measured time.Duration) (f incastFigures) {
	l.Advance(converge)
	before, cell := l.RemotePath(port).PausesToPeers[3], counter.Cell(port, counter.ReceivedBytes)
	bytes, rates := l.Counters()[cell], make([]float64, senders+1)
	for range measured / Step {
		l.Advance(Step)
		for i, state := range l.Flows() {
			rates[i] += state.ReceiveRate / float64(measured/Step)
		}
	}
	f.pauses = l.RemotePath(port).PausesToPeers[3] - before
	f.line = float64(l.Counters()[cell]-bytes) * 8 / measured.Seconds() / (line * 1e9)
	sum, squares := 0.0, 0.0
	for _, rate := range rates[:senders] {
		sum += rate
		squares += rate * rate
	}
	f.jain, f.victim = sum*sum/(float64(senders)*squares), rates[senders]/(victimGbps*1e9)
	return f
}

// TestIncast compares PFC alone with PFC and DCQCN with the documented defaults; docs/model.md has the figures.
func TestIncast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		senders int
		line    float64
	}{{8, 25}, {4, 10}, {16, 40}, {32, 25}, {32, 100}} {
		if c.senders > 8 && os.Getenv("CXDECK_LONG") == "" {
			continue
		}
		t.Run(fmt.Sprintf("%d to %.0f Gb per s", c.senders, c.line), func(t *testing.T) {
			t.Parallel()
			alone := runIncast(t, false, 0, c.senders, c.line)
			t.Logf("PFC alone: %v", alone)
			for _, gap := range []time.Duration{0, 100 * time.Millisecond} {
				both := runIncast(t, true, gap, c.senders, c.line)
				t.Logf("with DCQCN, senders %v apart: %v", gap, both)
				if both.pauses*10 > alone.pauses || both.line < 0.9 || both.victim < 0.9 || alone.victim >= 0.9 || alone.pauses == 0 {
					t.Error("congestion control does not spare the pauses, the line or the victim")
				}
				if both.jain < 0.95 {
					t.Error("equal senders have unequal shares")
				}
			}
		})
	}
}

// TestIncastTable runs incasts of many sizes. Three of them keep unequal shares, because 25,600 bytes between increases let a fast sender
// recover faster than the cuts of a slow one (docs/model.md); a change that makes one of the others unequal fails here.
func TestIncastTable(t *testing.T) {
	t.Parallel()
	unequal := map[[2]int]bool{{4, 25}: true, {8, 40}: true, {16, 100}: true}
	for _, line := range []int{10, 25, 40, 100} {
		for _, senders := range []int{2, 4, 8, 16, 32} {
			l, port := incastLab(t, true, 0, senders, float64(line))
			f := measureIncast(l, port, senders, float64(line), 3*time.Second, 2*time.Second)
			t.Logf("%d to %d Gb/s: %v", senders, line, f)
			full := 0.9
			if senders == 2 && line >= 40 { // the first notification limits each to 3 Gb/s
				full = 0.8
			}
			fair := 0.8 // within 3 s; some converge to more
			if unequal[[2]int{senders, line}] {
				fair = 0.4
			}
			if f.line < full || f.jain < fair || f.victim < 0.9 {
				t.Errorf("%d to %d Gb/s: %v", senders, line, f)
			}
		}
	}
}

// String returns the figures for the log.
func (f incastFigures) String() string {
	return fmt.Sprintf("%d pause frames, %.1f%% of the line, Jain %.3f, victim %.1f%%", f.pauses, 100*f.line, f.jain, 100*f.victim)
}

// BenchmarkIncast measures a second of eight senders that congestion control holds.
func BenchmarkIncast(b *testing.B) {
	l, _ := incastLab(b, true, 0, 8, 25)
	for b.Loop() {
		l.Advance(time.Second)
	}
}
