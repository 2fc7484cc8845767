package driver

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
)

// TestKeysGiveQueues reads from the queues of two machines what the keys of virtual machine queues do (VIRT-1, VIRT-3).
func TestKeysGiveQueues(t *testing.T) {
	t.Parallel()
	vmq := [2]string{"*RssOrVmqPreference", "1"}
	for name, c := range map[string]struct {
		connection string
		iov        bool // a switch with SR-IOV has queues, whatever is preferred
		keys       [][2]string
		own        int  // machines with queues of their own
		several    bool // of which each has more than one
	}{
		"mlx4, VMQ":       {"Ethernet 3", false, [][2]string{vmq, {"*VMQ", "1"}}, 2, true},
		"mlx4, no VMQ":    {"Ethernet 3", false, [][2]string{vmq, {"*VMQ", "0"}}, 0, false},
		"mlx4, RSS":       {"Ethernet 3", false, [][2]string{{"*RssOrVmqPreference", "0"}}, 0, false},
		"mlx4, one queue": {"Ethernet 3", false, [][2]string{vmq, {"MaxNumVmqs", "1"}}, 1, true},
		"mlx4, VMMQ":      {"Ethernet 3", true, [][2]string{{"*RssOnHostVPorts", "1"}}, 2, true},
		"mlx4, no VMMQ":   {"Ethernet 3", true, [][2]string{{"*RssOnHostVPorts", "0"}}, 2, false},
		"mlx5, VMQ":       {"Ethernet 8", false, [][2]string{vmq, {"*VMQ", "1"}}, 2, true},
		"mlx5, no VMQ":    {"Ethernet 8", false, [][2]string{vmq, {"*VMQ", "0"}}, 0, false},
		"mlx5, RSS":       {"Ethernet 8", false, [][2]string{{"*RssOrVmqPreference", "0"}}, 0, false},
		"mlx5, VMMQ":      {"Ethernet 8", true, [][2]string{{"*RssOnHostVPorts", "1"}}, 2, true},
		"mlx5, no VMMQ":   {"Ethernet 8", true, [][2]string{{"*RssOnHostVPorts", "0"}}, 2, false},
	} {
		h := newHost(t, 5)
		mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: c.connection, IOV: c.iov}})
		for _, key := range c.keys {
			mustApply(t, h, set(c.connection, key[0], key[1]))
		}
		mustApply(t, h, adapters.RestartAdapter{Connection: c.connection})
		h.Advance(longestStart)
		own := 0
		for _, vm := range []string{"one", "two"} {
			adapters := []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, "S")}
			mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{Name: vm, State: virtualization.VMRunning, Adapters: adapters}})
			a := vmAdapterOf(t, h, vm)
			if a.Default {
				continue
			}
			if own++; len(a.Queues) > 1 != c.several {
				t.Errorf("%s: %s has %d queues", name, vm, len(a.Queues))
			}
		}
		if own != c.own {
			t.Errorf("%s: %d machines have queues of their own, want %d", name, own, c.own)
		}
	}
}

// TestEachQueueHasItsProcessor prefers queues of virtual machines to RSS (VIRT-1): two machines move their traffic by
// rings and processors of their own, and what is the host's own goes to the first ring. Without *VMQ there is one for all.
func TestEachQueueHasItsProcessor(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 8"
	for _, on := range []string{"1", "0"} {
		h := newHost(t, 5)
		adapter := virtualization.NewVMAdapter(netAdapter, "S")
		adapter.VmmqEnabled = false
		mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection}},
			set(connection, "*RssOrVmqPreference", "1"), set(connection, "*VMQ", on), adapters.RestartAdapter{Connection: connection},
			virtualization.CreateVM{VM: virtualization.VMRecord{Name: "one", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{adapter}}},
			virtualization.CreateVM{VM: virtualization.VMRecord{Name: "two", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{adapter}}})
		h.Advance(longestStart)
		port := must(h.port(connection))
		packets := func() (list []uint64) {
			for ring := range h.lab.Rings(port) {
				list = append(list, h.lab.Counters()[h.lab.ReceiveRingCell(port, ring, counter.RingPackets)])
			}
			return list
		}
		from := packets()
		h.Advance(2 * time.Second)
		moved := packets()
		for ring := range moved {
			if n := moved[ring] - from[ring]; (n > 0) != (ring < 3) {
				t.Errorf("with *VMQ %s ring %d moved %d packets", on, ring, n)
			}
		}
		if n := len(moved); (n == 1) != (on == "0") {
			t.Errorf("with *VMQ %s there are %d rings", on, n)
		}
		processors := map[int]bool{h.lab.RingProcessor(port, 0): true}
		for _, name := range []string{"one", "two"} {
			a := vmAdapterOf(t, h, name)
			if len(a.Queues) != 1 || a.Default != (on == "0") {
				t.Errorf("with *VMQ %s, %s has the queues %v", on, name, a.Queues)
			}
			processors[h.lab.RingProcessor(port, a.Queues[0])] = true
		}
		if want := map[string]int{"1": 3, "0": 1}[on]; len(processors) != want {
			t.Errorf("with *VMQ %s, %d processors serve the port, want %d", on, len(processors), want)
		}
	}
}

// TestTheHostHasOneQueueBesideThoseOfMachines: where queues of machines are preferred to RSS, the default virtual port has
// the first ring alone, and so has what the driver counts for it (VIRT-2).
func TestTheHostHasOneQueueBesideThoseOfMachines(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 8"
	h := newHost(t, 5)
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection}})
	port := must(h.port(connection))
	for preferred, want := range map[string]int{"0": h.lab.Rings(port), "1": 1} {
		mustApply(t, h, set(connection, "*RssOrVmqPreference", preferred), adapters.RestartAdapter{Connection: connection})
		h.Advance(longestStart)
		var pairs int
		for _, v := range h.VPorts() {
			if v.Connection == connection && v.ID == 0 {
				pairs = v.QueuePairs
			}
		}
		counted := h.lab.VirtualPorts(port)
		if pairs != want || len(counted) != 1+want {
			t.Errorf("preferring %s: %d queue pairs and %d rows of counts, want %d and their total", preferred, pairs, len(counted), want)
		}
	}
}
