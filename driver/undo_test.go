package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// TestEachChangeCountsAndIsUndone makes each change that Hyper-V, its switches and its adapters know: it can be seen,
// and undone the host is as it was, in its order.
func TestEachChangeCountsAndIsUndone(t *testing.T) {
	t.Parallel()
	one, other := description.MAC{0, 2, 3, 4, 5, 6}, description.MAC{0, 2, 3, 4, 5, 7}
	type settings = virtualization.SetVMAdapter
	give := func(change func(*settings)) Operation {
		o := virtualization.SetVMAdapter{VM: "vm002", Adapter: netAdapter}
		change(&o)
		return o
	}
	type record = virtualization.VMAdapterRecord
	is := func(same func(*record) bool) func(*Host) bool {
		return func(h *Host) bool { return same(&h.virtual.VMs[1].Adapters[0].VMAdapterRecord) }
	}
	sw := func(h *Host) *virtualization.SwitchRecord { return &h.virtual.Switches[0] }
	static := give(func(o *settings) { o.MAC = &one })
	more := []Operation{
		virtualization.AddVMAdapter{VM: "vm002", Adapter: virtualization.NewVMAdapter("B", "")},
		virtualization.AddVMAdapter{VM: "vm002", Adapter: virtualization.NewVMAdapter("C", impliedOne)},
	}
	at := func(name, connection string) Operation {
		return virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: name, Connection: connection, IOV: true}}
	}
	switches := []Operation{at("R", "Ethernet 8"), at("S", "Ethernet 9"), askingVM("M", "R")}
	for name, c := range map[string]struct {
		before []Operation
		do     Operation
		after  func(*Host) bool
	}{
		"a VLAN": {
			nil, give(func(o *settings) { o.VLAN = new(70) }),
			is(func(a *record) bool { return a.VLAN == 70 }),
		},
		"IovWeight": {
			nil, give(func(o *settings) { o.IovWeight = new(0) }),
			is(func(a *record) bool { return a.IovWeight == 0 }),
		},
		"VmqWeight": {
			nil, give(func(o *settings) { o.VmqWeight = new(7) }),
			is(func(a *record) bool { return a.VmqWeight == 7 }),
		},
		"VMMQ": {
			nil, give(func(o *settings) { o.VmmqEnabled = new(false) }),
			is(func(a *record) bool { return !a.VmmqEnabled }),
		},
		"VmmqQueuePairs": {
			nil, give(func(o *settings) { o.VmmqQueuePairs = new(3) }),
			is(func(a *record) bool { return a.VmmqQueuePairs == 3 }),
		},
		"IovQueuePairs": {
			nil, give(func(o *settings) { o.IovQueuePairs = new(3) }),
			is(func(a *record) bool { return a.IovQueuePairs == 3 }),
		},
		"RdmaWeight": {
			nil, give(func(o *settings) { o.RdmaWeight = new(100) }),
			is(func(a *record) bool { return a.RdmaWeight == 100 }),
		},
		"VirtualSubnet": {
			nil, give(func(o *settings) { o.VirtualSubnet = new(uint32(5001)) }),
			is(func(a *record) bool { return a.VirtualSubnet == 5001 }),
		},
		"no switch": {
			nil, give(func(o *settings) { o.Switch = new("") }),
			is(func(a *record) bool { return a.Switch == "" }),
		},
		"a static MAC": {nil, static, is(func(a *record) bool { return a.MAC == one && a.StaticMAC })},
		"another one": {
			[]Operation{static}, give(func(o *settings) { o.MAC = &other }),
			is(func(a *record) bool { return a.MAC == other && a.StaticMAC }),
		},
		"a dynamic one": {
			[]Operation{static}, give(func(o *settings) { o.MAC = &description.MAC{} }),
			is(func(a *record) bool { return a.MAC[2] == 0x5d && !a.StaticMAC }),
		},
		"another machine": {
			nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M"}},
			func(h *Host) bool { return h.virtual.VMs[4].State == virtualization.VMOff },
		},
		"its address": {nil, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter("A", "")}}}, func(h *Host) bool {
			return h.virtual.VMs[4].Adapters[0].MAC == h.hypervisor().DynamicMAC(virtualization.AdapterName{VM: "m", Adapter: "a"})
		}},
		"a machine less": {nil, virtualization.RemoveVM{VM: "VM002"}, func(h *Host) bool {
			return h.virtual.VMs[1].Name == "vm003" && len(h.lab.Guests(must(h.port("Ethernet 7")))) == 3
		}},
		"an adapter less": {more, virtualization.RemoveVMAdapter{VM: "VM002", Adapter: "b"}, func(h *Host) bool {
			list := h.virtual.VMs[1].Adapters
			return len(list) == 2 && list[1].Name == "C"
		}},
		"its first adapter less": {
			more, virtualization.RemoveVMAdapter{VM: "vm002", Adapter: netAdapter},
			func(h *Host) bool { return h.virtual.VMs[1].Adapters[0].Name == "B" },
		},
		"an adapter of the host": {
			nil, virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter("H", impliedOne)},
			func(h *Host) bool { return len(h.virtual.Host) == 2 },
		},
		"the host's own less": {nil, virtualization.RemoveVMAdapter{VM: "", Adapter: strings.ToUpper(impliedOne)}, func(h *Host) bool {
			return len(h.virtual.Host) == 0 && !sw(h).ManagementOS
		}},
		"the host's own again": {
			[]Operation{virtualization.RemoveVMAdapter{VM: "", Adapter: impliedOne}}, virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter(impliedOne, impliedOne)},
			func(h *Host) bool { return sw(h).ManagementOS },
		},
		"no adapter of the host": {nil, virtualization.SetSwitch{Switch: impliedOne, ManagementOS: new(false)}, func(h *Host) bool {
			return len(h.virtual.Host) == 0 && !sw(h).ManagementOS
		}},
		"an extension": {
			nil, virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)},
			func(h *Host) bool { return sw(h).Extension == virtualization.ExtensionVFP },
		},
		"the first switch less": {switches, virtualization.RemoveSwitch{Switch: strings.ToUpper(impliedOne)}, func(h *Host) bool {
			a := h.virtual.VMs[1].Adapters[0]
			return sw(h).Name == "R" && len(h.virtual.Host) == 0 && a.Switch == "" && a.Path == virtualization.NoPath &&
				h.virtual.VMs[4].Adapters[0].Switch == "R"
		}},
		"RDMA of the host": {
			nil, virtualization.SetFeature{Connection: impliedOne, Feature: virtualization.FeatureRdma, On: true},
			func(h *Host) bool { return h.virtual.Host[0].RdmaWeight == virtualization.FullWeight },
		},
		"PacketDirect": {nil, virtualization.SetFeature{Connection: "Ethernet 8", Feature: virtualization.FeaturePacketDirect, On: true}, func(h *Host) bool {
			p := h.virtual.Ports[must(h.port("Ethernet 8"))]
			return p.PacketDirect && !p.Promiscuous && !p.NetworkVirtualization
		}},
		"the binding of NVGRE": {nil, virtualization.SetFeature{Connection: "Ethernet 8", Feature: virtualization.FeatureNetworkVirtualization, On: true}, func(h *Host) bool {
			p := h.virtual.Ports[must(h.port("Ethernet 8"))]
			return !p.PacketDirect && !p.Promiscuous && p.NetworkVirtualization
		}},
		"quarantine": {nil, virtualization.Quarantine{VM: "VM002", Adapter: netAdapter, Reason: "it floods"}, func(h *Host) bool {
			return h.virtual.VMs[1].Adapters[0].Path == virtualization.NoPath
		}},
		"a port that is let go": {
			[]Operation{virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)}}, virtualization.ReleasePort{VM: "vm002", Adapter: netAdapter},
			func(h *Host) bool {
				return h.virtual.VMs[1].Adapters[0].Path == virtualization.PathVF && h.virtual.VMs[0].Adapters[0].Path == virtualization.NoPath
			},
		},
		"a stop, after which it is held": {
			[]Operation{virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)}, virtualization.ReleasePort{VM: "vm002", Adapter: netAdapter}},
			virtualization.SetVMState{VM: "vm002", State: virtualization.VMOff}, is(func(a *record) bool { return !a.Released }),
		},
		"a start, after which it is held": {
			[]Operation{
				virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)}, virtualization.SetVMState{VM: "vm002", State: virtualization.VMOff},
				virtualization.ReleasePort{VM: "vm002", Adapter: netAdapter},
			},
			virtualization.SetVMState{VM: "vm002", State: virtualization.VMRunning}, is(func(a *record) bool { return !a.Released }),
		},
		"a rest, after which it is not": {
			[]Operation{virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)}, virtualization.ReleasePort{VM: "vm002", Adapter: netAdapter}},
			virtualization.SetVMState{VM: "vm002", State: virtualization.VMSaved}, is(func(a *record) bool { return a.Released }),
		},
		"the BIOS": {nil, virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false), Virtualization: new(false), Above4G: new(false)}, func(h *Host) bool {
			return h.virtual.NextBIOS == (virtualization.BIOS{}) && h.virtual.BIOS.SRIOV && h.virtual.NeedsBoot()
		}},
		"a setting that was never set": {nil, virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "NUM_OF_VFS", Value: "0x10"}}}, func(h *Host) bool {
			return h.virtual.Cards[3].Next["NUM_OF_VFS"] == 16 && h.virtual.Cards[3].Current["NUM_OF_VFS"] == 0 && h.virtual.NeedsBoot()
		}},
		"one that is so no more": {nil, virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: "NUM_OF_VFS", Value: ""}}}, func(h *Host) bool {
			_, set := h.virtual.Cards[0].Next["NUM_OF_VFS"]
			return !set && h.virtual.Cards[0].Next["SRIOV_EN"] == 1
		}},
		"NVGRE": {
			nil, virtualization.AddNetVirtualization{Records: someRecords()},
			func(h *Host) bool { return len(h.virtual.Net.ProviderRoutes) == 1 },
		},
	} {
		h := newHost(t, 5)
		if c.before != nil {
			mustApply(t, h, c.before...)
		}
		before, whole := configured(t, h), h.Clone()
		mustApply(t, h, c.do)
		if !c.after(h) {
			t.Errorf("%s: %s does not show", name, c.do.Describe())
		}
		if now := configured(t, h); now == before {
			t.Errorf("%s: nothing changed", name)
		}
		if configured(t, whole) != before {
			t.Errorf("%s: a copy of the host changed with it", name)
		}
		if _, err := h.Undo(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now := configured(t, h); now != before {
			t.Errorf("%s was undone, and\n%s\nbecame\n%s", name, before, now)
		}
	}
}

// TestKeysOfThePortsOfACard stores what Set-MlnxPCIDeviceSriovSetting does, and takes it back to what was there.
func TestKeysOfThePortsOfACard(t *testing.T) {
	t.Parallel()
	h := newEthernetHost(t, 5)
	port := must(h.port("Ethernet 3"))
	stored := func() (list []string) {
		for _, name := range []string{"SriovPortMode", "MaxVFPort1", "MaxVFPort2"} {
			r, _ := h.catalogue(port).Find(name, registry.BusDevice)
			list = append(list, h.stored(port, r).String())
		}
		return list
	}
	before := stored()
	mustApply(t, h, adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 1, Port1: 9, Port2: 5})
	if got := stored(); !slices.Equal(got, []string{"1", "9", "5"}) || h.virtual.NeedsBoot() {
		t.Errorf("the keys are %v", got)
	}
	if _, err := h.Undo(); err != nil || !slices.Equal(stored(), before) {
		t.Errorf("undone they are %v, and were %v: %v", stored(), before, err)
	}
}

// TestNumVFsStartsTheAdapterAgain makes the driver open what Windows may use; one that is off stays so.
func TestNumVFsStartsTheAdapterAgain(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 5)
	port := must(h.port(connection))
	mustApply(t, h, virtualization.SetNumVFs{Connection: connection, NumVFs: 3})
	if h.State(port) == Running {
		t.Error("it runs on")
	}
	h.Advance(longestStart)
	if s := sriovOf(t, h, connection); s.Open != 3 || s.NumVFs != 3 || h.State(port) != Running {
		t.Errorf("it has %d of %d", s.Open, s.NumVFs)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: connection}, virtualization.SetNumVFs{Connection: connection, NumVFs: 2})
	h.Advance(longestStart)
	if h.State(port) == Running {
		t.Error("an adapter that was off starts")
	}
	mustApply(t, h, adapters.EnableAdapter{Connection: connection})
	h.Advance(longestStart)
	if s := sriovOf(t, h, connection); s.Open != 2 {
		t.Errorf("it has %d", s.Open)
	}
}

// TestResetClearsAFunction clears its counters, ends what hung or ran wild inside of it and nothing else, is in the
// history of its adapter alone, and what it costs from then on is told.
func TestResetClearsAFunction(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 5)
	port := must(h.port(connection))
	mustApply(t, h, set(connection, "VfCpuMonEnable", "1"), set(connection, "VfCpuMonBatchPeriodSec", "2"),
		set(connection, "VfCpuMonFwCpuUsageMax", "1000"), set(connection, "VfCpuMonErrors2FwMax", "5"), adapters.RestartAdapter{Connection: connection})
	h.Advance(longestStart)
	for _, kind := range description.FunctionFaults() {
		mustApply(t, h, hardware.SetFunctionFault{Connection: connection, Function: 2, Fault: kind, Share: 1}, hardware.SetFunctionFault{Connection: connection, Function: 1, Fault: kind, Share: 1})
	}
	h.Advance(4 * time.Second)
	sent := func(f int) uint64 { return h.lab.Counters()[h.lab.FunctionCell(port, f, counter.FunctionSentBytes)] }
	others := sent(1)
	if sent(2) == 0 {
		t.Fatal("it moved nothing")
	}
	mustApply(t, h, virtualization.ResetVF{Connection: connection, Function: 2})
	if sent(2) != 0 || sent(1) != others {
		t.Errorf("it has sent %d, and its neighbour %d of %d", sent(2), sent(1), others)
	}
	left := sriovOf(t, h, connection).VFs
	if got := left[2].Faults; !slices.Equal(got, []description.FaultKind{description.WrongAddress, description.DisallowedType}) {
		t.Errorf("what is left of its faults: %v", got)
	}
	if got := left[1].Faults; len(got) != len(description.FunctionFaults()) {
		t.Errorf("what is left of its neighbour's: %v", got)
	}
	for machine, want := range map[string]bool{"vm002": false, "vm003": true} {
		list := vmAdapterOf(t, h, machine).History
		if got := len(list) > 0 && strings.Contains(list[len(list)-1].Why, "was reset"); got != want {
			t.Errorf("the history of %s is %v", machine, list)
		}
	}
	mustApply(t, h, hardware.SetFunctionFault{Connection: connection, Function: 2, Fault: description.FirmwareLoad, Share: 1})
	from := h.events.Last()
	h.Advance(2 * time.Second)
	if !slices.ContainsFunc(h.EventsAfter(from), func(e eventlog.Event) bool { return strings.Contains(e.Message, "VF 2 ") }) {
		t.Error("the first reading after a reset compares with what was before it")
	}
}
