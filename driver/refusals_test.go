package driver

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// refusal is an Operation that is refused with a word of why, or taken when there is none.
type refusal struct {
	name   string
	before []Operation
	do     Operation
	says   string
}

// refuses applies each to a host of its own: what is refused says why and changes nothing.
func refuses(t *testing.T, h *Host, list []refusal) {
	t.Helper()
	for _, c := range list {
		h := h.Clone()
		if len(c.before) > 0 {
			mustApply(t, h, c.before...)
		}
		before := configured(t, h)
		_, err := h.Apply(Plan{Title: "refused", Operations: []Operation{c.do}})
		switch {
		case c.says == "":
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		case err == nil:
			t.Errorf("%s: it was taken", c.name)
		case !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: %v; it lacks %q", c.name, err, c.says)
		case configured(t, h) != before:
			t.Errorf("%s: it was refused and changed the host", c.name)
		}
	}
}

const (
	impliedOne = "Switch Ethernet 7" // the switch of the default lab, with vm001 to vm004
	firstOne   = "vm001"
)

// TestSwitchRefusals has each rule of virtual switches.
func TestSwitchRefusals(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	create := func(s virtualization.SwitchRecord) Operation { return virtualization.CreateSwitch{Switch: s} }
	on := func(name, connection string) virtualization.SwitchRecord {
		return virtualization.SwitchRecord{Name: name, Connection: connection}
	}
	also := func(change func(*virtualization.SwitchRecord)) Operation {
		s := on("S", "Ethernet 8")
		change(&s)
		return create(s)
	}
	plain, direct := create(on("S", "Ethernet 8")), virtualization.SetFeature{Connection: "Ethernet 8", Feature: virtualization.FeaturePacketDirect, On: true}
	hosts := func(name, at string) Operation {
		return virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter(name, at)}
	}
	team := []Operation{
		teams.Create{Name: "T", Type: "AFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 8"},
	}
	refuses(t, h, []refusal{
		{"an empty name", nil, create(virtualization.SwitchRecord{Connection: "Ethernet 8"}), "requires a name"},
		{"a name in another case", nil, create(on("switch ethernet 7", "Ethernet 8")), "already"},
		{"on nothing", nil, create(virtualization.SwitchRecord{Name: "S"}), "name one of them"},
		{"on both", team, create(virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 10", Team: "T"}), "name one of them"},
		{"on what is not there", nil, create(on("S", "Ethernet 99")), "Ethernet 99"},
		{"on no team", nil, create(virtualization.SwitchRecord{Name: "S", Team: "X"}), "X"},
		{
			"SR-IOV and PacketDirect", []Operation{direct}, also(func(s *virtualization.SwitchRecord) { s.IOV, s.PacketDirect = true, true }),
			"not both",
		},
		{"an extension", nil, also(func(s *virtualization.SwitchRecord) { s.Extension = "X" }), "no extension"},
		{"the second on a port", nil, create(on("S", "Ethernet 7")), "has the virtual switch " + impliedOne},
		{
			"the second on a team", append(slices.Clone(team), create(virtualization.SwitchRecord{Name: "S", Team: "T"})),
			create(virtualization.SwitchRecord{Name: "R", Team: "t"}), "has the virtual switch S",
		},
		{"on a member", team, create(on("S", "Ethernet 8")), "member of the team T"},
		{"SR-IOV on a team", team, create(virtualization.SwitchRecord{Name: "S", Team: "T", IOV: true}), "can't have SR-IOV"},
		{
			"PacketDirect on InfiniBand", nil, create(virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 4", PacketDirect: true}),
			"requires an Ethernet port",
		},
		{"PacketDirect that is off", nil, also(func(s *virtualization.SwitchRecord) { s.PacketDirect = true }), "turn it on there first"},
		{"PacketDirect that is on", []Operation{direct}, also(func(s *virtualization.SwitchRecord) { s.PacketDirect = true }), ""},
		{"a bad GUID", nil, also(func(s *virtualization.SwitchRecord) { s.GUID = "{1}" }), "invalid GUID"},
		{
			"an adapter of the host of that name", []Operation{hosts("S", impliedOne)},
			also(func(s *virtualization.SwitchRecord) { s.ManagementOS = true }), `has a virtual adapter "S" already`,
		},
		{"the same without one of its own", []Operation{hosts("S", impliedOne)}, plain, ""},
		{
			"an adapter that is connected", nil, virtualization.CreateSwitch{
				Switch: on("S", "Ethernet 8"), Connected: []virtualization.AdapterName{{VM: firstOne, Adapter: netAdapter}},
			}, "is connected to the switch " + impliedOne,
		},
		{"an adapter that is not there", nil, virtualization.CreateSwitch{
			Switch: on("S", "Ethernet 8"), Connected: []virtualization.AdapterName{{VM: "nobody", Adapter: netAdapter}},
		}, "nobody"},
		{"to remove none", nil, virtualization.RemoveSwitch{Switch: "X"}, `there is no virtual`},
		{
			"to remove one with more adapters of the host", []Operation{hosts("more", impliedOne)}, virtualization.RemoveSwitch{Switch: impliedOne},
			"further adapters",
		},
		{
			"to remove one with adapters of the host alone", []Operation{plain, hosts("more", "S")}, virtualization.RemoveSwitch{Switch: "S"},
			"has adapters at S",
		},
		{"to change nothing", nil, virtualization.SetSwitch{Switch: impliedOne}, "no setting of the switch"},
		{"another extension", nil, virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.Extension("X"))}, "no extension"},
		{
			"an adapter whose name is taken", []Operation{plain, hosts("S", impliedOne)},
			virtualization.SetSwitch{Switch: "S", ManagementOS: new(true)}, "already",
		},
		{
			"to drop an adapter with settings", []Operation{virtualization.SetVMAdapter{Adapter: impliedOne, VLAN: new(5)}},
			virtualization.SetSwitch{Switch: impliedOne, ManagementOS: new(false)}, "settings of its own",
		},
		{"to drop a plain one", nil, virtualization.SetSwitch{Switch: impliedOne, ManagementOS: new(false)}, ""},
	})
	h.changeVirtual(func(v virtualization.Hypervisor) {
		v.Switches = append(v.Switches, make([]virtualization.SwitchRecord, virtualization.MaxSwitches-2)...)
	})
	if _, err := h.inverse(plain); err != nil {
		t.Errorf("with %d switches: %v", len(h.virtual.Switches), err)
	}
	h.changeVirtual(func(v virtualization.Hypervisor) { v.Switches = append(v.Switches, virtualization.SwitchRecord{}) })
	if _, err := h.inverse(plain); err == nil {
		t.Errorf("with %d switches another one is made", len(h.virtual.Switches))
	}
}

// TestMachineRefusals has each rule of virtual machines and of their adapters.
func TestMachineRefusals(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	machine := func(adapters ...virtualization.VMAdapterRecord) Operation {
		return virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", Adapters: adapters}}
	}
	with := func(change func(*virtualization.VMAdapterRecord)) Operation {
		a := virtualization.NewVMAdapter("A", impliedOne)
		change(&a)
		return machine(a)
	}
	static := func(mac description.MAC) Operation {
		return with(func(a *virtualization.VMAdapterRecord) { a.StaticMAC, a.MAC = true, mac })
	}
	fixed, port := description.MAC{0, 2, 3, 4, 5, 6}, h.mac(must(h.port("Ethernet 8")))
	taken := virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, MAC: &fixed}
	a, b := virtualization.NewVMAdapter("A", ""), virtualization.NewVMAdapter("B", "")
	both := func(x, y description.MAC) Operation {
		one, other := a, b
		one.StaticMAC, one.MAC, other.StaticMAC, other.MAC = true, x, true, y
		return machine(one, other)
	}
	add := func(name string) Operation {
		return virtualization.AddVMAdapter{VM: firstOne, Adapter: virtualization.NewVMAdapter(name, "")}
	}
	var seven []Operation
	for i := range virtualization.MaxAdapters - 1 {
		seven = append(seven, add(string(rune('a'+i))))
	}
	quarantine := virtualization.Quarantine{VM: firstOne, Adapter: netAdapter, Reason: "it floods"}
	filter := virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)}
	list := []refusal{
		{"an empty name", nil, virtualization.CreateVM{}, "requires a name"},
		{"a slash", nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "a/b"}}, "slash"},
		{"a name in another case", nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "VM001"}}, "already"},
		{"no such state", nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", State: "Asleep"}}, `invalid state "Asleep"`},
		{"a driver's version with an escape", nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", GuestDriver: "24\x1b[2J"}}, "version"},
		{"a long one", nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", GuestDriver: strings.Repeat("2", 65)}}, "version"},
		{"one that is just short enough", nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", GuestDriver: strings.Repeat("2", 64)}}, ""},
		{"nine adapters", nil, machine(make([]virtualization.VMAdapterRecord, virtualization.MaxAdapters+1)...), "8 network adapters"},
		{"two of a name", nil, machine(a, virtualization.NewVMAdapter("a", "")), "two of its adapters are named"},
		{"two of an address", nil, both(fixed, fixed), "two of its adapters have the MAC"},
		{"two of two addresses", nil, both(fixed, description.MAC{0, 2, 3, 4, 5, 7}), ""},
		{"no switch of that name", nil, machine(virtualization.NewVMAdapter("A", "X")), `there is no virtual`},
		{"a group address", nil, with(func(a *virtualization.VMAdapterRecord) { a.MAC = description.MAC{1, 0, 0x5e, 0, 0, 1} }), "multicast"},
		{"no address", nil, static(description.MAC{}), "can't be zero"},
		{"another machine's address", []Operation{taken}, static(fixed), "has the MAC address"},
		{"a port's address", nil, static(port), "Ethernet 8 has the MAC address"},
		{"its own address", []Operation{taken}, taken, ""},
		{
			"the address of an adapter of the same name", []Operation{taken},
			virtualization.SetVMAdapter{VM: "vm002", Adapter: netAdapter, MAC: &fixed}, firstOne + "/" + netAdapter + " has the MAC address",
		},
		{"a reason with an escape", nil, with(func(a *virtualization.VMAdapterRecord) { a.Quarantine = "\x1b" }), "control characters"},
		{"half a share", nil, with(func(a *virtualization.VMAdapterRecord) { a.Share = 0.5 }), ""},
		{"a share too much", nil, with(func(a *virtualization.VMAdapterRecord) { a.Share = 1.5 }), "share"},
		{"to do what was done", nil, virtualization.SetVMState{VM: firstOne, State: virtualization.VMRunning}, "running already"},
		{"no state", nil, virtualization.SetVMState{VM: firstOne, State: "Asleep"}, `invalid state "Asleep"`},
		{"no machine", nil, virtualization.SetVMState{VM: "X", State: virtualization.VMOff}, `there is no virtual`},
		{
			"the driver that it has", nil, virtualization.SetGuestDriver{VM: firstOne, Version: h.virtual.VMs[0].GuestDriver},
			"it has this driver already",
		},
		{"a driver with an escape", nil, virtualization.SetGuestDriver{VM: firstOne, Version: "\x1b"}, "version"},
		{"an adapter of that name", nil, add(strings.ToUpper(netAdapter)), "already"},
		{"the ninth adapter", seven, add("z"), "8 network adapters"},
		{"an adapter of the host without a switch", nil, virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter("A", "")}, "needs a switch"},
		{"to remove no adapter", nil, virtualization.RemoveVMAdapter{VM: firstOne, Adapter: "X"}, `no network adapter "X"`},
		{"to remove none of the host", nil, virtualization.RemoveVMAdapter{VM: "", Adapter: "X"}, "the host has no virtual adapter"},
		{"to change nothing", nil, virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter}, "no setting of the adapter"},
		{
			"to connect what is in quarantine", []Operation{quarantine},
			virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, Switch: new("")},
			"release it first",
		},
		{
			"other settings of it", []Operation{quarantine}, virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, VLAN: new(7)},
			"",
		},
		{"to disconnect an adapter of the host", nil, virtualization.SetVMAdapter{Adapter: impliedOne, Switch: new("")}, "needs a switch"},
		{
			"to lock the host out", nil, virtualization.Quarantine{Adapter: impliedOne, Reason: "it floods"},
			"only an adapter of a virtual machine",
		},
		{"to release what is free", nil, virtualization.Quarantine{VM: firstOne, Adapter: netAdapter}, "not in quarantine"},
		{
			"an escape for a reason", nil, virtualization.Quarantine{VM: firstOne, Adapter: netAdapter, Reason: "\x1b[2J"},
			"control characters",
		},
		{
			"a long reason", nil, virtualization.Quarantine{VM: firstOne, Adapter: netAdapter, Reason: strings.Repeat("x", virtualization.MaxReason+1)},
			"512 bytes",
		},
		{
			"the longest reason", nil,
			virtualization.Quarantine{VM: firstOne, Adapter: netAdapter, Reason: strings.Repeat("x", virtualization.MaxReason)}, "",
		},
		{"a port without a filter", nil, virtualization.ReleasePort{VM: firstOne, Adapter: netAdapter}, "no filter platform"},
		{"a port of the host", []Operation{filter}, virtualization.ReleasePort{Adapter: impliedOne}, "only ports of virtual machines"},
		{
			"a port that is out", []Operation{filter, virtualization.ReleasePort{VM: firstOne, Adapter: netAdapter}},
			virtualization.ReleasePort{VM: firstOne, Adapter: netAdapter}, "removed from the filter",
		},
		{"a port that is in", []Operation{filter}, virtualization.ReleasePort{VM: firstOne, Adapter: netAdapter, Back: true}, "blocks it already"},
	}
	for _, c := range []struct {
		name     string
		low, top int
		change   func(*virtualization.VMAdapterRecord, int)
	}{
		{"VLAN", 0, 4094, func(a *virtualization.VMAdapterRecord, n int) { a.VLAN = n }},
		{"IovWeight", 0, 100, func(a *virtualization.VMAdapterRecord, n int) { a.IovWeight = n }},
		{"VmqWeight", 0, 100, func(a *virtualization.VMAdapterRecord, n int) { a.VmqWeight = n }},
		{"RdmaWeight", 0, 100, func(a *virtualization.VMAdapterRecord, n int) { a.RdmaWeight = n }},
		{"VmmqQueuePairs", 1, 64, func(a *virtualization.VMAdapterRecord, n int) { a.VmmqQueuePairs = n }},
		{"IovQueuePairsRequested", 1, 64, func(a *virtualization.VMAdapterRecord, n int) { a.IovQueuePairs = n }},
		{"VirtualSubnetID", 0, 1<<24 - 1, func(a *virtualization.VMAdapterRecord, n int) { a.VirtualSubnet = uint32(n) }},
		{"claim", 0, counter.MaxFunctions, func(a *virtualization.VMAdapterRecord, n int) { a.Claim = n }},
	} {
		for _, n := range []int{c.low - 1, c.low, c.top, c.top + 1} {
			says := c.name
			if c.low <= n && n <= c.top {
				says = ""
			}
			list = append(list, refusal{c.name, nil, with(func(a *virtualization.VMAdapterRecord) { c.change(a, n) }), says})
		}
	}
	refuses(t, h, list)
	one := virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M"}}
	h.changeVirtual(func(v virtualization.Hypervisor) {
		v.VMs = append(v.VMs, make([]virtualization.Machine, virtualization.MaxMachines-len(v.VMs)-1)...)
	})
	if _, err := h.inverse(one); err != nil {
		t.Errorf("with %d machines: %v", len(h.virtual.VMs), err)
	}
	h.changeVirtual(func(v virtualization.Hypervisor) { v.VMs = append(v.VMs, virtualization.Machine{}) })
	if _, err := h.inverse(one); err == nil {
		t.Errorf("with %d machines another one is made", len(h.virtual.VMs))
	}
}

// TestPortAndComputerRefusals has each rule of virtual functions, of features and of the BIOS.
func TestPortAndComputerRefusals(t *testing.T) {
	t.Parallel()
	d := description.Default()
	for i := range d.Adapters {
		if d.Adapters[i].Name == "ConnectX-4 Lx" {
			d.Adapters[i].Ports = d.Adapters[i].Ports[:1]
		}
	}
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == "Ethernet 6" })
	d.Faults = slices.DeleteFunc(d.Faults, func(f description.Fault) bool { return f.Port == "Ethernet 6" })
	h := NewHost(must(device.New(d, 5)))
	feature := func(connection string, f virtualization.AdapterFeature, on bool) Operation {
		return virtualization.SetFeature{Connection: connection, Feature: f, On: on}
	}
	direct := feature("Ethernet 8", virtualization.FeaturePacketDirect, true)
	refuses(t, h, []refusal{
		{"VF -1", nil, virtualization.ResetVF{Connection: "Ethernet 7", Function: -1}, "0 to 3"},
		{"VF 4 of 4", nil, virtualization.ResetVF{Connection: "Ethernet 7", Function: 4}, "0 to 3"},
		{"VF 3 of 4", nil, virtualization.ResetVF{Connection: "Ethernet 7", Function: 3}, ""},
		{"a VF of none", nil, virtualization.ResetVF{Connection: "Ethernet 8", Function: 0}, "no virtual functions"},
		{"a VF of no port", nil, virtualization.ResetVF{Connection: "Ethernet 99", Function: 0}, "Ethernet 99"},
		{"NumVFs -1", nil, virtualization.SetNumVFs{Connection: "Ethernet 7", NumVFs: -1}, "0 to 127"},
		{"NumVFs 128", nil, virtualization.SetNumVFs{Connection: "Ethernet 7", NumVFs: 128}, "0 to 127"},
		{"NumVFs 127", nil, virtualization.SetNumVFs{Connection: "Ethernet 7", NumVFs: 127}, ""},
		{"NumVFs as it is", nil, virtualization.SetNumVFs{Connection: "Ethernet 7", NumVFs: 32}, "32 already"},
		{"the ports of a later card", nil, adapters.SetSriovPorts{Adapter: "ConnectX-5 Ex", Mode: 2, Port1: 1, Port2: 1}, "NUM_OF_VFS"},
		{"mode 3", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 3, Port1: 1, Port2: 1}, "SriovPortMode"},
		{"mode -1", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: -1, Port1: 1, Port2: 1}, "SriovPortMode"},
		{"127 at port 1", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: 127, Port2: 1}, "0 to 126"},
		{"127 at port 2", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: 1, Port2: 127}, "0 to 126"},
		{"-1 at port 1", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: -1, Port2: 1}, "0 to 126"},
		{"-1 at port 2", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: 1, Port2: -1}, "0 to 126"},
		{"126 at both", nil, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 0, Port1: 126, Port2: 126}, ""},
		{
			"PacketDirect of InfiniBand", nil, feature("Ethernet 4", virtualization.FeaturePacketDirect, true),
			"Ethernet port of a ConnectX-3 Pro",
		},
		{
			"PacketDirect under a switch", []Operation{
				direct, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 8", PacketDirect: true}},
			},
			feature("Ethernet 8", virtualization.FeaturePacketDirect, false), "remove the switch first",
		},
		{"PacketDirect that is on", []Operation{direct}, direct, "on already"},
		{"PacketDirect that is off", nil, feature("Ethernet 8", virtualization.FeaturePacketDirect, false), "off already"},
		{"PacketDirect that goes off", []Operation{direct}, feature("Ethernet 8", virtualization.FeaturePacketDirect, false), ""},
		{"a binding that is off", nil, feature("Ethernet 8", virtualization.FeatureNetworkVirtualization, false), "off already"},
		{
			"a binding that goes off", []Operation{feature("Ethernet 8", virtualization.FeatureNetworkVirtualization, true)},
			feature("Ethernet 8", virtualization.FeatureNetworkVirtualization, false), "",
		},
		{
			"promiscuous twice", []Operation{feature("Ethernet 8", virtualization.FeaturePromiscuous, true)},
			feature("Ethernet 8", virtualization.FeaturePromiscuous, true), "on already",
		},
		{"RDMA of a port", nil, feature("Ethernet 8", virtualization.FeatureRdma, true), "no virtual adapter"},
		{"RDMA that is off", nil, feature(impliedOne, virtualization.FeatureRdma, false), "off already"},
		{
			"RDMA twice", []Operation{feature(impliedOne, virtualization.FeatureRdma, true)}, feature(impliedOne, virtualization.FeatureRdma, true),
			"on already",
		},
		{"no feature", nil, feature("Ethernet 8", "X", true), `no feature "X"`},
		{"the BIOS of another host", nil, virtualization.SetBIOS{Host: "X", SRIOV: new(false)}, `"LAB-N4"`},
		{"no switch of it", nil, virtualization.SetBIOS{Host: "LAB-N4"}, "a BIOS setting is required"},
		{
			"the second port of a card with one", nil, virtualization.SetFirmware{Adapter: "ConnectX-4 Lx", Values: []virtualization.FirmwareValue{{Name: "LINK_TYPE_P2", Value: "2"}}},
			"the card has 1",
		},
		{"the first one", nil, virtualization.SetFirmware{Adapter: "ConnectX-4 Lx", Values: []virtualization.FirmwareValue{{Name: "LINK_TYPE_P1", Value: "2"}}}, ""},
	})
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 7"})
	refuses(t, h, []refusal{{"a VF while the driver is off", nil, virtualization.ResetVF{Connection: "Ethernet 7", Function: 0}, "does not run"}})
	for i := range d.Adapters {
		if d.Adapters[i].Name == "ConnectX-3 Pro" {
			d.Adapters[i].DeviceID = 0x1003
		}
	}
	refuses(t, NewHost(must(device.New(d, 5))), []refusal{
		{"PacketDirect of a ConnectX-3", nil, feature("Ethernet 3", virtualization.FeaturePacketDirect, true), "ConnectX-3 Pro or later"},
		{"its binding", nil, feature("Ethernet 3", virtualization.FeatureNetworkVirtualization, true), ""},
	})
}

// TestNetworkVirtualizationRefusals has each rule of the records of NVGRE (VIRT-6, VIRT-7).
func TestNetworkVirtualizationRefusals(t *testing.T) {
	t.Parallel()
	with := func(change func(*virtualization.NetVirtualization)) Operation {
		r := someRecords()
		change(&r)
		return virtualization.AddNetVirtualization{Records: r}
	}
	all := someRecords()
	many := func(n int) Operation {
		r := virtualization.NetVirtualization{}
		for i := range n {
			one := all.Lookups[0]
			one.VirtualSubnet += uint32(i)
			r.Lookups = append(r.Lookups, one)
		}
		return virtualization.AddNetVirtualization{Records: r}
	}
	refuses(t, newHost(t, 5), []refusal{
		{"1024 of a kind", nil, many(1024), ""},
		{"1025 of a kind", nil, many(1025), "1024 records of a kind"},
		{"1024 and two of other kinds", []Operation{many(1024)}, with(func(r *virtualization.NetVirtualization) { r.Lookups = nil }), ""},
		{"no setting of the switch", nil, virtualization.AddNetVirtualization{}, "a record is required"},
		{"nothing to remove", nil, virtualization.RemoveNetVirtualization{}, "a record is required"},
		{"what is not there", nil, virtualization.RemoveNetVirtualization{Records: all}, "does not exist"},
		{"all of them", nil, virtualization.AddNetVirtualization{Records: all}, ""},
		{"subnet 4095", nil, with(func(r *virtualization.NetVirtualization) { r.Lookups[0].VirtualSubnet = 4095 }), "4096"},
		{"subnet 4096", nil, with(func(r *virtualization.NetVirtualization) { r.Lookups[0].VirtualSubnet = 4096 }), ""},
		{"the last but one", nil, with(func(r *virtualization.NetVirtualization) { r.CustomerRoutes[0].VirtualSubnet = 1<<24 - 2 }), ""},
		{
			"the last one", nil, with(func(r *virtualization.NetVirtualization) { r.CustomerRoutes[0].VirtualSubnet = 1<<24 - 1 }),
			"16777214",
		},
		{"no customer", nil, with(func(r *virtualization.NetVirtualization) { r.Lookups[0].CustomerAddress = netip.Addr{} }), "customer"},
		{"no provider", nil, with(func(r *virtualization.NetVirtualization) { r.Lookups[0].ProviderAddress = netip.Addr{} }), "provider"},
		{
			"no next hop of a customer", nil, with(func(r *virtualization.NetVirtualization) { r.CustomerRoutes[0].NextHop = netip.Addr{} }),
			"next hop",
		},
		{
			"no routing domain", nil, with(func(r *virtualization.NetVirtualization) { r.CustomerRoutes[0].RoutingDomain = "x" }),
			"routing domain",
		},
		{"a prefix too long", nil, with(func(r *virtualization.NetVirtualization) { r.ProviderAddresses[0].PrefixLength = 33 }), "prefix"},
		{"the longest prefix", nil, with(func(r *virtualization.NetVirtualization) { r.ProviderAddresses[0].PrefixLength = 32 }), ""},
		{"no such port", nil, with(func(r *virtualization.NetVirtualization) { r.ProviderAddresses[0].Connection = "X" }), "X"},
		{"no next hop", nil, with(func(r *virtualization.NetVirtualization) { r.ProviderRoutes[0].NextHop = netip.Addr{} }), "next hop"},
		{"no port of a route", nil, with(func(r *virtualization.NetVirtualization) { r.ProviderRoutes[0].Connection = "X" }), "X"},
		{
			"the same lookup", []Operation{virtualization.AddNetVirtualization{Records: all}},
			virtualization.AddNetVirtualization{Records: virtualization.NetVirtualization{Lookups: all.Lookups}}, "already",
		},
		{
			"the same customer route", []Operation{virtualization.AddNetVirtualization{Records: all}},
			virtualization.AddNetVirtualization{Records: virtualization.NetVirtualization{CustomerRoutes: all.CustomerRoutes}}, "already",
		},
		{
			"the same address", []Operation{virtualization.AddNetVirtualization{Records: all}},
			virtualization.AddNetVirtualization{Records: virtualization.NetVirtualization{ProviderAddresses: all.ProviderAddresses}}, "already",
		},
		{
			"the same provider route", []Operation{virtualization.AddNetVirtualization{Records: all}},
			virtualization.AddNetVirtualization{Records: virtualization.NetVirtualization{ProviderRoutes: all.ProviderRoutes}}, "already",
		},
	})
}
