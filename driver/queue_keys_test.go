package driver

import "testing"

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
		"mlx4, VMQ":       {"Ethernet 3", false, [][2]string{vmq, {"*VMQ", "1"}}, 2, false},
		"mlx4, no VMQ":    {"Ethernet 3", false, [][2]string{vmq, {"*VMQ", "0"}}, 0, false},
		"mlx4, RSS":       {"Ethernet 3", false, [][2]string{{"*RssOrVmqPreference", "0"}}, 0, false},
		"mlx4, one queue": {"Ethernet 3", false, [][2]string{vmq, {"MaxNumVmqs", "1"}}, 1, false},
		"mlx4, VMMQ":      {"Ethernet 3", true, [][2]string{{"*RssOnHostVPorts", "1"}}, 2, true},
		"mlx4, no VMMQ":   {"Ethernet 3", true, [][2]string{{"*RssOnHostVPorts", "0"}}, 2, false},
		"mlx5, VMQ":       {"Ethernet 8", false, [][2]string{vmq, {"*VMQ", "1"}}, 2, false},
		"mlx5, no VMQ":    {"Ethernet 8", false, [][2]string{vmq, {"*VMQ", "0"}}, 0, false},
		"mlx5, RSS":       {"Ethernet 8", false, [][2]string{{"*RssOrVmqPreference", "0"}}, 0, false},
		"mlx5, VMMQ":      {"Ethernet 8", true, [][2]string{{"*RssOnHostVPorts", "1"}}, 2, true},
		"mlx5, no VMMQ":   {"Ethernet 8", true, [][2]string{{"*RssOnHostVPorts", "0"}}, 2, false},
	} {
		h := newHost(t, 5)
		mustApply(t, h, CreateSwitch{Switch: SwitchRecord{Name: "S", Connection: c.connection, IOV: c.iov}})
		for _, key := range c.keys {
			mustApply(t, h, set(c.connection, key[0], key[1]))
		}
		mustApply(t, h, RestartAdapter{c.connection})
		h.Advance(longestStart)
		own := 0
		for _, vm := range []string{"one", "two"} {
			adapters := []VMAdapterRecord{NewVMAdapter(usualAdapter, "S")}
			mustApply(t, h, CreateVM{VM: VMRecord{Name: vm, State: VMRunning, Adapters: adapters}})
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
