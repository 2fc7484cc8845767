package device

import (
	"math"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/setup"
)

// TestBurstsBeyondTheRing follows the example of KEY-2: a burst of 900 packets to a ring of 512 loses 388, and with a reserve of 512
// none.
func TestBurstsBeyondTheRing(t *testing.T) {
	t.Parallel()
	l := quietLab(t)
	flow, port := flowNamed(l, "Market data"), portOf(t, l, "Ethernet 10")
	for i, f := range l.Flows() {
		if f.Port == port && i != flow {
			if err := l.SetFlowScale(i, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.SetFlowBurst(flow, 900); err != nil {
		t.Fatal(err)
	}
	if got := l.Flows()[flow].Burst; got != 900 {
		t.Errorf("the burst has %d packets", got)
	}
	for _, c := range []struct {
		keeps            bool
		buffers, reserve int
		lost             float64
	}{{false, 512, 1, 388.0 / 900}, {true, 512, 1, 0}, {true, 256, 1, 388.0 / 900}, {true, 256, 3, 0}, {false, 1024, 0, 0}} {
		s := l.Settings(port)
		s.KeepsBursts, s.ReceiveBuffers, s.Reserve = c.keeps, c.buffers, c.reserve
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		lost, all := counter.Cell(port, counter.NoDescriptor), counter.Cell(port, counter.ArrivedPackets)
		lostBefore, before := l.Counters()[lost], l.Counters()[all]
		l.Advance(5 * time.Second)
		part := float64(l.Counters()[lost]-lostBefore) / float64(l.Counters()[all]-before)
		if math.Abs(part-c.lost) > 0.02 {
			t.Errorf("%+v: %.3f of the packets are lost", c, part)
		}
	}
	data, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := Restore(l.Description(), data)
	if err != nil || restored.Flows()[flow].Burst != 900 {
		t.Errorf("a restored lab has other bursts: %v", err)
	}
	if err := l.SetFlowBurst(flow, 0); err != nil || l.setup.Bursts != nil {
		t.Errorf("the default is kept as %v, %v", l.setup.Bursts, err)
	}
	if l.SetFlowBurst(-1, 1) == nil || l.SetFlowBurst(flow, 65537) == nil || l.SetFlowBurst(flow, -1) == nil {
		t.Error("an impossible burst is accepted")
	}
}

// TestASharedSwitchPortHoldsTheVictim: peers of another port, cabled to the same switch port, are held for a congested port
// (FAR-6), in either direction of the setting.
func TestASharedSwitchPortHoldsTheVictim(t *testing.T) {
	t.Parallel()
	for _, reverse := range []bool{false, true} {
		rates := map[bool]float64{}
		for _, shares := range []bool{false, true} {
			l := quietLab(t)
			congested, victim := portOf(t, l, "Ethernet 7"), portOf(t, l, "Ethernet 9")
			far, other := setup.FarEnd{Reacts: new(uint8)}, setup.FarEnd{}
			switch {
			case shares && reverse:
				other.Shares = "Ethernet 7"
			case shares:
				far.Shares = "Ethernet 9"
			}
			for port, f := range map[int]setup.FarEnd{congested: far, victim: other} {
				if err := l.SetFarEnd(port, f); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.SetFlowScale(flowNamed(l, "SMB Direct reads, volume 1"), 10); err != nil {
				t.Fatal(err)
			}
			if err := l.SetSlot(0, 1, 8); err != nil {
				t.Fatal(err)
			}
			l.Advance(5 * time.Second)
			rates[shares] = l.Flows()[flowNamed(l, "Cluster storage, disaggregated")].ReceiveRate
		}
		if rates[true] > 0.5*rates[false] || rates[false] == 0 {
			t.Errorf("reverse %v: the victim gets %.1f Gb/s, alone %.1f Gb/s", reverse, rates[true]/1e9, rates[false]/1e9)
		}
	}
}
