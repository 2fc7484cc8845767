package mpi

import (
	"net/netip"
	"reflect"
	"testing"
)

// TestSetHost: a change of a host has an inverse, the list keeps only hosts that differ from new ones, and a reboot ends smpd.
func TestSetHost(t *testing.T) {
	t.Parallel()
	peer := netip.MustParseAddr("10.7.0.21")
	s := &State{}
	var inverses []Operation
	for _, o := range []SetHost{
		{Port: new(19020)}, {Address: peer, Port: new(19020), Provider: new(false)}, {Address: peer, Pack: new("3.0.2369.0")}, {Address: peer, Pack: new(DefaultPack), Port: new(0)},
	} {
		back, err := o.Inverse(s)
		if err != nil {
			t.Fatalf("%s: %v", o.Describe(), err)
		}
		if err := o.Apply(s); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatalf("%s: %v", o.Describe(), err)
		}
		inverses = append(inverses, back)
	}
	if got := s.Find(peer); got != (Host{Address: peer, NoProvider: true}) {
		t.Errorf("got %+v", got)
	}
	for i := len(inverses) - 1; i >= 0; i-- {
		if err := inverses[i].Apply(s); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(s, &State{}) {
		t.Errorf("after undo %+v", s)
	}
	_ = SetHost{Port: new(1)}.Apply(s)
	if s.Boot(); s.Hosts != nil {
		t.Errorf("after a reboot %+v", s)
	}
}

// TestRefusals: invalid changes and damaged states are refused.
func TestRefusals(t *testing.T) {
	t.Parallel()
	peer := netip.MustParseAddr("10.7.0.21")
	s := &State{Hosts: []Host{{Address: peer, Port: 19020}}}
	for _, o := range []SetHost{
		{}, {Address: peer, Port: new(19020)}, {Address: peer, Port: new(1)}, {Port: new(-1)}, {Port: new(70000)}, {Port: new(0)}, {Pack: new("x")}, {Provider: new(false)},
		{Address: netip.MustParseAddr("224.0.0.1"), Port: new(1)}, {Address: netip.MustParseAddr("fe80::1%a"), Port: new(1)},
	} {
		if _, err := o.Inverse(s); err == nil {
			t.Errorf("%q is accepted", o.Describe())
		}
	}
	for _, bad := range []State{{Hosts: []Host{{Port: -1}}}, {Hosts: []Host{{Address: peer}, {Address: peer}}}, {Hosts: make([]Host, maxHosts+1)}, {Hosts: []Host{{Pack: "a"}}}} {
		if bad.Check() == nil {
			t.Errorf("%.80v is accepted", bad)
		}
	}
}
