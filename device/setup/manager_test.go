package setup

import (
	"testing"

	"cxdeck/device/description"
)

// TestWhoManagesASubnet: a manager of the host manages where the switch has none; when it ends, active ports stay active.
func TestWhoManagesASubnet(t *testing.T) {
	t.Parallel()
	l := Lab{Ports: make([]Port, 2), Switches: make([]SwitchPort, 2)}
	expect := func(when string, want description.SubnetManager) {
		t.Helper()
		if got := l.Manager(1); got != want {
			t.Errorf("%s: %v, not %v", when, got, want)
		}
	}
	set := func(m description.SubnetManager) { l.SetSwitch(1, SwitchPort{SubnetManager: m}) }
	expect("at first", description.SubnetManaged)
	set(description.SubnetAbsent)
	expect("without a manager", description.SubnetAbsent)
	l.Serve(1, Served)
	expect("served", description.SubnetManaged)
	l.Serve(1, Unserved)
	expect("no longer served", description.SubnetDown)
	set(description.SubnetDown)
	expect("the switch has stopped its manager", description.SubnetDown)
	if l.Served != nil {
		t.Errorf("the list is kept: %v", l.Served)
	}
	set(description.SubnetAbsent)
	l.Serve(1, Unserved)
	expect("never served", description.SubnetAbsent)
	l.Serve(1, ServedVirtual)
	if l.Switches[1].IgnoresVirtual = true; !l.ManagesVirtual(1) {
		t.Error("the switch has a say while another manager serves the port")
	}
	if l.Serve(1, Served); l.ManagesVirtual(1) {
		t.Error("an OpenSM without virtual ports manages them")
	}
	links := []description.LinkType{description.Ethernet, description.InfiniBand}
	for _, c := range []struct {
		list []Service
		good bool
	}{{nil, true}, {[]Service{0, 1}, true}, {[]Service{1, 0}, false}, {[]Service{0, 5}, false}, {[]Service{0}, false}} {
		if l.Served = c.list; (l.checkServed(links) == nil) != c.good {
			t.Errorf("%v: %v", c.list, l.checkServed(links))
		}
	}
}
