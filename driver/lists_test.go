package driver

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/virtualization/hyperv"
)

// TestVPortsAndPortsOfSwitches lists the virtual ports of a port and the ports of its switch: the default one, that of
// a virtual function, and that of an adapter with queues.
func TestVPortsAndPortsOfSwitches(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 5)
	mustApply(t, h, weigh("vm002", 0), virtualization.SetVMAdapter{VM: "vm003", Adapter: netAdapter, VLAN: new(71), IovQueuePairs: new(2)},
		weigh("vm004", 0), virtualization.SetVMAdapter{VM: "vm004", Adapter: netAdapter, VmqWeight: new(0)})
	port := must(h.port(connection))
	list := h.VPorts()
	if first := list[0]; len(list) != 4 || first.Function >= 0 || first.QueuePairs != h.lab.Rings(port) || first.MAC != h.mac(port) {
		t.Fatalf("they are %+v", list)
	}
	for i, want := range []virtualization.VPortView{
		{Function: -1}, {VM: "vm001", Function: 0, QueuePairs: 8}, {VM: "vm002", Function: -1}, {VM: "vm003", Function: 2, QueuePairs: 2},
	} {
		got := list[i]
		if i == 2 {
			a := vmAdapterOf(t, h, "vm002")
			want.QueuePairs = len(a.Queues)
			if got.Processor != h.lab.RingProcessor(port, a.Queues[0]) || got.Processor == list[0].Processor {
				t.Errorf("the processor %d serves it", got.Processor)
			}
		}
		same := got.VM == want.VM && got.Function == want.Function && (i == 0 || got.QueuePairs == want.QueuePairs)
		if got.ID != i || !same || got.Connection != connection {
			t.Errorf("virtual port %d is %+v", i, got)
		}
	}
	if list[3].VLAN != 71 || list[3].MAC != vmAdapterOf(t, h, "vm003").MAC {
		t.Errorf("it is %+v", list[3])
	}
	types := map[string]string{}
	names := map[string]bool{}
	for _, p := range h.SwitchPorts() {
		types[p.VM], names[p.Name] = p.Type, true
	}
	if types["vm001"] != "SR-IOV" || types["vm002"] != "Synthetic" || types[""] != "Internal" || len(names) != 5 {
		t.Errorf("the ports of the switch are %v, called %v", types, names)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: connection})
	if list := h.VPorts(); len(list) > 0 {
		t.Errorf("while its driver is off: %+v", list)
	}
}

// TestPortNamesSRIOVObstacles has the checks of a port, one by one, and what is to be done.
func TestPortNamesSRIOVObstacles(t *testing.T) {
	t.Parallel()
	flash := virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "4"}}}
	three := virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "4"}}}
	off := virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false)}
	both := virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false), Virtualization: new(false)}
	boot := adapters.Reboot{Host: "LAB-N4"}
	bus := func(key, value string) Operation {
		return edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-device/" + key, Value: value}
	}
	const bios, firmware, driver, sw = 0, 3, 4, 5
	for name, c := range map[string]struct {
		connection string
		do         []Operation
		check      int
		says       string // empty when the check is well
		support    hyperv.SriovSupport
	}{
		"nothing in the flash": {"Ethernet 10", nil, firmware, "set SRIOV_EN and NUM_OF_VFS", hyperv.NotSupported},
		"it waits in the flash": {
			"Ethernet 10", []Operation{flash}, firmware, "from the next reboot", hyperv.NotSupported,
		},
		"the flash is right": {"Ethernet 10", []Operation{flash, boot}, firmware, "", hyperv.Supported},
		"*SRIOV is off":      {"Ethernet 10", []Operation{flash, boot}, driver, "set *SRIOV to 1", hyperv.Supported},
		"no virtual functions in the firmware, but on": {
			"Ethernet 10", []Operation{set("Ethernet 10", "*SRIOV", "1"), boot}, driver, "", hyperv.NotSupported,
		},
		"the BIOS": {
			"Ethernet 7", []Operation{off, boot}, bios, "SR-IOV is off in the BIOS", hyperv.NoIoMmuSupport,
		},
		"virtualization": {
			"Ethernet 7", []Operation{both, boot}, bios, "virtualization is off in the BIOS", hyperv.NoIoMmuSupport,
		},
		"the BIOS waits": {
			"Ethernet 7", []Operation{off, boot, virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(true)}}, bios, "from the next reboot",
			hyperv.NoIoMmuSupport,
		},
		"the OS is not to blame": {"Ethernet 7", []Operation{off, boot}, 1, "", hyperv.NoIoMmuSupport},
		"no switch":              {"Ethernet 8", nil, sw, "no virtual switch is on Ethernet 8", hyperv.Supported},
		"a plain switch": {
			"Ethernet 8", []Operation{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 8"}}}, sw, "S was created without SR-IOV", hyperv.Supported,
		},
		"a good switch": {"Ethernet 7", nil, sw, "", hyperv.Supported},
		"PermitSriov": {
			"Ethernet 3", []Operation{three, bus("PermitSriov", "0"), boot}, driver, "set PermitSriov to 1",
			hyperv.NotSupportedByBus,
		},
		"all at the other": {
			"Ethernet 3", []Operation{three, bus("SriovPortMode", "2"), bus("MaxVFPort1", "0"), boot}, driver, "SriovPortMode",
			hyperv.NotSupportedByBus,
		},
		"a card that works": {"Ethernet 3", []Operation{three, boot}, driver, "", hyperv.Supported},
	} {
		h := newEthernetHost(t, 5)
		if c.do != nil {
			mustApply(t, h, c.do...)
			if slices.Contains(c.do, Operation(boot)) {
				h.Advance(longestStart)
			}
		}
		s := sriovOf(t, h, c.connection)
		if check := s.Checks[c.check]; check.OK != (c.says == "") || !strings.Contains(check.Why, c.says) || check.OK && check.Why != "" {
			t.Errorf("%s: %+v, want %q", name, check, c.says)
		}
		if s.Support != c.support {
			t.Errorf("%s: it says %s, want %s", name, s.Support, c.support)
		}
		if c.check != sw && c.says != "" && !strings.Contains(s.Why, c.says) && name != "*SRIOV is off" {
			t.Errorf("%s: there are none because %q", name, s.Why)
		}
		if c.check == sw && s.Why != "" && strings.Contains(s.Why, "switch") {
			t.Errorf("%s: functions are there, and it says %q", name, s.Why)
		}
	}
}

// TestAllowedFramesOfVirtualFunctions reads the list of a port from its keys: all eight of them, and whether it counts.
func TestAllowedFramesOfVirtualFunctions(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 5)
	port := must(h.port(connection))
	if f := h.hypervisor().AllowedEtherTypes(port); !f.Enabled || len(f.Types) > 0 || f.Family != description.WinOF2 {
		t.Errorf("at first it is %+v", f)
	}
	mustApply(t, h, set(connection, "VFAllowedTxEtherType0", "0x88CC"), set(connection, "VFAllowedTxEtherType7", "0x8906"),
		adapters.RestartAdapter{Connection: connection})
	h.Advance(longestStart)
	if f := h.hypervisor().AllowedEtherTypes(port); !f.Enabled || !slices.Equal(f.Types, []uint16{hyperv.LLDP, hyperv.FCoE}) {
		t.Errorf("with two entries it is %+v", f)
	}
	mustApply(t, h, set(connection, "VFAllowedTxEtherTypeListEnable", "0"), adapters.RestartAdapter{Connection: connection})
	h.Advance(longestStart)
	if f := h.hypervisor().AllowedEtherTypes(port); f.Enabled {
		t.Errorf("without the list it is %+v", f)
	}
}

// TestViewsOfSwitchesAndFunctions has the words of a switch on a port that can't do what it is for, the faults of the
// first function, and the commands that name what the host knows.
func TestViewsOfSwitchesAndFunctions(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "I", Connection: "Ethernet 8", IOV: true}},
		virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "P", Connection: "Ethernet 9"}},
		hardware.SetFunctionFault{Connection: "Ethernet 7", Function: 0, Fault: description.Storm, Share: 1}, weigh("vm002", 0), weigh("vm003", 60))
	s := h.View().Switches
	const driverOff = "Ethernet 8 has no virtual functions now: SR-IOV is off in the driver; set *SRIOV to 1, and restart the adapter"
	if !s[0].IovSupport || s[0].Why != "" || s[1].Why != driverOff || s[1].IovSupport || s[2].Why != "" || s[2].IovSupport {
		t.Errorf("the switches are %+v", s)
	}
	p := sriovOf(t, h, "Ethernet 7")
	if p.Free != 1 || p.Attached != 3 || p.VFs[1].State != virtualization.VFFree || !slices.Equal(p.VFs[0].Faults, []description.FaultKind{description.Storm}) {
		t.Errorf("the functions are %+v", p)
	}
	if p.Why != "NumVFs is 32, but the port has only 4 VFs" {
		t.Errorf("it says %q", p.Why)
	}
	const of = `Set-VMNetworkAdapter -VMName "vm003" -Name "Network Adapter" -IovWeight `
	if got := h.Commands(virtualization.ResetVF{Connection: "Ethernet 7", Function: 2}); !slices.Equal(got, []string{of + "0", of + "60"}) {
		t.Errorf("a reset is %q", got)
	}
	if got := h.Commands(virtualization.Quarantine{VM: "vm003", Adapter: netAdapter}); len(got) != 2 || got[0] != of+"60" || !strings.Contains(got[1], impliedOne) {
		t.Errorf("a release is %q", got)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 7"})
	if s := h.View().Switches[0]; s.Why != "the driver of Ethernet 7 does not run" || s.IovSupport {
		t.Errorf("while the driver is off it is %+v", s)
	}
}

// TestACardWithInfiniBandHasNoFunctions burns virtual functions into a WinOF card of which one port speaks InfiniBand
// (IOV-1): neither port has any, and both say why, whatever else is off.
func TestACardWithInfiniBandHasNoFunctions(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}},
		edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-device/PermitSriov", Value: "0"}, adapters.Reboot{Host: "LAB-N4"})
	for _, permit := range []string{"0", "1"} {
		mustApply(t, h, edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-device/PermitSriov", Value: permit}, adapters.ReloadDriver{Driver: "mlx4"})
		h.Advance(longestStart)
		for _, connection := range []string{"Ethernet 3", "Ethernet 4"} {
			s := sriovOf(t, h, connection)
			if s.FirmwareVFs != 8 || s.Allowed != 0 || s.Open != 0 || s.Support != hyperv.NotSupportedByBus {
				t.Errorf("%s with PermitSriov %s has %d of %d, and says %s", connection, permit, s.Open, s.FirmwareVFs, s.Support)
			}
			if c := s.Checks[4]; c.OK || !strings.Contains(c.Why, "InfiniBand") || s.Why != c.Why {
				t.Errorf("%s with PermitSriov %s says %q, and %q", connection, permit, c.Why, s.Why)
			}
		}
	}
}
