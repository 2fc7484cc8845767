package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/farend"
	"cxdeck/device/setup"
)

// remoteCase is a far end of Ethernet 7, whose slot is too narrow for what arrives or whose peer is slow, and what must rise or stay on
// priority 3.
type remoteCase struct {
	name         string
	far          setup.FarEnd
	change       func(l *Lab, port int) error
	moves, still []string
}

// figures are the counters of priority 3 of a port's path.
func figures(l *Lab, port int) map[string]uint64 {
	r, far := l.RemotePath(port), l.FarEnd(port)
	at := counter.PriorityCell(port, 3, 0)
	cells := l.Counters()[at : at+int(counter.PriorityCount)]
	return map[string]uint64{
		"pauses to the peers": r.PausesToPeers[3], "peers held": r.PeersHeld[3], "pauses from the peers": r.PausesFromPeers[3],
		"switch drops": r.SwitchDrops[3], "peer drops": r.PeerDrops[3], "unheeded": r.Unheeded[3], "lost notices": r.LostNotices,
		"no buffer": far.NoBuffer, "out of order at the peers": far.PeerResponderOutOfOrder,
		"pause sent": cells[counter.PauseSent], "pause received": cells[counter.PauseReceived], "held": cells[counter.SelfPaused],
		"discarded": cells[counter.PriorityDiscarded], "sent": cells[counter.PrioritySentBytes], "received": cells[counter.PriorityReceivedBytes],
	}
}

func narrow(l *Lab, _ int) error { return l.SetSlot(0, 1, 4) }

// withoutControl turns congestion control of the port and its peers off, which would end a congestion before pauses are needed.
func withoutControl(l *Lab, port int) error {
	s := l.Settings(port)
	for i := range 8 {
		s.Congestion[i], s.Congestion[8+i] = 0, 0
	}
	return l.Configure(port, s)
}

const slowPeer = "10.7.0.21" // of SMB Direct writes at Ethernet 7

func TestTheFarEndCounts(t *testing.T) {
	t.Parallel()
	pfc, off, none := description.PriorityPause, description.NoFlowControl, uint8(0)
	slow := setup.FarEnd{SlowPeer: slowPeer, Takes: 0.05}
	with := func(f setup.FarEnd, change func(*setup.FarEnd)) setup.FarEnd { change(&f); return f }
	off8 := new(uint8)
	for _, c := range []remoteCase{
		{"agreement", setup.FarEnd{Reacts: off8}, narrow, []string{"pauses to the peers", "peers held", "pause sent", "received"}, []string{"switch drops", "discarded"}},
		{"no PFC at the far adapter", setup.FarEnd{AdapterFlowControl: &off, Reacts: off8}, narrow, []string{"switch drops", "no buffer", "pause sent"}, []string{"pauses to the peers", "discarded"}},
		{"PFC on other priorities at the far adapter", setup.FarEnd{AdapterFlowControl: &pfc, AdapterLossless: &none, Reacts: off8}, narrow, []string{"switch drops"}, []string{"pauses to the peers", "discarded"}},
		{"no PFC at the second switch port", setup.FarEnd{Lossless: &none, Reacts: off8}, narrow, []string{"switch drops", "pause sent"}, []string{"pauses to the peers", "discarded"}},
		{"the far adapter takes the settings by DCBX", setup.FarEnd{AdapterFlowControl: &off, AdapterWilling: true, Reacts: off8}, func(l *Lab, port int) error {
			s := l.SwitchPort(port)
			s.DCBX = description.IEEE
			if err := l.SetSwitchPort(port, s); err != nil {
				return err
			}
			return narrow(l, port)
		}, []string{"pauses to the peers"}, []string{"switch drops"}},
		{"a slow peer", with(slow, func(f *setup.FarEnd) { f.Notifies = off8 }), withoutControl, []string{"pauses from the peers", "pause received", "held"}, []string{"switch drops", "peer drops", "unheeded"}},
		{"a slow peer and no PFC at it", with(slow, func(f *setup.FarEnd) { f.Notifies, f.AdapterFlowControl = off8, &off }), withoutControl,
			[]string{"peer drops", "out of order at the peers"}, []string{"pauses from the peers", "pause received", "switch drops"}},
		{"a slow peer and no PFC at the first switch port", with(slow, func(f *setup.FarEnd) { f.Notifies, f.FlowControl, f.Lossless = off8, &pfc, new(uint8(8)) }), func(l *Lab, port int) error {
			s := l.SwitchPort(port)
			s.FlowControl = off
			if err := l.SetSwitchPort(port, s); err != nil {
				return err
			}
			return withoutControl(l, port)
		}, []string{"switch drops", "pauses from the peers", "out of order at the peers"}, []string{"peer drops", "pause received", "unheeded"}},
		{"pauses that the host ignores", setup.FarEnd{}, func(l *Lab, port int) error {
			s, far := l.Settings(port), l.SwitchPort(port)
			s.Lossless, far.PauseShare, far.PausePriority = 0, 0.5, 3
			if err := l.SetSwitchPort(port, far); err != nil {
				return err
			}
			return l.Configure(port, s)
		}, []string{"unheeded", "switch drops", "no buffer", "sent"}, []string{"pause received", "held"}},
		{"lost notifications", setup.FarEnd{DropsCNPs: true}, narrow, []string{"lost notices", "pauses to the peers"}, []string{"switch drops"}},
		{"the far end agrees and congestion control acts", setup.FarEnd{}, func(*Lab, int) error { return nil }, []string{"received"}, []string{"switch drops", "peer drops", "lost notices"}},
		{"the peers mark with another DSCP", setup.FarEnd{DSCP: &dscp.Map{0, 8, 16, 40}}, func(l *Lab, port int) error {
			s, far := l.Settings(port), l.SwitchPort(port)
			s.TrustDSCP, s.DSCP, far.Trust = true, dscp.ConsistentMap(), setup.TrustDSCP
			if err := l.SetSwitchPort(port, far); err != nil {
				return err
			}
			if err := l.Configure(port, s); err != nil {
				return err
			}
			return narrow(l, port)
		}, []string{"sent"}, []string{"pauses to the peers"}},
	} {
		l := newLab(t, 1)
		port := 0
		for l.Connection(port) != "Ethernet 7" {
			port++
		}
		l.Advance(time.Second)
		if err := l.SetFarEnd(port, c.far); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := c.change(l, port); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		before := figures(l, port)
		l.Advance(20 * time.Second)
		after := figures(l, port)
		for _, name := range c.moves {
			if after[name] == before[name] {
				t.Errorf("%s: %s stays %d", c.name, name, after[name])
			}
		}
		for _, name := range c.still {
			if after[name] != before[name] {
				t.Errorf("%s: %s rises from %d to %d", c.name, name, before[name], after[name])
			}
		}
		if data, err := l.Save(); err != nil {
			t.Error(err)
		} else if again, err := Restore(l.Description(), data); err != nil || !again.Same(l) {
			t.Errorf("%s: a saved far end is another one: %v", c.name, err)
		}
		if err := l.SetFarEnd(port, setup.FarEnd{}); err != nil || l.setup.FarEnds != nil {
			t.Errorf("%s: the default is kept as %v, %v", c.name, l.setup.FarEnds, err)
		}
	}
}

// TestALabSavedWithoutTheFarEnd: a lab that an earlier version saved has no state of the second cable.
func TestALabSavedWithoutTheFarEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	data, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	lists := l.movingLists()
	last, err := lists[len(lists)-1].Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	old, err := Restore(l.Description(), data[:len(data)-len(last)])
	if err != nil {
		t.Fatal(err)
	}
	if !old.Same(l) || old.RemotePath(0) != (farend.Path{}) {
		t.Error("it is another lab")
	}
	if _, err := Restore(l.Description(), data[:len(data)-len(last)/2]); err == nil {
		t.Error("half of the state is read")
	}
}

func TestFarEndsThatDoNotExist(t *testing.T) {
	t.Parallel()
	unknown := description.FlowControl(9)
	l := newLab(t, 1)
	for _, f := range []setup.FarEnd{
		{FlowControl: &unknown}, {AdapterFlowControl: &unknown}, {SlowPeer: slowPeer}, {Takes: 0.5}, {SlowPeer: "x", Takes: 0.5},
		{SlowPeer: slowPeer, Takes: 2}, {SlowPeer: slowPeer, Takes: -1}, {DSCP: &dscp.Map{64}},
		{Shares: "nothing"}, {Shares: l.Connection(0)}, {Shares: "Ethernet 4"},
	} {
		if err := l.SetFarEnd(0, f); err == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
	if err := l.SetFarEnd(-1, setup.FarEnd{}); err == nil {
		t.Error("port -1 has a far end")
	}
	for port := range l.Ports() {
		if d, _, _ := l.Port(port); d.Link == description.InfiniBand && l.SetFarEnd(port, setup.FarEnd{AdapterWilling: true}) == nil {
			t.Error("an InfiniBand port has one")
		}
	}
}
