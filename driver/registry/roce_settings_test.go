package registry

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/limits"
)

// settled are the settings of a port with some numbers stored, by scope and name.
func settled(family description.Family, link description.LinkType, stored map[string]Value) setup.Port {
	e := Read(Keys(family), facts(link), func(r *Row) Value {
		if v, ok := stored[string(r.Scope)+"/"+r.Name]; ok {
			return v
		}
		return stored[r.Name]
	})
	return e.Settings(setup.DefaultPort(family, &description.Port{MaxFrame: 1514}))
}

// TestRoCEOfTheKeys: which mode of RoCE the keys of the adapter and the driver make (ROCE-1, ROCE-2).
func TestRoCEOfTheKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		family description.Family
		link   description.LinkType
		stored map[string]Value
		want   description.RoCEMode
	}{
		{winof2, eth, nil, description.RoCEv2},
		{winof2, eth, n("miniport/roce_mode", 0), description.RoCEv1},
		{winof2, eth, n("miniport/roce_mode", 4), description.NoRoCE},
		{winof2, eth, n("miniport/roce_mode", 2, "driver-roce/roce_mode", 0), description.RoCEv2},
		{winof, eth, n("driver-roce/roce_mode", 0), description.RoCEv1},
		{winof, eth, n("driver-roce/roce_mode", 2), description.RoCEv2},
		{winof, eth, n("driver-roce/roce_mode", 4), description.NoRoCE},
		{winof, eth, n("driver-roce/roce_mode", 5), description.RoCEv1},
		{winof2, eth, n("miniport/roce_mode", 2, "*NetworkDirect", 0), description.NoRoCE},
		{winof2, eth, n("miniport/roce_mode", 2, "*NetworkDirect", 1), description.RoCEv2},
		{winof, ib, n("driver-roce/roce_mode", 4), setup.DefaultPort(winof, &description.Port{}).RoCE}, // InfiniBand has none to change
	} {
		if got := settled(c.family, c.link, c.stored).RoCE; got != c.want {
			t.Errorf("family %v, link %v, %v: mode %v, want %v", c.family, c.link, c.stored, got, c.want)
		}
	}
}

// TestRoCEPortMismatch: another UDP port than the peers' counts where the mode has one.
func TestRoCEPortMismatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored  map[string]Value
		unheard bool
	}{
		{nil, false},
		{n("driver-roce/roce_mode", 2, "roce_udp_dport", 1021), true},
		{n("driver-roce/roce_mode", 2, "roce_udp_dport", 4791), false},
		{n("driver-roce/roce_mode", 0, "roce_udp_dport", 1021), false},
		{n("MaxCMRetries", 1), true},
		{n("MaxCMRetries", 2), false},
	} {
		if got := settled(winof, eth, c.stored).RoCEUnheard; got != c.unheard {
			t.Errorf("%v: unheard: %t", c.stored, got)
		}
	}
}

func TestCreditAndPayloadOfRDMA(t *testing.T) {
	t.Parallel()
	if s := settled(winof2, eth, n("RoceMaxFrameSize", 512)); s.RDMAPayload != 512 {
		t.Errorf("a payload of 512 is %d", s.RDMAPayload)
	}
	standard := settled(winof2, eth, nil).RDMAPayload
	if s := settled(winof2, eth, n("RoceMaxFrameSize", 1024)); s.RDMAPayload != standard {
		t.Errorf("the default payload is %d when it is stored, and %d when it is not", s.RDMAPayload, standard)
	}
	for value, want := range map[int]bool{0: true, 1: false} {
		for _, family := range []description.Family{winof, winof2} {
			if _, ok := Keys(family).Find("RoceRcE2EFlowControlEnable", BusDriver); !ok {
				continue
			}
			if s := settled(family, eth, n("RoceRcE2EFlowControlEnable", value)); s.SendsWithoutCredit != want {
				t.Errorf("RoceRcE2EFlowControlEnable of %d sends without credit: %t", value, s.SendsWithoutCredit)
			}
		}
	}
}

// TestPriorityOfNotifications: a priority of their own counts in the mode that has one (DCQ-2).
func TestPriorityOfNotifications(t *testing.T) {
	t.Parallel()
	standard := settled(winof2, eth, nil)
	for _, c := range []struct {
		stored map[string]Value
		want   int
	}{
		{n("DcqcnCnpPrioMode", 0, "DcqcnCnp802pPrio", 3), 3},
		{n("DcqcnCnpPrioMode", 1, "DcqcnCnp802pPrio", 3), standard.NoticePriority},
	} {
		s := settled(winof2, eth, c.stored)
		if s.NoticePriority != c.want || s.Congestion[dcqcn.NotificationPriority] != 3 {
			t.Errorf("%v: priority %d, want %d", c.stored, s.NoticePriority, c.want)
		}
	}
}

// TestVMQInPlaceOfRSS: the preference for VMQ, and Windows without RSS, leave a port without RSS.
func TestVMQInPlaceOfRSS(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored        map[string]Value
		rss, machines bool
	}{
		{n("*RSS", 1, "*RssOrVmqPreference", 0), true, false},
		{n("*RSS", 1, "*RssOrVmqPreference", 1, "*VMQ", 1), false, true},
		{n("*RSS", 1, "*RssOrVmqPreference", 1, "*VMQ", 0), false, false},
		{n("*RSS", 1, "EnableRSS", 1), true, false},
		{n("*RSS", 1, "EnableRSS", 0), false, false},
	} {
		if s := settled(winof2, eth, c.stored); s.RSS != c.rss || s.MachineQueues != c.machines {
			t.Errorf("%v: RSS %t, queues of machines %t", c.stored, s.RSS, s.MachineQueues)
		}
	}
}

func TestProcessorOfSends(t *testing.T) {
	t.Parallel()
	for stored, want := range map[uint32]int{0: 0, 7: 7, Automatic: -1} {
		if s := settled(winof, eth, map[string]Value{"TxInterruptProcessor": NumberValue(stored)}); s.SendProcessor != want {
			t.Errorf("TxInterruptProcessor of %d sends on processor %d", stored, s.SendProcessor)
		}
	}
}

// TestProcessorsOfANode: the second node begins where the first one ends.
func TestProcessorsOfANode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		processors, nodes int
		stored            map[string]Value
		want              uint32
	}{
		{32, 2, nil, 32}, {32, 2, n("*NumaNodeID", 0), 16}, {32, 2, n("*NumaNodeID", 1), 16}, {32, 2, n("*RssBaseProcNumber", 20), 12},
		{32, 2, n("*RssBaseProcNumber", 20, "*NumaNodeID", 0), 0}, {128, 2, n("*RssBaseProcGroup", 1), 64}, {128, 2, nil, 64},
		{96, 1, n("*RssBaseProcGroup", 1, "*RssBaseProcNumber", 30), 2}, {0, 0, nil, maxProcessors},
	} {
		f := facts(description.Ethernet)
		f.Processors, f.Nodes = c.processors, c.nodes
		e := Read(Keys(winof2), f, func(r *Row) Value { return c.stored[r.Name] })
		if got := e.availableProcessors(); got != c.want {
			t.Errorf("%d processors in %d nodes with %v: %d are left, want %d", c.processors, c.nodes, c.stored, got, c.want)
		}
	}
}

// TestWordsBeginWhereLettersEnd: a search finds words at their beginning, and no letters within them.
func TestWordsBeginWhereLettersEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"word": true, "a word": true, "a-word": true, "(words)": true, "aword": false, "zword": false, "0word": false, "9word": false,
		"äword": false, "": false, "wor": false, "aword word": true, "`word": true, "{word": true, "/word": true, ":word": true, "xword, aword": false,
		"\x7fword": true, "\x80word": false,
	} {
		if lowerText(text).hasWord("word") != want {
			t.Errorf("%q has the word: %t", text, !want)
		}
	}
}

// TestTypedNumbers names the ends of the range that there are, and else the choices.
func TestTypedNumbers(t *testing.T) {
	t.Parallel()
	low, high := uint32(2), uint32(9)
	choices := []Choice{{Value: 1}, {Value: 4}}
	for _, c := range []struct {
		least, most *uint32
		choices     []Choice
		want        string
	}{
		{&low, &high, nil, "an integer from 2 to 9, such as 1"}, {nil, &high, choices, "an integer up to 9, such as 1"},
		{&low, nil, choices, "an integer from 2 on, such as 1"}, {nil, nil, nil, "an integer, such as 1"}, {nil, nil, choices, "1 or 4"},
	} {
		if got := (&Row{Choices: c.choices}).numbers(c.least, c.most); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	text := &Row{Name: "Text", Type: Text}
	if v, err := text.Parse(strings.Repeat("x", maxTextSize)); err != nil || len(v.String()) != maxTextSize {
		t.Errorf("the longest text: %v", err)
	}
	if v := DataValue(1, []byte{0, 0}); v != TextValue("") {
		t.Errorf("a zero alone is %v", v)
	}
}

// TestStoredValuesAndTheirVersions: a value that asks for a feature is held against the versions of the port.
func TestStoredValuesAndTheirVersions(t *testing.T) {
	t.Parallel()
	r, ok := Keys(winof).Find("roce_mode", RoCE)
	if !ok || len(r.Limits()) == 0 {
		t.Fatal("the mode of RoCE needs no version")
	}
	old := &limits.Facts{Family: winof, Firmware: "2.10.0", System: "Windows Server 2008 R2"}
	recent := &limits.Facts{Family: winof, Firmware: "2.42.5000", System: "Windows Server 2016", Driver: "5.50"}
	for _, c := range []struct {
		versions *limits.Facts
		value    Value
		bound    bool
	}{{recent, NumberValue(2), false}, {old, NumberValue(2), true}, {old, NumberValue(4), false}, {nil, NumberValue(2), false}, {old, Value{}, false}, {old, TextValue("x"), false}} {
		f := facts(description.Ethernet)
		f.Versions = c.versions
		e := Read(Keys(winof), f, func(*Row) Value { return Value{} })
		if got := e.limits(r, c.value); (len(got) > 0) != c.bound {
			t.Errorf("%v with %v: %q", c.value, c.versions, got)
		}
	}
}

// TestACardOfBothLinksKeepsRoCE: Ethernet without RoCE beside InfiniBand is not supported on WinOF (FAM-6).
func TestACardOfBothLinksKeepsRoCE(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		family description.Family
		beside bool
		types  int // PortType; -1: not stored
		mode   int
		want   uint32
		mixed  bool
	}{
		{winof, true, -1, 4, 5, true}, {winof, false, -1, 4, 4, false}, {winof, true, -1, 2, 2, false}, {winof2, true, -1, 4, 4, false},
		{winof, true, 0x12, 4, 5, true}, {winof, true, 0x33, 4, 4, true}, {winof, true, 0, 4, 4, true}, {winof, false, 0x33, 4, 4, false},
		{winof, true, 0x33, 2, 2, false},
	} {
		f := facts(description.Ethernet)
		f.BesideInfiniBand = c.beside
		stored := n("roce_mode", c.mode)
		if c.types >= 0 {
			stored["PortType"] = n("PortType", c.types)["PortType"]
		}
		e := Read(Keys(c.family), f, func(r *Row) Value { return stored[r.Name] })
		scopes := []Scope{RoCE, Miniport}
		i := slices.IndexFunc(scopes, func(s Scope) bool { _, ok := Keys(c.family).Find("roce_mode", s); return ok })
		r, _ := Keys(c.family).Find("roce_mode", scopes[i])
		if got := e.Reading(r); got.Value.Number() != c.want || got.Mixed() != c.mixed {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// A firmware without RoCE has no v1.5 either: the key says what the driver uses (FAM-6, ROCE-5).
func TestAnOldFirmwareLeavesRoCEOffBesideInfiniBand(t *testing.T) {
	t.Parallel()
	r, _ := Keys(winof).Find("roce_mode", RoCE)
	for firmware, want := range map[string]uint32{"2.30.2000": NoRoCE, "2.30.3000": RoCEIP, "2.42.5000": RoCEIP} {
		f := facts(description.Ethernet)
		f.BesideInfiniBand, f.Firmware = true, firmware
		e := Read(Keys(winof), f, func(row *Row) Value { return n("roce_mode", NoRoCE)[row.Name] })
		if got := e.Reading(r); got.Value.Number() != want || got.Mixed() != (want == RoCEIP) {
			t.Errorf("firmware %s: %+v", firmware, got)
		}
	}
}

// TestPowerShellShowsTheRoCEModeThatItSets, and 0 for the mode that it can't set.
func TestPowerShellShowsTheRoCEModeThatItSets(t *testing.T) {
	t.Parallel()
	for parameter := range 3 {
		if mode, ok := RoCEOfPowerShell(parameter); !ok || RoCEInPowerShell(mode) != parameter {
			t.Errorf("-RoceMode %d is shown as %d", parameter, RoCEInPowerShell(mode))
		}
	}
	if got := RoCEInPowerShell(RoCEIP); got != 0 {
		t.Errorf("v1 addressed by IP is shown as %d", got)
	}
}
