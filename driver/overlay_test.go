package driver

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
)

const overlayConnection = "Ethernet 8" // its description has no traffic of virtual machines

// overlayRecords lead from a connection to a machine of another host.
func overlayRecords(connection string) virtualization.NetVirtualization {
	return virtualization.NetVirtualization{
		Lookups: []virtualization.LookupRecord{{
			CustomerAddress: netip.MustParseAddr("172.16.14.6"), ProviderAddress: netip.MustParseAddr("192.168.20.115"), VirtualSubnet: 5001, MAC: description.MAC{0, 0x15, 0x5d, 0x72, 1, 1},
		}},
		CustomerRoutes: []virtualization.CustomerRoute{{
			RoutingDomain: "{11111111-2222-3333-4444-000000005001}", VirtualSubnet: 5001, Prefix: netip.MustParsePrefix("172.16.0.0/16"), NextHop: netip.MustParseAddr("0.0.0.0"), Metric: 255,
		}},
		ProviderAddresses: []virtualization.ProviderAddress{{Connection: connection, Address: netip.MustParseAddr("192.168.20.114"), PrefixLength: 24}},
	}
}

// overlayHost is a host with two machines at a switch, of which the first is in a virtual subnet.
func overlayHost(t *testing.T, s virtualization.SwitchRecord) *Host {
	t.Helper()
	h := newHost(t, 11)
	a := virtualization.NewVMAdapter(netAdapter, s.Name)
	a.VirtualSubnet = 5001
	mustApply(t, h, virtualization.CreateSwitch{Switch: s},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "one", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "two", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, s.Name)}}})
	return h
}

func overlayView(h *Host) *virtualization.VMAdapterView {
	for _, m := range h.View().VMs {
		if m.Name == "one" {
			return &m.Adapters[0]
		}
	}
	return nil
}

// cellsOf are counters of a port.
func cellsOf(h *Host, port int, counters ...counter.Port) (values []uint64) {
	for _, c := range counters {
		values = append(values, h.lab.Counters()[counter.Cell(port, c)])
	}
	return values
}

// TestOverlayAddsItsHeaders sends the packets of a machine in a virtual subnet with 42 bytes more than without records,
// and leaves packets of another machine unchanged (VIRT-6). Undo restores everything.
func TestOverlayAddsItsHeaders(t *testing.T) {
	t.Parallel()
	with := overlayHost(t, virtualization.SwitchRecord{Name: "S", Connection: overlayConnection})
	port := must(with.port(overlayConnection))
	without := with.Clone()
	mustApply(t, with, virtualization.AddNetVirtualization{Records: overlayRecords(overlayConnection)})
	if a := overlayView(with); a.Overlay.Remote.String() != "192.168.20.115" || a.OverlayWhy != "" || a.OverlayPacket != 9000-42 {
		t.Fatalf("it goes to %v, %q, with %d bytes", a.Overlay, a.OverlayWhy, a.OverlayPacket)
	}
	for _, h := range []*Host{with, without} {
		h.Advance(30 * time.Second)
	}
	sums := []counter.Port{counter.SyntheticSentBytes, counter.SyntheticSentPackets, counter.OverlaySentBytes, counter.OverlaySentPackets,
		counter.SyntheticReceivedBytes, counter.SyntheticReceivedPackets, counter.OverlayReceivedPackets}
	now, plain := cellsOf(with, port, sums...), cellsOf(without, port, sums...)
	near := func(what string, a, b uint64) {
		t.Helper()
		if b == 0 || float64(a) < 0.999*float64(b) || float64(a) > 1.001*float64(b) {
			t.Errorf("%s: %d, want about %d", what, a, b)
		}
	}
	near("packets sent", now[1], plain[1])
	near("bytes that sending grew by", now[0]-plain[0], 42*now[3])
	near("bytes that receiving grew by", now[4]-plain[4], 42*now[6])
	near("the part of the first of two machines", now[3], now[1]/2)
	if plain[2] != 0 {
		t.Errorf("without records %d bytes are encapsulated", plain[2])
	}
	two := func(h *Host, c counter.Guest) uint64 {
		a := vmAdapterOf(t, h, "two")
		return h.lab.Counters()[h.lab.GuestCell(a.Port, a.Slot, c)]
	}
	near("bytes of the other machine", two(with, counter.GuestSentBytes), two(without, counter.GuestSentBytes))
	inner := with.lab.Counters()[with.lab.GuestCell(port, vmAdapterOf(t, with, "one").Slot, counter.GuestSentBytes)]
	near("bytes of the machine", inner, now[2])
	if _, err := with.Undo(); err != nil {
		t.Fatal(err)
	}
	before := cellsOf(with, port, counter.OverlaySentPackets)[0]
	with.Advance(5 * time.Second)
	if overlayView(with).Overlay.Subnet != 0 || cellsOf(with, port, counter.OverlaySentPackets)[0] != before {
		t.Error("undone, it is encapsulated still")
	}
}

// TestOverlayFitsTheFrame keeps what is sent within the frames of the port: the machine's packets shrink until the port
// takes 42 bytes more.
func TestOverlayFitsTheFrame(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 6" // of 1514 bytes
	h := overlayHost(t, virtualization.SwitchRecord{Name: "S", Connection: connection})
	port := must(h.port(connection))
	mustApply(t, h, virtualization.AddNetVirtualization{Records: overlayRecords(connection)})
	mean := func() float64 {
		from := cellsOf(h, port, counter.OverlaySentBytes, counter.OverlaySentPackets)
		h.Advance(20 * time.Second)
		now := cellsOf(h, port, counter.OverlaySentBytes, counter.OverlaySentPackets)
		return float64(now[0]-from[0]) / float64(now[1]-from[1])
	}
	small := mean()
	if a := overlayView(h); a.OverlayPacket != 1458 {
		t.Errorf("it can send %d bytes", a.OverlayPacket)
	}
	mustApply(t, h, set(connection, "*JumboPacket", "1556"), adapters.RestartAdapter{Connection: connection})
	h.Advance(longestStart)
	if a := overlayView(h); a.OverlayPacket != 1500 {
		t.Errorf("with larger frames it can send %d bytes", a.OverlayPacket)
	}
	if large := mean(); large <= small {
		t.Errorf("its frames have %.0f bytes, and with larger frames %.0f", small, large)
	}
	if n := cellsOf(h, port, counter.FrameTooLong)[0]; n != 0 {
		t.Errorf("%d frames were too long", n)
	}
}

// TestOverlayWithoutOffload lets the processors do what the adapter does for what is inside (VIRT-6).
func TestOverlayWithoutOffload(t *testing.T) {
	t.Parallel()
	work := []counter.Port{counter.HostBusy, counter.HostSends, counter.SlowChecksums, counter.OverlaySentPackets}
	var results [2][]uint64
	for i, value := range []string{"1", "0"} {
		h := overlayHost(t, virtualization.SwitchRecord{Name: "S", Connection: overlayConnection})
		mustApply(t, h, virtualization.AddNetVirtualization{Records: overlayRecords(overlayConnection)},
			set(overlayConnection, "*EncapsulatedPacketTaskOffload", value), adapters.RestartAdapter{Connection: overlayConnection})
		h.Advance(longestStart)
		port := must(h.port(overlayConnection))
		from := cellsOf(h, port, work...)
		h.Advance(20 * time.Second)
		for j, n := range cellsOf(h, port, work...) {
			results[i] = append(results[i], n-from[j])
		}
	}
	on, off := results[0], results[1]
	if off[0] <= on[0] || off[1] <= on[1] || on[2] != 0 || off[2] == 0 || off[3] == 0 {
		t.Errorf("busy, sends, sums made by processors, packets: %d with help and %d without", on, off)
	}
}

// TestOverlayNeedsAll says what is missing, and encapsulates nothing then.
func TestOverlayNeedsAll(t *testing.T) {
	t.Parallel()
	all := overlayRecords(overlayConnection)
	plain := virtualization.SwitchRecord{Name: "S", Connection: overlayConnection}
	for name, c := range map[string]struct {
		sw     virtualization.SwitchRecord
		change func(*virtualization.NetVirtualization)
		why    string
	}{
		"no provider address": {plain, func(n *virtualization.NetVirtualization) { n.ProviderAddresses = nil }, "no provider address"},
		"elsewhere": {plain, func(n *virtualization.NetVirtualization) {
			n.ProviderAddresses = []virtualization.ProviderAddress{{Connection: "Ethernet 9", Address: all.ProviderAddresses[0].Address, PrefixLength: 24}}
		}, "no provider address"},
		"no lookup record": {plain, func(n *virtualization.NetVirtualization) { n.Lookups = nil }, "no lookup record"},
		"of another subnet": {plain, func(n *virtualization.NetVirtualization) {
			r := all.Lookups[0]
			r.VirtualSubnet = 5002
			n.Lookups = []virtualization.LookupRecord{r}
		}, "no lookup record"},
		"of this host": {plain, func(n *virtualization.NetVirtualization) {
			r := all.Lookups[0]
			r.ProviderAddress = all.ProviderAddresses[0].Address
			n.Lookups = []virtualization.LookupRecord{r}
		}, "no lookup record"},
		"no route": {plain, func(n *virtualization.NetVirtualization) { n.CustomerRoutes = nil }, "no customer route"},
		"SR-IOV":   {virtualization.SwitchRecord{Name: "S", Connection: overlayConnection, IOV: true}, func(*virtualization.NetVirtualization) {}, "has SR-IOV"},
	} {
		h, records := overlayHost(t, c.sw), overlayRecords(overlayConnection)
		c.change(&records)
		mustApply(t, h, virtualization.AddNetVirtualization{Records: records})
		h.Advance(2 * time.Second)
		a, port := overlayView(h), must(h.port(overlayConnection))
		if a.Overlay.Subnet != 0 || !strings.Contains(a.OverlayWhy, c.why) || cellsOf(h, port, counter.OverlaySentPackets)[0] != 0 {
			t.Errorf("%s: %v, %q", name, a.Overlay, a.OverlayWhy)
		}
		if cellsOf(h, port, counter.SyntheticSentPackets)[0] == 0 {
			t.Errorf("%s: it sends nothing", name)
		}
	}
}

// TestRebootDeletesNVGRERecords takes the records of NVGRE away, warns of it, and lets additions be undone all the
// same.
func TestRebootDeletesNVGRERecords(t *testing.T) {
	t.Parallel()
	h := overlayHost(t, virtualization.SwitchRecord{Name: "S", Connection: overlayConnection})
	mustApply(t, h, virtualization.AddNetVirtualization{Records: overlayRecords(overlayConnection)})
	boot := Plan{Title: "boot", Operations: []Operation{adapters.Reboot{Host: "LAB-N4"}}}
	warned := false
	for _, c := range h.Review(boot).Warnings {
		warned = warned || c.Target == virtualization.NetTarget
	}
	if !warned {
		t.Error("nothing warns of it")
	}
	mustApply(t, h, boot.Operations...)
	h.Advance(longestStart)
	if n := h.View().Net; !n.Empty() || overlayView(h).Overlay.Subnet != 0 {
		t.Errorf("there are %+v", n)
	}
	if _, err := h.Undo(); err != nil {
		t.Errorf("the addition can't be undone: %v", err)
	}
}
