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

// runIncast returns the figures of the lab of incastLab after its flows have converged.
func runIncast(t testing.TB, controlled bool, gap time.Duration, senders int, line float64) (f incastFigures) {
	t.Helper()
	l, port := incastLab(t, controlled, gap, senders, line)
	const converge, measured = 20 * time.Second, 10 * time.Second
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

// String returns the figures for the log.
func (f incastFigures) String() string {
	return fmt.Sprintf("%d pause frames in 10 s, %.1f%% of the line, Jain %.3f, victim %.1f%%", f.pauses, 100*f.line, f.jain, 100*f.victim)
}

// BenchmarkIncast measures a second of eight senders that congestion control holds.
func BenchmarkIncast(b *testing.B) {
	l, _ := incastLab(b, true, 0, 8, 25)
	for b.Loop() {
		l.Advance(time.Second)
	}
}
