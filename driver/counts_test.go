package driver

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
)

// newGuestHost is a host with a virtual switch on a port of each family, Ethernet 3 and Ethernet 9, where nothing but
// machines moves traffic: on the synthetic way, and of two more on functions.
func newGuestHost(t *testing.T) *Host {
	t.Helper()
	d := description.Default()
	const infiniBand = "Ethernet 4"
	for i := range d.Adapters {
		d.Adapters[i].Ports = slices.DeleteFunc(d.Adapters[i].Ports, func(p description.Port) bool {
			return p.Connection == infiniBand
		})
	}
	quiet := []string{infiniBand, "Ethernet 3", "Ethernet 9"}
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return slices.Contains(quiet, f.Port) })
	d.Faults = slices.DeleteFunc(d.Faults, func(f description.Fault) bool { return slices.Contains(quiet, f.Port) })
	lab, err := device.New(d, 3)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	flash := []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: flash}, virtualization.SetFirmware{Adapter: "BlueField-2", Values: flash}, set("Ethernet 9", "*SRIOV", "1"),
		set("Ethernet 3", "RssMonitoringEnabled", "1"), set("Ethernet 3", "RssCountersActivatedAtStartup", "1"), adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	return h
}

// TestBytesOfMachinesAreThoseOfThePort: where only machines move traffic, what the port counts frame by frame is the sum
// of what it counts of functions and of the synthetic way, in bytes and packets, and each machine has its part of it.
func TestBytesOfMachinesAreThoseOfThePort(t *testing.T) {
	t.Parallel()
	for _, connection := range []string{"Ethernet 3", "Ethernet 9"} {
		h := newGuestHost(t)
		tagged := virtualization.NewVMAdapter(netAdapter, "S")
		tagged.VLAN = 70
		mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}}, askingVM("f", "S"),
			virtualization.CreateVM{VM: virtualization.VMRecord{Name: "a", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, "S")}}},
			virtualization.CreateVM{VM: virtualization.VMRecord{Name: "b", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{tagged}}})
		port, from := must(h.port(connection)), slices.Clone(h.lab.Counters())
		h.Advance(20 * time.Second)
		moved := func(cell int) uint64 { return h.lab.Counters()[cell] - from[cell] }
		for name, c := range map[string]struct {
			all, functions, synthetic counter.Port
			guest                     counter.Guest
		}{
			"bytes received": {
				counter.ReceivedBytes, counter.FunctionsReceivedBytes, counter.SyntheticReceivedBytes, counter.GuestReceivedBytes,
			},
			"bytes sent": {counter.SentBytes, counter.FunctionsSentBytes, counter.SyntheticSentBytes, counter.GuestSentBytes},
			"packets received": {
				counter.ReceivedPackets, counter.FunctionsReceivedPackets, counter.SyntheticReceivedPackets, counter.GuestReceivedPackets,
			},
			"packets sent": {
				counter.SentPackets, counter.FunctionsSentPackets, counter.SyntheticSentPackets, counter.GuestSentPackets,
			},
		} {
			all, functions := moved(counter.Cell(port, c.all)), moved(counter.Cell(port, c.functions))
			synthetic := moved(counter.Cell(port, c.synthetic))
			var machines, function uint64
			for _, g := range h.lab.Guests(port) {
				n := moved(h.lab.GuestCell(port, g.Slot, c.guest))
				if machines += n; g.Function != setup.NoFunction {
					function += n
				}
			}
			near := func(part, whole uint64) bool { return part <= whole && whole-part < 8 } // parts are rounded down
			if synthetic == 0 || functions == 0 || functions+synthetic != all || !near(machines, all) ||
				!near(function, functions) {
				t.Errorf("%s, %s: the port has %d, functions %d and the synthetic way %d; machines %d, that with a function %d",
					connection, name, all, functions, synthetic, machines, function)
			}
		}
	}
}

// kinds is how many packets the driver has counted by processor for a port as a whole, and for its virtual ports.
func kinds(h *Host, port int) (whole, virtual uint64) {
	for processor := range h.lab.Processors() {
		for _, n := range h.lab.Counters()[h.lab.KindCell(port, processor, 0):][:counter.ReceiveKinds] {
			whole += n
		}
	}
	for _, row := range h.lab.VirtualPorts(port) {
		if row.Processor == setup.AllProcessors {
			for _, n := range row.Kinds {
				virtual += n
			}
		}
	}
	return whole, virtual
}

// TestSwitchRestartsCountsByProcessor: R6 the driver recreates its queues when a virtual switch is created or
// removed, and what it counts by processor begins at 0 each time; a switch at another port changes nothing.
func TestSwitchRestartsCountsByProcessor(t *testing.T) {
	t.Parallel()
	for connection, other := range map[string]string{"Ethernet 3": "Ethernet 6", "Ethernet 10": "Ethernet 6"} {
		h := newEthernetHost(t, 5)
		mustApply(t, h, set("Ethernet 3", "RssMonitoringEnabled", "1"), set("Ethernet 3", "RssCountersActivatedAtStartup", "1"),
			adapters.RestartAdapter{Connection: "Ethernet 3"})
		h.Advance(longestStart)
		port := must(h.port(connection))
		for _, c := range []struct {
			do     Operation
			clears bool
		}{
			{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "O", Connection: other}}, false},
			{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection}}, true},
			{virtualization.RemoveSwitch{Switch: "O"}, false},
			{askingVM("m", "S"), false},
			{virtualization.SetVMAdapter{VM: "m", Adapter: netAdapter, VmqWeight: new(0)}, false},
			{virtualization.RemoveSwitch{Switch: "S"}, true},
			{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection}}, true},
		} {
			whole, virtual := kinds(h, port)
			mustApply(t, h, c.do)
			now, nowVirtual := kinds(h, port)
			if whole+virtual == 0 || (now+nowVirtual == 0) != c.clears || !c.clears && (now != whole || nowVirtual != virtual) {
				t.Errorf("%s, %T: %d and %d packets before it, %d and %d after", connection, c.do, whole, virtual, now, nowVirtual)
			}
			h.Advance(2 * time.Second)
		}
	}
}

// TestMachinesCountOnTheProcessorsOfTheirRings: what the driver counts for the virtual port of a machine at a processor is
// what the ring there took, as long as the ring is that machine's alone; the host's first ring has none of it.
func TestMachinesCountOnTheProcessorsOfTheirRings(t *testing.T) {
	t.Parallel()
	for _, connection := range []string{"Ethernet 3", "Ethernet 9"} {
		h := newGuestHost(t)
		mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection}},
			set(connection, "*RssOrVmqPreference", "1"), adapters.RestartAdapter{Connection: connection})
		h.Advance(longestStart)
		for name, pairs := range map[string]int{"one": 1, "two": 2, "three": 3} {
			a := virtualization.NewVMAdapter(netAdapter, "S")
			a.VmmqQueuePairs = pairs
			mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{Name: name, State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}})
		}
		port := must(h.port(connection))
		counted := func() map[[2]int]uint64 {
			list := map[[2]int]uint64{}
			for _, row := range h.lab.VirtualPorts(port) {
				for _, n := range row.Kinds {
					list[[2]int{row.Slot, row.Processor}] += n
				}
			}
			return list
		}
		taken := func(ring int) uint64 { return h.lab.Counters()[h.lab.ReceiveRingCell(port, ring, counter.RingPackets)] }
		before, rings := counted(), make([]uint64, h.lab.Rings(port))
		for ring := range rings {
			rings[ring] = taken(ring)
		}
		h.Advance(10 * time.Second)
		now, all := counted(), 0
		for _, g := range h.lab.Guests(port) {
			for _, ring := range g.Rings {
				at := [2]int{g.Slot, h.lab.RingProcessor(port, ring)}
				all++
				if got, want := now[at]-before[at], taken(ring)-rings[ring]; got != want || got == 0 || ring == 0 {
					t.Errorf("%s, slot %d: processor %d has counted %d packets, and ring %d took %d",
						connection, g.Slot, at[1], got, ring, want)
				}
			}
		}
		if all != 6 {
			t.Errorf("%s: %d rings serve the machines, want 6", connection, all)
		}
	}
}
