package driver

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// TestMachinesNeedTheirEthertypes lists what virtual functions may send without IPv4, then with it and ARP (IOV-8): without,
// machines on functions move nothing, and what they try is dropped, or leaves damaged on a ConnectX-3 (IOV-9); the machine
// on the synthetic way continues.
func TestMachinesNeedTheirEthertypes(t *testing.T) {
	t.Parallel()
	for connection, card := range map[string]string{"Ethernet 9": "BlueField-2", "Ethernet 3": "ConnectX-3 Pro"} {
		h := newEthernetHost(t, 5)
		if card == "BlueField-2" {
			mustApply(t, h, set(connection, "*SRIOV", "1"))
		}
		mustApply(t, h, virtualization.SetFirmware{Adapter: card, Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}}, adapters.Reboot{Host: "LAB-N4"})
		h.Advance(longestStart)
		mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}}, askingVM("on", "S"),
			virtualization.CreateVM{VM: virtualization.VMRecord{Name: "off", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, "S")}}})
		port := must(h.port(connection))
		function, own := vmAdapterOf(t, h, "on").Function, h.family(port) == description.WinOF2
		if function < 0 {
			t.Fatal(vmAdapterOf(t, h, "on").Why)
		}
		key := func(n, value string) Operation {
			if own {
				return set(connection, "VFAllowedTxEtherType"+n, value)
			}
			return edit.SetValue{Adapter: card, Key: "bus-device/VFAllowedTxEtherType" + n, Value: value}
		}
		moved := func() (received, sent, disallowed, synthetic uint64) {
			h.Advance(5 * time.Second)
			n := h.lab.Counters()
			of := func(c counter.Function) uint64 { return n[h.lab.FunctionCell(port, function, c)] }
			return of(counter.FunctionReceivedPackets), of(counter.FunctionSentPackets), of(counter.FunctionBarredTypePackets),
				n[counter.Cell(port, counter.SyntheticReceivedPackets)]
		}
		for _, c := range []struct {
			keys  []Operation
			moves bool
		}{
			{nil, true},
			{[]Operation{key("0", "0x86DD"), key("1", "0x0806")}, false},
			{[]Operation{key("0", "0x0800")}, true},
		} {
			if c.keys != nil {
				mustApply(t, h, append(c.keys, adapters.ReloadDriver{Driver: map[bool]string{true: "mlx5", false: "mlx4"}[own]})...)
				h.Advance(longestStart)
			}
			received, sent, disallowed, synthetic := moved()
			received2, sent2, disallowed2, synthetic2 := moved()
			why := vmAdapterOf(t, h, "on").Why
			stopped := map[bool]uint64{true: disallowed2 - disallowed, false: sent2 - sent}[own]
			if good := received2-received > 10_000; good != c.moves || c.moves && (disallowed2 > disallowed || sent2-sent < 10_000) ||
				!c.moves && (stopped == 0 || stopped > 10_000 || own && sent2 > sent) || synthetic2 == synthetic || strings.Contains(why, "IPv4") == c.moves {
				t.Errorf("%s, %d keys: received %d, sent %d, disallowed %d, synthetic %d: %q", connection, len(c.keys),
					received2-received, sent2-sent, disallowed2-disallowed, synthetic2-synthetic, why)
			}
		}
	}
}
