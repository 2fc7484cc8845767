package driver

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// TestTheListOfEthertypesCounts takes IPv4 off the list of what virtual functions may send (IOV-8): with the next start of
// the driver their traffic ends, on later cards in the switch and of a ConnectX-3 at the receiver; without the list, or
// with IPv4 on it, it continues (IOV-10).
func TestTheListOfEthertypesCounts(t *testing.T) {
	t.Parallel()
	h := newEthernetHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "4"}}}, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	guestOf(t, h, "old", virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 3", IOV: true}, virtualization.FullWeight)
	for _, c := range []struct {
		connection, machine, adapter, scope string
		start                               Operation
	}{
		{"Ethernet 7", firstOne, "", "", adapters.RestartAdapter{Connection: "Ethernet 7"}},
		{"Ethernet 3", "old", "ConnectX-3 Pro", "bus-device/", adapters.ReloadDriver{Driver: "mlx4"}},
	} {
		port := must(h.port(c.connection))
		store := func(key, value string) Operation {
			if c.adapter != "" {
				return edit.SetValue{Adapter: c.adapter, Key: c.scope + key, Value: value}
			}
			return set(c.connection, key, value)
		}
		forget := func(key string) Operation {
			if c.adapter != "" {
				return edit.DeleteValue{Adapter: c.adapter, Key: c.scope + key}
			}
			return edit.DeleteValue{Connection: c.connection, Key: key}
		}
		// span is what the first function sent, and had dropped, in some seconds, and what arrived damaged.
		span := func() (sent, dropped, damaged uint64) {
			read := func() [3]uint64 {
				n := h.lab.Counters()
				return [3]uint64{
					n[h.lab.FunctionCell(port, 0, counter.FunctionSentPackets)], n[h.lab.FunctionCell(port, 0, counter.FunctionBarredTypePackets)],
					h.lab.FarEnd(port).ReceivedErrors,
				}
			}
			before := read()
			h.Advance(4 * time.Second)
			now := read()
			return now[0] - before[0], now[1] - before[1], now[2] - before[2]
		}
		for _, step := range []struct {
			change []Operation
			passes bool
		}{
			{nil, true},
			{[]Operation{store("VFAllowedTxEtherType2", "0x0806"), store("VFAllowedTxEtherType7", "0x86DD")}, true}, // stored alone
			{[]Operation{c.start}, false},
			{[]Operation{store("VFAllowedTxEtherTypeListEnable", "0"), c.start}, true},
			{[]Operation{store("VFAllowedTxEtherTypeListEnable", "1"), c.start}, false},
			{[]Operation{store("VFAllowedTxEtherType0", "0x0800"), c.start}, true},
			{[]Operation{forget("VFAllowedTxEtherType0"), c.start}, false},
			{[]Operation{forget("VFAllowedTxEtherType2"), forget("VFAllowedTxEtherType7"), c.start}, true},
		} {
			if len(step.change) > 0 {
				mustApply(t, h, step.change...)
			}
			h.Advance(longestStart)
			if a := vmAdapterOf(t, h, c.machine); a.Path != virtualization.PathVF || a.Function != 0 {
				t.Fatalf("%s goes %s with VF %d: %s", c.machine, a.Path, a.Function, a.Why)
			}
			sent, dropped, damaged := span()
			good := sent > 1000 && dropped == 0 && damaged == 0
			if !step.passes {
				good = sent == 0 && dropped > 0 && damaged == 0
				if c.adapter != "" {
					good = sent > 0 && dropped == 0 && damaged >= sent
				}
			}
			if !good {
				t.Errorf("%s after %v: it sent %d frames, %d were dropped, and %d arrive damaged", c.connection, step.change, sent, dropped, damaged)
			}
		}
	}
}
