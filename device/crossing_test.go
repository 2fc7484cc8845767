package device

import (
	"math"
	"net/netip"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/measurement"
)

// congested is the site with a subnet in which described flows of level 1 want the whole link to HV-02, to which the host's first port sends at
// level 0; the weights are 3 to 1 for the host.
func congested(t *testing.T, options, policy string) *Lab {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name != "manual-ib" {
			continue
		}
		d, err := description.ParseText(named.Text())
		if err != nil {
			t.Fatal(err)
		}
		d.InfiniBand.QoS, d.InfiniBand.Policy = options, policy
		d.InfiniBand.Flows = []description.InfiniBandFlow{{From: "STORAGE-1 HCA-1", To: "HV-02 HCA-1", Gbps: 54, Level: 1}}
		for i := range d.InfiniBand.Hosts {
			if d.InfiniBand.Hosts[i].Name == "HV-02 HCA-1" {
				d.InfiniBand.Hosts[i].Address = netip.MustParseAddr("12.4.3.10")
			}
		}
		d.Flows = d.Flows[:1]
		d.Flows[0].Rhythm = description.Rhythm{}
		d.Flows[0].ReceiveGbps, d.Flows[0].SendGbps = 0, 50
		l, err := New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	t.Fatal("the lab is missing")
	return nil
}

const threeToOne = "qos TRUE\nqos_vlarb_high 0:0\nqos_vlarb_low 0:192,1:64\nqos_sl2vl 0,1,2,3\n"

func fabricPort(t *testing.T, s *opensm.Subnet, node string, port int) *infiniband.Port {
	t.Helper()
	n := s.Fabric.Named(node)
	if n < 0 {
		t.Fatalf("no node %s", node)
	}
	return &s.Fabric.Nodes[n].Ports[port]
}

// wordsGbps returns a number of words in a time as a rate.
func wordsGbps(words uint64, d time.Duration) float64 { return float64(words) * 32 / 1e9 / d.Seconds() }

// TestOwnTrafficShares: the host's own traffic shares the links of the subnet with the described flows by its lane's weight, and the levels
// and the waiting show it at every port.
func TestOwnTrafficShares(t *testing.T) {
	t.Parallel()
	const minute = time.Minute
	for _, c := range []struct {
		name, options, policy string
		own, others           float64 // in parts of the link
		level                 int
	}{
		{"weights", threeToOne, "", 0.75, 0.25, 0},
		{"by the policy in the lane of the others", threeToOne, "qos-ulps\nipoib : 1\nend-qos-ulps", 50.0 / 104, 54.0 / 104, 1},
		{"without QoS", "", "", 0.5, 0.5, 0},
		{"no lane", "qos TRUE\nqos_sl2vl 0,1,15\n", "qos-ulps\nipoib : 2\nend-qos-ulps", 0, 0.99, 2},
	} {
		l := congested(t, c.options, c.policy)
		l.Advance(minute)
		s, own := l.Subnet()
		before := s.Fabric.At(own[0]).Counters
		otherBefore := fabricPort(t, s, "STORAGE-1 HCA-1", 1).Counters
		l.Advance(minute)
		s, _ = l.Subnet()
		room := infiniband.DataGbps(4, infiniband.FDR)
		mine := s.Fabric.At(own[0]).Counters.Since(before)
		others := fabricPort(t, s, "STORAGE-1 HCA-1", 1).Counters.Since(otherBefore)
		if got := wordsGbps(mine.SentData, minute); c.name != "without QoS" && math.Abs(got-c.own*room) > room/50 {
			t.Errorf("%s: the host sends %.1f Gb/s, expected %.1f", c.name, got, c.own*room)
		}
		if got := wordsGbps(others.SentData, minute); c.name != "without QoS" && math.Abs(got-c.others*room) > room/50 {
			t.Errorf("%s: the others send %.1f Gb/s, expected %.1f", c.name, got, c.others*room)
		}
		if sent, _ := mine.LevelData(c.level); c.own > 0 && float64(sent) < 0.99*float64(mine.SentData) {
			t.Errorf("%s: %d of %d are at level %d", c.name, sent, mine.SentData, c.level)
		}
		if c.own > 0 {
			exit := fabricPort(t, s, "IB2", 2) // to HV-02
			if exit.Counters.SendWait == 0 || exit.Counters.LaneWaits == [qos.Lanes]uint64{} {
				t.Errorf("%s: the congested port waited %d ticks", c.name, exit.Counters.SendWait)
			}
		}
		checkConservation(t, c.name, s, 2*minute)
	}
}

// checkConservation compares the ends of each link, the two sides of each switch, and the rates of the links.
func checkConservation(t *testing.T, name string, s *opensm.Subnet, elapsed time.Duration) {
	t.Helper()
	for n := range s.Fabric.Nodes {
		node := &s.Fabric.Nodes[n]
		var in, out float64
		for p := 1; p < len(node.Ports); p++ {
			near := &node.Ports[p]
			if near.Far == infiniband.Nowhere {
				continue
			}
			far := s.Fabric.At(near.Far)
			if near.Counters.SentData != far.Counters.ReceivedData {
				t.Errorf("%s: %s/%d sent %d, its far end received %d", name, node.Name, p, near.Counters.SentData, far.Counters.ReceivedData)
			}
			for level := range qos.Levels {
				sent, _ := near.Counters.LevelData(level)
				if _, received := far.Counters.LevelData(level); sent != received {
					t.Errorf("%s: %s/%d sent %d at level %d, its far end received %d", name, node.Name, p, sent, level, received)
				}
			}
			if rate, room := wordsGbps(near.Counters.SentData, elapsed), infiniband.DataGbps(near.Width, near.Speed); rate > room*1.002 {
				t.Errorf("%s: %s/%d sends %g Gb/s, and its link carries %g", name, node.Name, p, rate, room)
			}
			in, out = in+float64(near.Counters.ReceivedData), out+float64(near.Counters.SentData)
		}
		// The lab counts its own ports in steps, the subnet the others in seconds.
		if node.Kind == infiniband.Switch && math.Abs(in-out) > 0.002*in {
			t.Errorf("%s: %s received %g and sent %g", name, node.Name, in, out)
		}
	}
}

// TestMeasurementsShare: a Network Direct tool over a congested link measures what its lane gets, from its first second, and more when the others
// stop.
func TestMeasurementsShare(t *testing.T) {
	t.Parallel()
	l := congested(t, threeToOne, "qos-ulps\nany, service-id 0x1061aae : 2\nend-qos-ulps")
	l.setup.Scales[0] = 0
	run := func() float64 {
		test := measurement.Test{
			Name: "nd_write_bw", Port: 0, Local: netip.MustParseAddr("12.4.3.9"), Peer: netip.MustParseAddr("12.4.3.10"), Priority: -1, Sizes: []int{65536},
			Steps: 40, Begin: l.steps, Results: make([]measurement.Result, 1),
		}
		if err := l.StartTest(test); err != nil {
			t.Fatal(err)
		}
		l.Advance(3 * time.Second)
		ended, err := l.EndTest("nd_write_bw")
		if err != nil {
			t.Fatal(err)
		}
		return ended.Results[0].Messages * 65536 * 8 / 2e9
	}
	l.Advance(10 * time.Second)
	slow := run() // its lane has no weight: it gets what the others leave
	if slow > 3 {
		t.Errorf("a lane without weight carries %g Gb/s", slow)
	}
	if err := l.ChangeSubnet(func(s *site.Site) error {
		s.Fabric.SetUnplugged(infiniband.Place{Node: s.Fabric.Named("STORAGE-1 HCA-1"), Port: 1}, true)
		s.Changed()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	l.Advance(10 * time.Second)
	if fast := run(); fast < 45 {
		t.Errorf("alone it measures %g Gb/s", fast)
	}
}

// TestOwnTrafficWithoutPath: traffic stops when no path is left, and goes on with a path; the switch counts what it could not pass on.
func TestOwnTrafficWithoutPath(t *testing.T) {
	t.Parallel()
	l := congested(t, "", "")
	rate := func() float64 {
		s, own := l.Subnet()
		before := s.Fabric.At(own[0]).Counters
		l.Advance(10 * time.Second)
		s, _ = l.Subnet()
		now := s.Fabric.At(own[0]).Counters.Since(before)
		return wordsGbps(now.SentData, 10*time.Second)
	}
	plug := func(out bool) {
		if err := l.ChangeSubnet(func(s *site.Site) error {
			for _, port := range []int{35, 36} {
				s.Fabric.SetUnplugged(infiniband.Place{Node: s.Fabric.Named("IB1"), Port: port}, out)
			}
			s.Changed()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		l.Advance(2 * time.Second)
	}
	if got := rate(); got < 20 {
		t.Errorf("with a path the host sends %g Gb/s", got)
	}
	plug(true)
	if got := rate(); got > 0.1 {
		t.Errorf("without a path the host sends %g Gb/s", got)
	}
	s, _ := l.Subnet()
	if got := fabricPort(t, s, "IB1", 4).Counters.RelayErrors; got == 0 {
		t.Error("the switch counts no packets without a route")
	}
	plug(false)
	if got := rate(); got < 20 {
		t.Errorf("with the path again the host sends %g Gb/s", got)
	}
}

// TestCrossingsAreSaved: a lab that is saved within a second goes on in the same way, and one that was saved without crossings loads.
func TestCrossingsAreSaved(t *testing.T) {
	t.Parallel()
	l := congested(t, threeToOne, "qos-ulps\nipoib : 1\nend-qos-ulps")
	l.Advance(5*time.Second + 350*time.Millisecond)
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Restore(l.Description(), saved)
	if err != nil {
		t.Fatal(err)
	}
	if !l.Same(back) {
		t.Error("the restored lab differs")
	}
	for range 7 {
		l.Advance(450 * time.Millisecond)
		back.Advance(450 * time.Millisecond)
	}
	if !l.Same(back) {
		t.Error("the restored lab goes on in another way")
	}
	clone := l.Clone()
	l.Advance(3 * time.Second)
	clone.Advance(3 * time.Second)
	if !l.Same(clone) {
		t.Error("the clone goes on in another way")
	}
}
