package site

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/trap"
)

// TestTraps: each event is a notice with its issuer and port; a link that changes makes the master sweep; other traps are not repeated
// within a minute.
func TestTraps(t *testing.T) {
	t.Parallel()
	s := described(t)
	now := time.Duration(0)
	seen := uint64(0)
	expect := func(when, want string) {
		t.Helper()
		for range 3 {
			now += time.Second
			s.Advance(now)
		}
		var got []string
		for i := range s.Notices {
			if n := &s.Notices[i]; n.Serial > seen {
				seen = n.Serial
				if lid := s.Fabric.Nodes[s.Fabric.Named(n.Node)].EndPort(max(n.Port, s.Fabric.Nodes[s.Fabric.Named(n.Node)].First())).LID; lid != n.LID || n.At > now {
					t.Errorf("%s: LID %d and time %s of %s", when, n.LID, n.At, n.Node)
				}
				got = append(got, strings.TrimPrefix(n.LogLines()[0], "log_trap_info: Received Generic Notice "))
				if cut := strings.Index(got[len(got)-1], " TID"); cut > 0 {
					got[len(got)-1] = got[len(got)-1][:cut]
				}
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, expected %q", when, got, want)
		}
	}
	f := s.Fabric
	expect("at first", "")
	host := infiniband.Place{Node: f.Named("STORAGE-1 HCA-1"), Port: 1}
	leaf := f.At(host).Far
	lid := f.End(leaf).LID
	sweeps := func() (n uint32) {
		for _, m := range s.Managers {
			n += m.Activity
		}
		return n
	}
	before := sweeps()
	f.SetUnplugged(host, true)
	s.Changed()
	link := "type:1 num:128 (Link state change) Producer:2 (Switch) from LID:" + decimal(lid)
	expect("a cable is out", link)
	if sweeps() == before {
		t.Error("no manager swept after the trap")
	}
	f.SetUnplugged(host, false)
	s.Changed()
	expect("a cable is in", link)
	f.At(leaf).SymbolErrors = 500
	expect("a bad cable", "type:1 num:129 (Local Link integrity threshold reached) Producer:2 (Switch) from LID:"+decimal(lid)+" Port "+decimal(uint16(leaf.Port)))
	if got := f.At(leaf).Counters.IntegrityErrors; got != 3 {
		t.Errorf("the port counts %d errors of integrity in 3 s", got)
	}
	expect("a bad cable goes on", "")
	f.At(host).PKeys = []description.PKey{0x8001}
	var keys []string
	for i := range s.flows {
		if w := &s.flows[i]; w.gbps > 0 && (w.from == host || w.to == host) {
			keys = append(keys, "type:2 num:259 (Bad P_Key (switch external port)) Producer:2 (Switch) from LID:"+decimal(f.End(f.At(w.from).Far).LID))
		}
	}
	expect("another partition", strings.Join(keys, "; "))
	text, err := json.Marshal(s.Save())
	if err != nil {
		t.Fatal(err)
	}
	back, saved := described(t), new(Saved)
	if err := json.Unmarshal(text, saved); err != nil {
		t.Fatal(err)
	}
	if err := back.Resume(saved, now, nil); err != nil || len(back.Notices) != len(s.Notices) {
		t.Errorf("%d notices of %d are restored, %v", len(back.Notices), len(s.Notices), err)
	}
	saved.Notices[0].Trap = 7
	if described(t).Resume(saved, now, nil) == nil {
		t.Error("a notice that nobody sends is restored")
	}
	for _, m := range s.Managers {
		s.Stop(m)
	}
	f.SetUnplugged(host, true)
	expect("without a manager", "")
}

func decimal(n uint16) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// TestCommon: a full member talks to all members of its partition, two limited ones do not.
func TestCommon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b []description.PKey
		want bool
	}{
		{[]description.PKey{0xffff}, []description.PKey{0x7fff}, true}, {[]description.PKey{0x7fff}, []description.PKey{0x7fff}, false},
		{[]description.PKey{0x7fff, 0x8001}, []description.PKey{0x7fff, 1}, true}, {nil, []description.PKey{0xffff}, false},
	} {
		if got := common(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// TestNumbers: each trap has a name and a kind.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, kind := range map[trap.Number]trap.Kind{
		trap.LinkState: trap.Urgent, trap.LinkIntegrity: trap.Urgent, trap.BufferOverrun: trap.Urgent, trap.FlowControl: trap.Urgent,
		trap.LocalChange: trap.Informational, trap.SystemGUID: trap.Informational, trap.BadMKey: trap.Security, trap.BadPKey: trap.Security,
		trap.BadQKey: trap.Security, trap.BadSwitchPKey: trap.Security,
	} {
		if n.Kind() != kind || n.Name() == "Unknown" {
			t.Errorf("%d is %s, %s", n, n.Kind(), n.Name())
		}
	}
}
