package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// netAdapter is what Hyper-V calls the first network adapter of a machine.
const netAdapter = "Network Adapter"

// What a card is told of virtual functions counts until there is a value for all cards, which then wins (IOV-1).
func TestCardCountsUntilAllCardsAreTold(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	used := func() uint32 {
		t.Helper()
		n, ok := h.number(must(h.port("Ethernet 3")), "MaxVFPort1", registry.BusDevice)
		if !ok {
			t.Fatal("MaxVFPort1 of the card has no value")
		}
		return n
	}
	card := func(value string) Operation {
		return edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-device/MaxVFPort1", Value: value}
	}
	all := edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/MaxVFPort1", Value: "4"}
	for _, step := range []struct {
		do   Operation
		want uint32
	}{
		{card("8"), 8}, {all, 4}, {card("10"), 4},
		{edit.DeleteValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/MaxVFPort1"}, 10},
	} {
		mustApply(t, h, step.do, adapters.ReloadDriver{Driver: "mlx4"})
		h.Advance(longestStart)
		if got := used(); got != step.want {
			t.Errorf("after it was to %s, the driver uses %d, want %d", step.do.Describe(), got, step.want)
		}
	}
}

// The ports of a card report its virtual functions: both ports together.
func TestPortsKnowTheVirtualFunctionsOfTheirCard(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	for port := range h.miniports {
		_, card, _ := h.lab.Port(port)
		want := 0
		for other := range h.miniports {
			if _, c, _ := h.lab.Port(other); c == card {
				want += h.lab.VirtualFunctions(other)
			}
		}
		if got := h.facts(port).VFs; got != want {
			t.Errorf("port %d knows of %d virtual functions, want %d", port, got, want)
		}
	}
}

// The limit of memory counts for the virtual machines that come: no restart of the adapter makes it count, none is
// planned, and a reboot does.
func TestLimitOfMemoryCountsForNewMachines(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	plan := Plan{Title: "limit", Operations: []Operation{set("Ethernet 7", "MaxFWPagesUsagePerVF", "1000")}}
	if done := h.Complete(plan); len(done.Operations) != 1 {
		t.Errorf("it was completed to %v", done.Operations)
	}
	found := false
	for _, c := range h.Review(plan).Warnings {
		found = found || strings.Contains(c.Text, "virtual machines that are created or started later")
	}
	if !found {
		t.Error("no caution says when it counts")
	}
	mustApply(t, h, plan.Operations[0], adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(longestStart)
	if k := mustKey(t, h, "Ethernet 7", "MaxFWPagesUsagePerVF"); !k.Pending {
		t.Error("a restart of the adapter made it count")
	}
	mustApply(t, h, adapters.Reboot{Host: h.lab.Description().Host.Name})
	h.Advance(longestStart)
	if k := mustKey(t, h, "Ethernet 7", "MaxFWPagesUsagePerVF"); k.Pending || k.Effective.String() != "1000" {
		t.Errorf("after a reboot it is %v, pending: %v", k.Effective, k.Pending)
	}
}

// longestStart is more than a reboot takes.
const longestStart = stopTime + bootTime + 2*startTime

// Virtual functions vanish with the keys that close them, with their part of the counters, and return.
func TestKeysOpenVirtualFunctions(t *testing.T) {
	t.Parallel()
	large := description.Large()
	large.Adapters = large.Adapters[:1]
	large.Flows = slices.DeleteFunc(slices.Clone(large.Flows), func(f description.Flow) bool {
		return f.Port != "Ethernet 1" && f.Port != "Ethernet 2"
	})
	large.Faults = nil
	winOF := *large
	winOF.Adapters = slices.Clone(large.Adapters)
	winOF.Adapters[0].Family, winOF.Adapters[0].DeviceID = description.WinOF, 0x1007
	winOF.Adapters[0].Ports = slices.Clone(large.Adapters[0].Ports)
	for i := range winOF.Adapters[0].Ports {
		winOF.Adapters[0].Ports[i].VirtualFunctions = 30
	}
	bus := func(key, value string) Operation {
		return edit.SetValue{Adapter: winOF.Adapters[0].Name, Key: "bus-device/" + key, Value: value}
	}
	load, start := adapters.ReloadDriver{Driver: "mlx4"}, adapters.RestartAdapter{Connection: "Ethernet 1"}
	for name, c := range map[string]struct {
		lab  *description.Description
		do   []Operation
		want [2]int
	}{
		"as described":         {&winOF, []Operation{load}, [2]int{30, 30}},
		"PermitSriov":          {&winOF, []Operation{bus("PermitSriov", "0"), load}, [2]int{0, 0}},
		"not before a reload":  {&winOF, []Operation{bus("PermitSriov", "0"), start}, [2]int{30, 30}},
		"SriovPortMode":        {&winOF, []Operation{bus("SriovPortMode", "1"), load}, [2]int{0, 32}},
		"MaxVFPort1":           {&winOF, []Operation{bus("MaxVFPort1", "5"), load}, [2]int{5, 30}},
		"NumVFs of the other":  {&winOF, []Operation{virtualization.SetNumVFs{Connection: "Ethernet 2", NumVFs: 3}}, [2]int{30, 3}},
		"MaxVFPort2, too many": {&winOF, []Operation{bus("MaxVFPort2", "1000"), load}, [2]int{1, 32}},
		"*SRIOV":               {large, []Operation{set("Ethernet 1", "*SRIOV", "0"), start}, [2]int{0, 127}},
		"*SRIOV is deleted":    {large, []Operation{edit.DeleteValue{Connection: "Ethernet 1", Key: "*SRIOV"}, start}, [2]int{0, 127}},
	} {
		lab, err := device.New(c.lab, 1)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		h.Advance(time.Second)
		mustApply(t, h, c.do...)
		h.Advance(longestStart)
		if got := [2]int{h.lab.VirtualFunctions(0), h.lab.VirtualFunctions(1)}; got != c.want {
			t.Errorf("%s: the ports have %v virtual functions, want %v", name, got, c.want)
		}
		if v := h.View().Adapters[0].Ports; v[0].VirtualFunctions != c.want[0] || v[1].VirtualFunctions != c.want[1] {
			t.Errorf("%s: the view has %d and %d", name, v[0].VirtualFunctions, v[1].VirtualFunctions)
		}
		before := h.lab.Counters()[h.lab.FunctionCell(0, 0, counter.FunctionReceivedBytes)]
		if (before > 0) != (c.want[0] > 0) {
			t.Errorf("%s: the first one received %d bytes", name, before)
		}
	}
}

// What the drivers say when they are loaded: their RoCE mode, and that there are virtual functions; at other starts
// nothing.
func TestLoadedDriverLogsItsModes(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for _, c := range []struct {
		do   []Operation
		want string
	}{
		{[]Operation{adapters.RestartAdapter{Connection: "Ethernet 3"}}, ""},
		{[]Operation{adapters.ReloadDriver{Driver: "mlx4"}}, "RoCE mode in use: v2"},
		{[]Operation{set("Ethernet 3", "roce_mode", "5"), adapters.ReloadDriver{Driver: "mlx4"}}, "RoCE mode in use: v1.25"},
		{[]Operation{set("Ethernet 3", "roce_mode", "0"), adapters.Reboot{Host: h.lab.Description().Host.Name}}, "RoCE mode in use: v1"},
	} {
		from, got := h.events.Last(), ""
		mustApply(t, h, c.do...)
		h.Advance(longestStart)
		for _, e := range h.EventsAfter(from) {
			if e.Key == "mlx4.roce-mode-in-use" {
				got = e.Message
			}
		}
		if got != c.want {
			t.Errorf("after %v: %q, want %q", c.do, got, c.want)
		}
	}
}
