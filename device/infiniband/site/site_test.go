package site

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
)

// described returns the site of the embedded lab with a subnet.
func described(t *testing.T) *Site {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name == "manual-ib" {
			d, err := description.ParseText(named.Text())
			if err != nil {
				t.Fatal(err)
			}
			return Of(d)
		}
	}
	t.Fatal("the embedded lab is missing")
	return nil
}

// TestTraffic: every packet that a port sends arrives at the other end of its cable, and the flows of the lab reach their hosts.
func TestTraffic(t *testing.T) {
	t.Parallel()
	s := described(t)
	s.Advance(time.Minute)
	f, total := s.Fabric, uint64(0)
	for n := range f.Nodes {
		for p := range f.Nodes[n].Ports {
			near := f.Nodes[n].Ports[p]
			if near.Far == infiniband.Nowhere || p == 0 {
				continue
			}
			far := f.At(near.Far)
			if near.Counters.SentData != far.Counters.ReceivedData || near.Counters.SentPackets != far.Counters.ReceivedPackets {
				t.Errorf("%s/%d sent %d packets, and its far end received %d", f.Nodes[n].Name, p, near.Counters.SentPackets, far.Counters.ReceivedPackets)
			}
			total += near.Counters.SentData
		}
	}
	storage := f.At(infiniband.Place{Node: f.Named("STORAGE-1 HCA-1"), Port: 1})
	if got, want := float64(storage.Counters.ReceivedData)*Word*8/60, 18e9; total == 0 || got < want*0.999 || got > want*1.001 {
		t.Errorf("the storage receives %g bits a second, expected %g", got, want)
	}
	old := f.At(infiniband.Place{Node: f.Named("IB1"), Port: 36})
	if got := old.Counters.SymbolErrors; got != 12 {
		t.Errorf("the bad cable had %d symbol errors in a minute, expected 12", got)
	}
}

// TestOverload: two flows share a link by their rates, and the sender before it counts ticks that it waited.
func TestOverload(t *testing.T) {
	t.Parallel()
	s := described(t)
	s.flows[0].gbps, s.flows[2].gbps = 90, 45
	s.Advance(10 * time.Second)
	port := s.Fabric.At(infiniband.Place{Node: s.Fabric.Named("HV-02 HCA-1"), Port: 1})
	sent := float64(port.Counters.SentData) * Word * 8 / 10
	if want := infiniband.DataGbps(4, infiniband.FDR) * 1e9; sent > want*1.001 || sent < want*0.99 || port.Counters.SendWait == 0 {
		t.Errorf("it sends %g bits a second and waited %d ticks; the link carries %g", sent, port.Counters.SendWait, want)
	}
}

// TestSaved: a saved site continues as the one that was saved, after any changes.
func TestSaved(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 3))
	for range 40 {
		s, now := described(t), time.Duration(0)
		change(s, r, 6, &now)
		text, err := json.Marshal(s.Save())
		if err != nil {
			t.Fatal(err)
		}
		saved, back := new(Saved), described(t)
		if err := json.Unmarshal(text, saved); err != nil {
			t.Fatal(err)
		}
		if err := back.Resume(saved, now, nil); err != nil {
			t.Fatal(err)
		}
		seed := r.Uint64()
		first, second := now, now
		change(s, rand.New(rand.NewPCG(seed, 1)), 6, &first)
		change(back, rand.New(rand.NewPCG(seed, 1)), 6, &second)
		a, _ := json.Marshal(s.Save())
		b, _ := json.Marshal(back.Save())
		if string(a) != string(b) {
			t.Fatalf("it goes on in another way:\n%s\n%s", a, b)
		}
	}
}

// change makes random changes, each followed by a moment.
func change(s *Site, r *rand.Rand, n int, now *time.Duration) {
	for range n {
		node := r.IntN(len(s.Fabric.Nodes))
		at := infiniband.Place{Node: node, Port: 1 + r.IntN(s.Fabric.Nodes[node].External())}
		switch r.IntN(5) {
		case 0:
			s.Fabric.SetUnplugged(at, r.IntN(2) == 0)
		case 1:
			s.Fabric.SetDisabled(at, r.IntN(2) == 0)
		case 2:
			s.Fabric.Reset(at)
		case 3:
			s.Stop(s.Managers[r.IntN(len(s.Managers))])
		case 4:
			if m := s.Managers[r.IntN(len(s.Managers))]; !m.Running {
				s.Start(m)
			}
		}
		s.Changed()
		*now += time.Duration(1+r.IntN(30)) * time.Second
		s.Advance(*now)
	}
}

// TestDamaged: a saved site with a wrong number, length or place is refused, and nothing panics.
func TestDamaged(t *testing.T) {
	t.Parallel()
	s := described(t)
	for name, damage := range map[string]func(*Saved){
		"no fabric":            func(s *Saved) { s.Fabric = nil },
		"a missing LID":        func(s *Saved) { s.Fabric.LIDs = s.Fabric.LIDs[1:] },
		"a wrong state":        func(s *Saved) { s.Fabric.States[3] = 9 },
		"a missing switch":     func(s *Saved) { s.Fabric.Routes = s.Fabric.Routes[1:] },
		"a route nowhere":      func(s *Saved) { s.Fabric.Routes[0][1] = 200 },
		"a member nowhere":     func(s *Saved) { s.Fabric.Groups[0].Members[0].Node = 99 },
		"a manager of no node": func(s *Saved) { s.Managers[0].Place.Node = -1 },
		"a time to come":       func(s *Saved) { s.Now = time.Hour },
		"missing rests":        func(s *Saved) { s.Rests = nil },
		"missing bases":        func(s *Saved) { s.Base = s.Base[1:] },
	} {
		text, _ := json.Marshal(s.Save())
		saved := new(Saved)
		if err := json.Unmarshal(text, saved); err != nil {
			t.Fatal(err)
		}
		damage(saved)
		if err := described(t).Resume(saved, time.Minute, nil); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}

// TestCloneIsIndependent: changes of a copy leave the original as it is.
func TestCloneIsIndependent(t *testing.T) {
	t.Parallel()
	s := described(t)
	before, _ := json.Marshal(s.Save())
	now := time.Duration(0)
	change(s.Clone(), rand.New(rand.NewPCG(4, 4)), 30, &now)
	if after, _ := json.Marshal(s.Save()); !reflect.DeepEqual(before, after) {
		t.Error("the original changed with its copy")
	}
}

// TestRates: a nominal rate gives the speed of the lanes.
func TestRates(t *testing.T) {
	t.Parallel()
	for gbps, want := range map[int]infiniband.Speed{8: infiniband.SDR, 20: infiniband.DDR, 32: infiniband.QDR, 40: infiniband.QDR, 56: infiniband.FDR, 100: infiniband.EDR, 200: infiniband.HDR} {
		if got := rated(gbps); got != want {
			t.Errorf("%d Gb/s: %s, expected %s", gbps, got, want)
		}
	}
}
