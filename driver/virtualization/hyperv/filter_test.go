package hyperv

import (
	"testing"

	"cxdeck/device/description"
)

// TestFiltersOfEachFamily has what the vectors of the filter leave out: addresses with WinOF, pairs and LLC with WinOF-2,
// and the list that is turned off (IOV-8 to IOV-12).
func TestFiltersOfEachFamily(t *testing.T) {
	t.Parallel()
	const old, young = description.WinOF, description.WinOF2
	for name, c := range map[string]struct {
		filter    Filter
		ethertype uint16
		foreign   bool
		want      Verdict
	}{
		"a foreign address leaves a ConnectX-3":     {Filter{Family: old, Enabled: true}, IPv4, true, Pass},
		"and not a later card":                      {Filter{Family: young}, IPv4, true, Drop},
		"a later card without a list keeps pauses":  {Filter{Family: young}, FlowControl, false, Drop},
		"and lets LLDP go":                          {Filter{Family: young}, LLDP, false, Pass},
		"a ConnectX-3 without a list keeps nothing": {Filter{Family: old}, LLC, false, Pass},
		"FIP brings FCoE":                           {Filter{old, true, []uint16{FIP}}, FCoE, false, Pass},
		"FCoE brings FIP":                           {Filter{old, true, []uint16{FCoE}}, FIP, false, Pass},
		"LLDP brings neither":                       {Filter{old, true, []uint16{LLDP}}, FIP, false, Corrupt},
		"FIP brings no FCoE on a later card":        {Filter{young, true, []uint16{FIP}}, FCoE, false, Drop},
		"nor FCoE itself IPv4":                      {Filter{young, true, []uint16{FCoE}}, IPv4, false, Drop},
		"LLC in the list of a later card":           {Filter{young, true, []uint16{LLC}}, LLC, false, Drop},
		"IPv6 by default":                           {Filter{Family: old, Enabled: true}, IPv6, false, Pass},
		"pauses by default":                         {Filter{Family: old, Enabled: true}, FlowControl, false, Corrupt},
	} {
		if got := c.filter.Judge(c.ethertype, !c.foreign); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for ethertype, want := range map[uint16]string{IPv4: "IPv4", LLC: "LLC", FlowControl: "0x8808", 0x0101: "0x0101"} {
		if got := EtherTypeName(ethertype); got != want {
			t.Errorf("%#x is called %s, want %s", ethertype, got, want)
		}
	}
}

// TestOldGuestsAreNotRedirected leaves the DHCP traffic of a guest alone whose driver on one of the first cards is 2.50 or older,
// or nobody knows (IOV-13).
func TestOldGuestsAreNotRedirected(t *testing.T) {
	t.Parallel()
	const server, client, other = 67, 68, 53
	for driver, want := range map[string]bool{"": false, "2.49": false, "2.50": false, "2.50.0": false, "2.50.1": true, "2.60": true, "24.4": true} {
		r := Redirect{On: true, Promiscuous: true, OldCard: true, GuestDriver: driver}
		if got := r.ToPhysical(true, client, server); got != want {
			t.Errorf("with the driver %q it is %t", driver, got)
		}
		if r.OldCard = false; !r.ToPhysical(true, client, server) {
			t.Errorf("on a later card with the driver %q it is not redirected", driver)
		}
	}
	r := Redirect{On: true, Promiscuous: true}
	if !r.ToPhysical(true, other, server) || !r.ToPhysical(true, client, other) || r.ToPhysical(true, other, other) || r.ToPhysical(false, client, server) {
		t.Error("the ports of DHCP on either side, and UDP alone, decide")
	}
	if r.Promiscuous = false; r.ToPhysical(true, client, server) {
		t.Error("a physical function that takes its own alone took it")
	}
}

func TestVersionsAreNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, than string
		want          bool
	}{
		{"2.10", "2.9", true}, {"2.9", "2.10", false}, {"10.0", "9.9", true}, {"2.50", "2.50", false}, {"2.50.1", "2.50", true},
		{"2.50.0", "2.50", false}, {"2", "2.50", false}, {"3", "2.50", true}, {"", "2.50", false}, {"new", "2.50", false}, {"2.x", "2.50", false},
	} {
		if got := Newer(c.version, c.than); got != c.want {
			t.Errorf("%q newer than %q: %t", c.version, c.than, got)
		}
	}
}
