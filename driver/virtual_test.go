package driver

import (
	"strings"
	"testing"

	"cxdeck/driver/registry"
)

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
		return SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-device/MaxVFPort1", Value: value}
	}
	all := SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/MaxVFPort1", Value: "4"}
	for _, step := range []struct {
		do   Operation
		want uint32
	}{
		{card("8"), 8}, {all, 4}, {card("10"), 4},
		{DeleteValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/MaxVFPort1"}, 10},
	} {
		mustApply(t, h, step.do, ReloadDriver{"mlx4"})
		h.Advance(longestStart)
		if got := used(); got != step.want {
			t.Errorf("after it was to %s, the driver uses %d, want %d", step.do.Describe(), got, step.want)
		}
	}
}

// The ports of a card know how many virtual functions it has: those of both together.
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

// The limit of memory counts for the virtual machines that come: no restart of the adapter makes it count, none is planned,
// and a reboot does.
func TestLimitOfMemoryCountsForNewMachines(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	plan := Plan{"limit", []Operation{set("Ethernet 7", "MaxFWPagesUsagePerVF", "1000")}}
	if done := h.Complete(plan); len(done.Operations) != 1 {
		t.Errorf("it was completed to %v", done.Operations)
	}
	found := false
	for _, c := range h.Review(plan).Warnings {
		found = found || strings.Contains(c.Text, "virtual machines that are made or started from then on")
	}
	if !found {
		t.Error("no caution says when it counts")
	}
	mustApply(t, h, plan.Operations[0], RestartAdapter{"Ethernet 7"})
	h.Advance(longestStart)
	if k := mustKey(t, h, "Ethernet 7", "MaxFWPagesUsagePerVF"); !k.Pending {
		t.Error("a restart of the adapter made it count")
	}
	mustApply(t, h, Reboot{h.lab.Description().Host.Name})
	h.Advance(longestStart)
	if k := mustKey(t, h, "Ethernet 7", "MaxFWPagesUsagePerVF"); k.Pending || k.Effective.String() != "1000" {
		t.Errorf("after a reboot it is %v, pending: %v", k.Effective, k.Pending)
	}
}

// longestStart is more than a reboot takes.
const longestStart = stopTime + bootTime + 2*startTime
