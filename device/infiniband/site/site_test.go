package site

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
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

// TestLevels: flows of two service levels share a congested link by the weights that the manager wrote, also after a save, and the tools'
// tables are the ones that act; a level without a lane is dropped.
func TestLevels(t *testing.T) {
	t.Parallel()
	s := described(t)
	tables, err := qos.Parse("qos TRUE\nqos_vlarb_high 0:0\nqos_vlarb_low 0:192,1:64\nqos_sl2vl 0,1,15\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range s.Managers {
		m.QoS, m.Seen = tables, 0
	}
	s.Changed()
	s.Advance(11 * time.Second)
	if s.Fabric.QoS != tables {
		t.Fatal("no master wrote the tables")
	}
	first, second := &s.flows[0], flow{from: s.flows[0].from, to: s.flows[0].to, gbps: 100, bytes: 2048, level: 1}
	first.gbps = 100
	s.flows = []flow{*first, second}
	text, err := json.Marshal(s.Save())
	if err != nil {
		t.Fatal(err)
	}
	saved := new(Saved)
	if err := json.Unmarshal(text, saved); err != nil || saved.Fabric.QoS == nil {
		t.Fatal("the tables are not saved", err)
	}
	data := func() uint64 { return s.Fabric.At(first.from).Counters.SentData }
	measure := func() float64 {
		before := data()
		s.Advance(s.Now() + 10*time.Second)
		return float64(data()-before) * Word * 8 / 10 / 1e9
	}
	link := s.Fabric.At(first.from)
	room := infiniband.DataGbps(link.Width, link.Speed)
	if got := measure(); math.Abs(got-room) > room/100 {
		t.Errorf("the link carries %g Gb/s of %g", got, room)
	}
	s.flows[1].gbps = 0.2 * room
	s.flows[0].gbps = 0.5 * room
	if got := measure(); math.Abs(got-0.7*room) > room/100 {
		t.Errorf("without congestion the link carries %g Gb/s, expected %g", got, 0.7*room)
	}
	s.flows[0].gbps, s.flows[1].gbps = 90, 90 // both want more than their part
	for n := range s.Fabric.Nodes {
		end := infiniband.Place{Node: n, Port: 1}
		if node := &s.Fabric.Nodes[n]; node.Kind == infiniband.Adapter && n != first.from.Node && n != first.to.Node && node.Ports[1].State == infiniband.Active {
			s.flows[1].to = end // so that the receivers' counters tell the flows apart
		}
	}
	var before [2]uint64
	for level := range before {
		before[level] = s.Fabric.At(s.flows[level].to).Counters.ReceivedData
	}
	measure()
	for level, part := range []float64{0.75, 0.25} {
		got := float64(s.Fabric.At(s.flows[level].to).Counters.ReceivedData-before[level]) * Word * 8 / 10 / 1e9
		if math.Abs(got-part*room) > room/100 {
			t.Errorf("level %d carries %g Gb/s, expected %g", level, got, part*room)
		}
	}
	for level := range 2 {
		if _, received := s.Fabric.At(s.flows[level].to).Counters.LevelData(level); received == 0 {
			t.Errorf("the receiver counts nothing at level %d", level)
		}
	}
	checkLevels(t, s.Fabric)
	s.flows = s.flows[:1]
	s.flows[0].level = 2
	if got := measure(); got != 0 || s.Fabric.At(first.from).Counters.SendDiscards == 0 {
		t.Errorf("a level without a lane carries %g Gb/s", got)
	}
}

// checkLevels compares the counters by level of the two ends of each link.
func checkLevels(t *testing.T, f *infiniband.Fabric) {
	t.Helper()
	for n := range f.Nodes {
		for p := 1; p < len(f.Nodes[n].Ports); p++ {
			near, sum := &f.Nodes[n].Ports[p], uint64(0)
			if near.Far == infiniband.Nowhere {
				continue
			}
			for level := range qos.Levels {
				sent, _ := near.Counters.LevelData(level)
				if _, received := f.At(near.Far).Counters.LevelData(level); sent != received {
					t.Errorf("%s/%d sent %d at level %d, and its far end received %d", f.Nodes[n].Name, p, sent, level, received)
				}
				sum += sent
			}
			if sum != near.Counters.SentData {
				t.Errorf("the levels of %s/%d sent %d, and the port %d", f.Nodes[n].Name, p, sum, near.Counters.SentData)
			}
		}
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
