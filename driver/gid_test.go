package driver

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/stack"
)

// rdmaMoves reports whether RDMA was received or sent at a port in a time.
func rdmaMoves(t *testing.T, h *Host, connection string, d time.Duration) bool {
	t.Helper()
	port := portOf(t, h, connection)
	sum := func() uint64 {
		cells := h.lab.Counters()
		return cells[counter.Cell(port, counter.RDMAInBytes)] + cells[counter.Cell(port, counter.RDMAOutBytes)]
	}
	before := sum()
	h.Advance(d)
	return sum() > before
}

// rdmaAddresses are the addresses of a port's RDMA in the description.
func rdmaAddresses(h *Host, connection string) (list []netip.Addr) {
	flows := h.lab.Description().Flows
	for i := range flows {
		if f := &flows[i]; f.Port == connection && f.Protocol == description.RDMA && !f.Virtual && !slices.Contains(list, f.Local) {
			list = append(list, f.Local)
		}
	}
	return list
}

// TestGIDsFollowAddresses removes the addresses of RDMA and adds them again: traffic stops when the driver has noticed, and
// returns when it has noticed again. A copy and a saved host go on in the same way.
func TestGIDsFollowAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, connection string
		interval         string        // UpdateGIDTimerFrequency, if not the default
		latest           time.Duration // by which a change is noticed; 0 for never
	}{
		{"WinOF", "Ethernet 3", "", 3 * time.Second},
		{"WinOF, a short interval", "Ethernet 3", "500", 500 * time.Millisecond},
		{"WinOF without polls", "Ethernet 3", "0", 0},
		{"WinOF-2", "Ethernet 7", "", time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, 5)
			if c.interval != "" {
				mustApply(t, h, set(c.connection, "UpdateGIDTimerFrequency", c.interval))
				mustApply(t, h, adapters.ReloadDriver{Driver: "mlx4"})
			}
			h.Advance(longestStart + 100*time.Millisecond)
			port, addresses := portOf(t, h, c.connection), rdmaAddresses(h, c.connection)
			if len(addresses) == 0 || len(h.GIDs(port)) == 0 || !rdmaMoves(t, h, c.connection, 2*time.Second) {
				t.Fatalf("no RDMA of %v from the start: %v", addresses, h.GIDs(port))
			}
			table := fmt.Sprint(h.GIDs(port))
			h.Advance(3*time.Second - h.lab.Elapsed()%(3*time.Second) + 50*time.Millisecond) // behind a poll
			var remove []Operation
			for _, a := range addresses {
				remove = append(remove, stack.RemoveAddress{Connection: c.connection, Address: a})
			}
			mustApply(t, h, remove...)
			change := h.Newest().Sequence
			if c.latest > 200*time.Millisecond {
				if !rdmaMoves(t, h, c.connection, c.latest-200*time.Millisecond) || fmt.Sprint(h.GIDs(port)) != table {
					t.Error("the driver noticed the change before its poll")
				}
			}
			restored := restore(t, h)
			for who, h := range map[string]*Host{"the host": h, "a saved host": restored, "a copy": h.Clone()} {
				h.Advance(c.latest + 200*time.Millisecond)
				stops := c.latest > 0
				if moves := rdmaMoves(t, h, c.connection, 2*time.Second); moves == stops {
					t.Errorf("%s: RDMA moves: %t", who, moves)
				}
				if has := slices.ContainsFunc(h.GIDs(port), func(g stack.GID) bool { return slices.Contains(addresses, g.Address) }); has == stops {
					t.Errorf("%s: it has the GIDs: %t", who, has)
				}
			}
			if c.latest == 0 { // a start follows the addresses
				mustApply(t, h, adapters.RestartAdapter{Connection: c.connection})
				h.Advance(longestStart)
				if rdmaMoves(t, h, c.connection, 2*time.Second) {
					t.Error("RDMA moves after a start without the addresses")
				}
				return
			}
			if _, err := h.UndoEntry(change); err != nil {
				t.Fatal(err)
			}
			h.Advance(c.latest + 3*time.Second)
			if !rdmaMoves(t, h, c.connection, 2*time.Second) || fmt.Sprint(h.GIDs(port)) != table {
				t.Errorf("after the undo the GIDs are %v, before they were %s", h.GIDs(port), table)
			}
		})
	}
}

func restore(t *testing.T, h *Host) *Host {
	t.Helper()
	saved, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := RestoreHost(h.lab.Description(), saved)
	if err != nil {
		t.Fatal(err)
	}
	return restored
}

// TestGIDTables reads the tables of both modes, and of ports without RoCE.
func TestGIDTables(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	port := portOf(t, h, "Ethernet 7")
	for i, g := range h.GIDs(port) {
		if g.Index != i || g.Mode != "v2" || !g.Address.Is4() || g.Text[:30] != "0000:0000:0000:0000:0000:ffff:" {
			t.Errorf("entry %d of v2: %+v", i, g)
		}
	}
	if list := h.GIDs(portOf(t, h, iPoIBPort)); list != nil {
		t.Errorf("an InfiniBand port: %v", list)
	}
	mustApply(t, h, set("Ethernet 7", "roce_mode", "0"), adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(longestStart)
	if list := h.GIDs(port); len(list) != 1 || list[0].Mode != "v1" || list[0].Text != "fe80:0000:0000:0000:268a:07ff:fe1c:2b3c" {
		t.Errorf("v1: %+v", list)
	}
	mustApply(t, h, set("Ethernet 7", "roce_mode", "4"), adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(longestStart)
	if list := h.GIDs(port); list != nil {
		t.Errorf("without RoCE: %v", list)
	}
}

// TestTooManyAddressesForRoCE: addresses beyond the limit have no GID, and an event says so once for each.
func TestTooManyAddressesForRoCE(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	port := portOf(t, h, "Ethernet 7")
	logged, room := lastEvent(h), 32-len(h.Stack().IP("Ethernet 7").Addresses)
	for i := range room + 2 {
		a := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 200, 0, byte(i + 1)}), 24)
		mustApply(t, h, stack.AddAddress{Connection: "Ethernet 7", Address: a})
		events := slices.DeleteFunc(newest(h, logged, "Ethernet 7"), func(key string) bool { return key != "mlx5.too-many-rroce-ips" })
		if want := max(0, i+1-room); len(events) != want {
			t.Fatalf("%d addresses: %d events, expected %d", i+1, len(events), want)
		}
	}
	if n := len(h.GIDs(port)); n != 32 {
		t.Errorf("%d GIDs", n)
	}
}
