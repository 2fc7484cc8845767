package device

import (
	"fmt"
	"net/netip"
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

const (
	incastSenders = 8
	incastGbps    = 10.0 // of each sender
	incastLine    = 25   // of the receiver, in Gb/s
	victimGbps    = 5.0
)

// runIncast has eight senders start to a port of 25 Gb/s, one after each gap, while the first of them also sends to another port.
func runIncast(t testing.TB, controlled bool, gap time.Duration) (f incastFigures) {
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
	for i := range incastSenders {
		flow(fmt.Sprint("sender ", i+1), "Ethernet 7", "10.7.0.10", i+1, incastGbps)
	}
	flow("victim", "Ethernet 9", "10.9.0.10", 1, victimGbps)
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	port := 0
	for l.Connection(port) != "Ethernet 7" {
		port++
	}
	s := l.SwitchPort(port)
	s.SpeedGbps = incastLine
	if err := l.SetSwitchPort(port, s); err != nil {
		t.Fatal(err)
	}
	if !controlled {
		if err := l.SetFarEnd(port, setup.FarEnd{Reacts: new(uint8)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range incastSenders {
		if err := l.SetFlowScale(i, 0); err != nil {
			t.Fatal(err)
		}
	}
	for i := range incastSenders {
		if err := l.SetFlowScale(i, 1); err != nil {
			t.Fatal(err)
		}
		l.Advance(gap)
	}
	const converge, measured = 20 * time.Second, 10 * time.Second
	l.Advance(converge)
	before, cell := l.RemotePath(port).PausesToPeers[3], counter.Cell(port, counter.ReceivedBytes)
	bytes, rates := l.Counters()[cell], [incastSenders + 1]float64{}
	for range measured / Step {
		l.Advance(Step)
		for i, state := range l.Flows() {
			rates[i] += state.ReceiveRate / float64(measured/Step)
		}
	}
	f.pauses = l.RemotePath(port).PausesToPeers[3] - before
	f.line = float64(l.Counters()[cell]-bytes) * 8 / measured.Seconds() / (incastLine * 1e9)
	sum, squares := 0.0, 0.0
	for _, rate := range rates[:incastSenders] {
		sum += rate
		squares += rate * rate
	}
	f.jain, f.victim = sum*sum/(incastSenders*squares), rates[incastSenders]/(victimGbps*1e9)
	return f
}

// TestIncast compares PFC alone with PFC and DCQCN with the documented defaults; docs/model.md has the figures.
func TestIncast(t *testing.T) {
	t.Parallel()
	alone := runIncast(t, false, 0)
	for name, gap := range map[string]time.Duration{"begin together": 0, "begin 100 ms apart": 100 * time.Millisecond} {
		both := runIncast(t, true, gap)
		t.Logf("PFC alone: %d pause frames in 10 s, %.1f%% of the line, Jain %.3f, victim %.1f%%", alone.pauses, 100*alone.line, alone.jain, 100*alone.victim)
		t.Logf("with DCQCN, senders %s: %d pause frames in 10 s, %.1f%% of the line, Jain %.3f, victim %.1f%%", name, both.pauses, 100*both.line, both.jain, 100*both.victim)
		if both.pauses*10 > alone.pauses || both.line < 0.9 || both.victim < 0.9 || alone.victim >= 0.9 || alone.pauses == 0 {
			t.Error("congestion control does not spare the pauses, the line or the victim")
		}
		if gap == 0 && both.jain < 0.95 {
			t.Error("equal senders have unequal shares")
		}
	}
}
