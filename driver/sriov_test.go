package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/virtualization/hyperv"
)

// vmAdapterOf is the only adapter of a virtual machine as the view has it.
func vmAdapterOf(t *testing.T, h *Host, name string) virtualization.VMAdapterView {
	t.Helper()
	for _, m := range h.View().VMs {
		if m.Name == name && len(m.Adapters) == 1 {
			return m.Adapters[0]
		}
	}
	t.Fatalf("no virtual machine %s with one adapter", name)
	return virtualization.VMAdapterView{}
}

func sriovOf(t *testing.T, h *Host, connection string) virtualization.SRIOVView {
	t.Helper()
	for _, a := range h.View().Adapters {
		for _, p := range a.Ports {
			if p.Description.Connection == connection {
				return p.SRIOV
			}
		}
	}
	t.Fatalf("no port %s", connection)
	return virtualization.SRIOVView{}
}

// TestFromNoSRIOVToAMachineOnAVF goes the way of the procedure, from a card without virtual functions to a machine that
// moves its traffic by one, and back.
func TestFromNoSRIOVToAMachineOnAVF(t *testing.T) {
	t.Parallel()
	const connection, card = "Ethernet 10", "BlueField-2"
	h := newHost(t, 7)
	h.Advance(time.Second)
	if s := sriovOf(t, h, connection); s.Support != hyperv.NotSupported || s.Open != 0 || s.Why == "" {
		t.Errorf("at first it is %+v", s)
	}
	mustApply(t, h, virtualization.SetFirmware{Adapter: card, Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}}, set(connection, "*SRIOV", "1"))
	if s := sriovOf(t, h, connection); s.Open != 0 || s.FirmwareVFs != 0 {
		t.Errorf("before the reboot there are %d of %d", s.Open, s.FirmwareVFs)
	}
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	if s := sriovOf(t, h, connection); s.Support != hyperv.Supported || s.Open != 8 || s.Free != 8 || s.Checks[5].OK {
		t.Errorf("after it, it is %+v", s)
	}
	a := virtualization.NewVMAdapter(netAdapter, "SR-IOV")
	a.IovWeight = virtualization.FullWeight
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "SR-IOV", Connection: connection, IOV: true}},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "web", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}})
	if got := vmAdapterOf(t, h, "web"); got.Path != virtualization.PathSynthetic || !strings.Contains(got.Why, "driver") {
		t.Errorf("without a driver in the guest it goes %s, because %q", got.Path, got.Why)
	}
	port := must(h.port(connection))
	moved := func() [2]uint64 {
		c := h.lab.Counters()
		return [2]uint64{
			c[counter.Cell(port, counter.SyntheticReceivedBytes)], c[h.lab.FunctionCell(port, 0, counter.FunctionReceivedBytes)],
		}
	}
	from := moved()
	h.Advance(2 * time.Second)
	if now := moved(); now[0] == from[0] || now[1] != from[1] {
		t.Errorf("on the synthetic way it moved %v", now)
	}
	mustApply(t, h, virtualization.SetGuestDriver{VM: "web", Version: "24.4"})
	from = moved()
	h.Advance(2 * time.Second)
	if now := moved(); now[0] != from[0] || now[1] == from[1] {
		t.Errorf("by its virtual function it moved %v, before %v", now, from)
	}
	if s := sriovOf(t, h, connection); s.Attached != 1 || s.VFs[0].VM != "web" || s.VFs[0].State != virtualization.VFAttached || s.VFs[0].Pages == 0 {
		t.Errorf("the functions are %+v", s.VFs[:1])
	}
	if ports := h.VPorts(); !slices.ContainsFunc(ports, func(p virtualization.VPortView) bool { return p.VM == "web" && p.Function == 0 }) {
		t.Errorf("the virtual ports are %v", ports)
	}
	for range 4 {
		if _, err := h.Undo(); err != nil {
			break
		}
		h.Advance(longestStart)
	}
	if s := sriovOf(t, h, connection); len(h.virtual.VMs) != 4 || s.FirmwareVFs != 8 { // what is in the flash waits for another reboot
		t.Errorf("undone, there are %d machines and %d functions in the firmware", len(h.virtual.VMs), s.FirmwareVFs)
	}
	mustApply(t, h, adapters.ResetCard{Adapter: card})
	h.Advance(longestStart)
	if s := sriovOf(t, h, connection); s.Open != 0 || s.FirmwareVFs != 0 {
		t.Errorf("after the card was reset there are %d", s.Open)
	}
}

// TestUndoOfFirmwareReboots undoes a plan that burned firmware and restarted the host, once it runs and while it
// starts: the firmware works with what it had.
func TestUndoOfFirmwareReboots(t *testing.T) {
	t.Parallel()
	const card = "BlueField-2"
	flash := virtualization.SetFirmware{Adapter: card, Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}}
	for name, c := range map[string]struct {
		start Operation
		waits time.Duration
	}{
		"after a reboot":      {adapters.Reboot{Host: "LAB-N4"}, longestStart},
		"during a reboot":     {adapters.Reboot{Host: "LAB-N4"}, time.Second},
		"after a card reset":  {adapters.ResetCard{Adapter: card}, longestStart},
		"during a card reset": {adapters.ResetCard{Adapter: card}, time.Second},
	} {
		h := newHost(t, 7)
		mustApply(t, h, flash, c.start)
		h.Advance(c.waits)
		if _, err := h.Undo(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s := sriovOf(t, h, "Ethernet 10"); s.FirmwareVFs != 0 || h.virtual.NeedsBoot() {
			t.Errorf("%s: %d functions are left in the firmware, and a setting waits: %t", name, s.FirmwareVFs, h.virtual.NeedsBoot())
		}
	}
}

// TestAdaptersFallBackAndReturn takes virtual functions away in each way that there is: the traffic goes the synthetic
// way or not at all, and returns to the same function.
func TestAdaptersFallBackAndReturn(t *testing.T) {
	t.Parallel()
	const connection, machine = "Ethernet 7", "vm002"
	weight := func(n int) Operation {
		return virtualization.SetVMAdapter{VM: machine, Adapter: netAdapter, IovWeight: new(n)}
	}
	for name, c := range map[string]struct {
		do, back Operation
		path     virtualization.Path
		why      string
	}{
		"detach":     {weight(0), weight(100), virtualization.PathSynthetic, ""},
		"link":       {hardware.PullCable{Connection: connection}, hardware.PlugCable{Connection: connection}, virtualization.PathSynthetic, "link"},
		"disabled":   {adapters.DisableAdapter{Connection: connection}, adapters.EnableAdapter{Connection: connection}, virtualization.NoPath, "driver"},
		"stopped":    {virtualization.SetVMState{VM: machine, State: virtualization.VMOff}, virtualization.SetVMState{VM: machine, State: virtualization.VMRunning}, virtualization.NoPath, "off"},
		"quarantine": {virtualization.Quarantine{VM: machine, Adapter: netAdapter, Reason: "it floods"}, virtualization.Quarantine{VM: machine, Adapter: netAdapter}, virtualization.NoPath, "it floods"},
		"driver":     {virtualization.SetGuestDriver{VM: machine}, virtualization.SetGuestDriver{VM: machine, Version: "24.4"}, virtualization.PathSynthetic, "driver"},
		"switch": {
			virtualization.SetVMAdapter{VM: machine, Adapter: netAdapter, Switch: new("")}, virtualization.SetVMAdapter{VM: machine, Adapter: netAdapter, Switch: new("Switch " + connection)},
			virtualization.NoPath, "switch",
		},
	} {
		h := newHost(t, 3)
		h.Advance(time.Second)
		if a := vmAdapterOf(t, h, machine); a.Path != virtualization.PathVF || a.Function != 1 || a.Why != "" {
			t.Fatalf("%s: at first it goes %s with VF %d: %s", name, a.Path, a.Function, a.Why)
		}
		mustApply(t, h, c.do)
		h.Advance(5 * time.Second)
		if a := vmAdapterOf(t, h, machine); a.Path != c.path || !strings.Contains(a.Why, c.why) {
			t.Errorf("%s: it goes %s, because %q", name, a.Path, a.Why)
		}
		mustApply(t, h, c.back)
		h.Advance(10 * time.Second)
		if a := vmAdapterOf(t, h, machine); a.Path != virtualization.PathVF || a.Function != 1 || len(a.History) < 2 {
			t.Errorf("%s: it returns to %s with VF %d: %s; %v", name, a.Path, a.Function, a.Why, a.History)
		}
	}
}

// TestFunctionFaultsShowAtTheirFunction lets the third function of a port misbehave: its own counters move, and the
// counters of its neighbours don't.
func TestFunctionFaultsShowAtTheirFunction(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	for kind, c := range map[description.FaultKind]counter.Function{
		description.WrongAddress: counter.FunctionWrongAddressPackets, description.DisallowedType: counter.FunctionBarredTypePackets,
		description.FirmwareLoad: counter.FunctionFirmwareErrors,
	} {
		h := newHost(t, 3)
		port := must(h.port(connection))
		mustApply(t, h, hardware.SetFunctionFault{Connection: connection, Function: 2, Fault: kind, Share: 1})
		h.Advance(3 * time.Second)
		counters := h.lab.Counters()
		for f := range 4 {
			if n := counters[h.lab.FunctionCell(port, f, c)]; (n > 0) != (f == 2) {
				t.Errorf("%s: VF %d counts %d", kind, f, n)
			}
		}
		if s := sriovOf(t, h, connection); !slices.Equal(s.VFs[2].Faults, []description.FaultKind{kind}) {
			t.Errorf("%s: the view has %v", kind, s.VFs[2].Faults)
		}
		mustApply(t, h, virtualization.SetVMAdapter{VM: "vm003", Adapter: netAdapter, IovWeight: new(0)})
		before := h.lab.Counters()[h.lab.FunctionCell(port, 2, c)]
		h.Advance(2 * time.Second)
		if now := h.lab.Counters()[h.lab.FunctionCell(port, 2, c)]; now != before {
			t.Errorf("%s: a function without a machine goes on", kind)
		}
	}
	h := newHost(t, 3)
	port := must(h.port(connection))
	sent := func(f int) uint64 {
		return h.lab.Counters()[h.lab.FunctionCell(port, f, counter.FunctionSentPackets)]
	}
	h.Advance(time.Second)
	calm := [2]uint64{sent(2), h.lab.Counters()[counter.Cell(port, counter.SentPackets)]}
	mustApply(t, h, hardware.SetFunctionFault{Connection: connection, Function: 2, Fault: description.Storm, Share: 1})
	h.Advance(time.Second)
	if more := sent(2) - calm[0]; more < 900_000 {
		t.Errorf("a storm is %d packets a second", more)
	}
	if all := h.lab.Counters()[counter.Cell(port, counter.SentPackets)] - calm[1]; all < 900_000 {
		t.Errorf("the port sent %d of it", all)
	}
}

// TestALimitOfPagesRefusesAFunction writes the event of IOV-15 and leaves the adapter on the synthetic way.
func TestALimitOfPagesRefusesAFunction(t *testing.T) {
	t.Parallel()
	const connection, machine = "Ethernet 7", "vm001"
	h := newHost(t, 3)
	from := h.events.Last()
	mustApply(t, h, set(connection, "MaxFWPagesUsagePerVF", "1500"),
		virtualization.SetVMState{VM: machine, State: virtualization.VMOff}, virtualization.SetVMState{VM: machine, State: virtualization.VMRunning})
	a := vmAdapterOf(t, h, machine)
	if a.Function != setup.NoFunction || a.Path != virtualization.PathSynthetic || !strings.Contains(a.Why, "pages") {
		t.Errorf("it has VF %d, goes %s: %s", a.Function, a.Path, a.Why)
	}
	if keys := newest(h, from, connection); !slices.Contains(keys, "mlx5.vf-page-limit") {
		t.Errorf("the log has %v", keys)
	}
	mustApply(t, h, edit.DeleteValue{Connection: connection, Key: "MaxFWPagesUsagePerVF"},
		virtualization.SetVMState{VM: machine, State: virtualization.VMOff}, virtualization.SetVMState{VM: machine, State: virtualization.VMRunning})
	if a := vmAdapterOf(t, h, machine); a.Path != virtualization.PathVF {
		t.Errorf("without the limit it goes %s: %s", a.Path, a.Why)
	}
}

// TestTheComputerDecidesOnSRIOV turns SR-IOV off in the BIOS, and makes the address space too small.
func TestTheComputerDecidesOnSRIOV(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 3)
	mustApply(t, h, virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false)})
	if m := h.View().Machine; !m.IovSupport || m.Next.SRIOV || !slices.Equal(m.IovSupportReasons, []string{hyperv.OK}) {
		t.Errorf("before the reboot the computer is %+v", m)
	}
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	s := sriovOf(t, h, connection)
	if m := h.View().Machine; m.IovSupport || s.Open != 0 || s.Support != hyperv.NoIoMmuSupport || s.Checks[0].OK {
		t.Errorf("after it: %v, %d functions, %s", m.IovSupportReasons, s.Open, s.Support)
	}
	mustApply(t, h, virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(true)}, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	if s := sriovOf(t, h, connection); s.Open != 4 || s.Attached != 4 {
		t.Errorf("with SR-IOV there are %d, of which %d are attached", s.Open, s.Attached)
	}
	d := description.Default()
	d.Host.SpaceMB = 64
	d.Adapters[0].Flash = map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 64}
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	if s := sriovOf(t, NewHost(lab), connection); s.Support != hyperv.NoVfBarSpace || s.Open != 0 || s.Checks[2].OK {
		t.Errorf("with too little space: %d functions, %s", s.Open, s.Support)
	}
}

// TestTheFilterPlatformBlocksPorts blocks the ports of machines until vfpctrl removes them from it, and again when
// they restart (VIRT-4).
func TestTheFilterPlatformBlocksPorts(t *testing.T) {
	t.Parallel()
	const machine = "vm001"
	h := newHost(t, 3)
	release := virtualization.ReleasePort{VM: machine, Adapter: netAdapter}
	mustApply(t, h, virtualization.SetSwitch{Switch: "Switch Ethernet 7", Extension: new(virtualization.ExtensionVFP)})
	for range 2 {
		if a := vmAdapterOf(t, h, machine); a.Path != virtualization.NoPath || !a.Blocked {
			t.Errorf("it goes %s", a.Path)
		}
		if c := h.Commands(release); len(c) != 1 || strings.Contains(c[0], "<") || !strings.HasPrefix(c[0], "vfpctrl /disable-port /port ") {
			t.Errorf("the command is %q", c)
		}
		mustApply(t, h, release)
		if a := vmAdapterOf(t, h, machine); a.Path != virtualization.PathVF || a.Blocked {
			t.Errorf("released, it goes %s", a.Path)
		}
		mustApply(t, h, virtualization.SetVMState{VM: machine, State: virtualization.VMOff}, virtualization.SetVMState{VM: machine, State: virtualization.VMRunning})
	}
}

// TestCommandsOfVirtualOperations has the commands of the manuals, with hostile names in quotes.
func TestCommandsOfVirtualOperations(t *testing.T) {
	t.Parallel()
	h := newHost(t, 3)
	for want, o := range map[string]Operation{
		"mlxconfig -d mt4121_pciconf0 -y set SRIOV_EN=1 NUM_OF_VFS=16":                                         virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "16"}}},
		`Set-NetAdapterSriov -Name "Ethernet 7" -NumVFs 64`:                                                    virtualization.SetNumVFs{Connection: "Ethernet 7", NumVFs: 64},
		`Set-MlnxPCIDeviceSriovSetting -Name "HCA 0" -SriovPortMode 2 -SriovPort1NumVFs 8 -SriovPort2NumVFs 8`: adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: 8, Port2: 8},
		`New-VMSwitch -Name "S" -NetAdapterName "Ethernet 7" -EnableIov $true -AllowManagementOS $false`: virtualization.CreateSwitch{
			Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 7", IOV: true},
		},
		`Set-VMNetworkAdapter -VMName "vm001" -Name "Network Adapter" -IovWeight 0`: virtualization.SetVMAdapter{VM: "vm001", Adapter: netAdapter, IovWeight: new(0)},
		`Set-VMNetworkAdapterRdma -VMName "vm001" -Name "Network Adapter" -RdmaWeight 100`: virtualization.SetVMAdapter{
			VM: "vm001", Adapter: netAdapter, RdmaWeight: new(100),
		},
		`Stop-VM -Name '$(calc)' -Force`:                   virtualization.SetVMState{VM: "$(calc)", State: virtualization.VMOff},
		`Enable-NetAdapterPacketDirect -Name "Ethernet 7"`: virtualization.SetFeature{Connection: "Ethernet 7", Feature: virtualization.FeaturePacketDirect, On: true},
	} {
		if got := h.Commands(o); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", o.Describe(), got, want)
		}
	}
}

// TestRecordsOfNetworkVirtualization adds the records of NVGRE and removes one; undone, they are as they were.
func TestRecordsOfNetworkVirtualization(t *testing.T) {
	t.Parallel()
	h := newHost(t, 3)
	all := someRecords()
	mustApply(t, h, virtualization.AddNetVirtualization{Records: all})
	if _, err := h.Apply(Plan{Title: "again", Operations: []Operation{virtualization.AddNetVirtualization{Records: all}}}); err == nil {
		t.Error("the same records were added twice")
	}
	mustApply(t, h, virtualization.RemoveNetVirtualization{Records: virtualization.NetVirtualization{Lookups: all.Lookups}})
	if n := h.View().Net; len(n.Lookups) != 0 || len(n.ProviderRoutes) != 1 {
		t.Errorf("the records are %+v", n)
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if n := h.View().Net; len(n.Lookups) != 1 || n.Lookups[0] != all.Lookups[0] {
		t.Errorf("undone, they are %+v", n)
	}
}

// TestCommandsThatRestoreRecords takes records of each kind away: what brings them back are commands for these, and
// none for the existing ones.
func TestCommandsThatRestoreRecords(t *testing.T) {
	t.Parallel()
	all := someRecords()
	for name, gone := range map[string]virtualization.NetVirtualization{
		"":       {},
		"Lookup": {Lookups: all.Lookups}, "CustomerRoute": {CustomerRoutes: all.CustomerRoutes},
		"ProviderAddress": {ProviderAddresses: all.ProviderAddresses}, "ProviderRoute": {ProviderRoutes: all.ProviderRoutes},
	} {
		h := newHost(t, 3)
		mustApply(t, h, virtualization.AddNetVirtualization{Records: all})
		if name == "" {
			if got := h.Commands(virtualization.RestoreNetVirtualization{Records: all}); len(got) > 0 {
				t.Errorf("with all records there: %q", got)
			}
			continue
		}
		mustApply(t, h, virtualization.RemoveNetVirtualization{Records: gone})
		got := h.Commands(virtualization.RestoreNetVirtualization{Records: all})
		if news := strings.Count(strings.Join(got, "\n"), "New-"); news != 1 || !strings.Contains(got[len(got)-1], "New-NetVirtualization"+name) {
			t.Errorf("without %s: %q", name, got)
		}
	}
}

// TestRole holds that the role Hyper-V comes and goes with a reboot, that nothing can be created without it, and that a host with
// machines keeps it.
func TestRole(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	apply := func(o Operation) error {
		_, err := h.Apply(Plan{Title: "role", Operations: []Operation{o}})
		return err
	}
	remove := virtualization.SetRole{}
	if err := apply(remove); err == nil || !strings.Contains(err.Error(), "remove them first") {
		t.Errorf("with machines: %v", err)
	}
	for _, m := range h.View().VMs {
		mustApply(t, h, virtualization.RemoveVM{VM: m.Name})
	}
	for _, s := range h.View().Switches {
		mustApply(t, h, virtualization.RemoveSwitch{Switch: s.Name})
	}
	h.Advance(longestStart)
	create := virtualization.CreateVM{VM: virtualization.VMRecord{Name: "new", Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter("a", "")}}}
	reboot := adapters.Reboot{Host: h.View().Name}
	mustApply(t, h, remove)
	if m := h.View().Machine; !m.HyperV || m.NextHyperV || !m.IovSupport || !h.virtual.NeedsBoot() {
		t.Errorf("before the reboot: %+v", m)
	}
	if err := apply(create); err == nil || !strings.Contains(err.Error(), "removed at the next reboot") {
		t.Errorf("before the reboot: %v", err)
	}
	mustApply(t, h, reboot)
	h.Advance(longestStart)
	if m := h.View().Machine; m.HyperV || m.IovSupport || !strings.Contains(m.IovSupportReasons[0], "is not installed") || h.virtual.NeedsBoot() {
		t.Errorf("without the role: %+v", m)
	}
	switchAt := virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "new", Connection: "Ethernet 8"}}
	for _, o := range []Operation{create, switchAt} {
		if err := apply(o); err == nil || !strings.Contains(err.Error(), "Install-WindowsFeature") {
			t.Errorf("%s: %v", o.Describe(), err)
		}
	}
	mustApply(t, h, virtualization.SetRole{Installed: true})
	if err := apply(create); err == nil || !strings.Contains(err.Error(), "starts at the next reboot") {
		t.Errorf("before the second reboot: %v", err)
	}
	mustApply(t, h, reboot)
	h.Advance(longestStart)
	mustApply(t, h, create)
	if m := h.View().Machine; !m.HyperV || !m.IovSupport {
		t.Errorf("with the role again: %+v", m)
	}
	if err := apply(virtualization.SetRole{Installed: true}); err == nil {
		t.Error("a second installation is not refused")
	}
}
