package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/virtualization"
)

// guestOf makes a machine that runs, with one adapter at a new switch of a connection.
func guestOf(t *testing.T, h *Host, name string, at virtualization.SwitchRecord, iovWeight int) {
	t.Helper()
	a := virtualization.NewVMAdapter(netAdapter, at.Name)
	a.IovWeight = iovWeight
	mustApply(t, h, virtualization.CreateSwitch{Switch: at},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: name, State: virtualization.VMRunning, GuestDriver: "24.4", Adapters: []virtualization.VMAdapterRecord{a}}})
}

// received is what a guest got.
func received(h *Host, a virtualization.VMAdapterView) uint64 {
	return h.lab.Counters()[h.lab.GuestCell(a.Port, a.Slot, counter.GuestReceivedBytes)]
}

// TestAMachineBringsTraffic connects machines to a port that is described without any: each moves its own.
func TestAMachineBringsTraffic(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	guestOf(t, h, "one", virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 8"}, 0)
	h.Advance(10 * time.Second)
	one := received(h, vmAdapterOf(t, h, "one"))
	if one < 50_000_000 {
		t.Errorf("it received %d bytes in 10 s", one)
	}
	mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{
		Name: "two", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, "S")},
	}})
	h.Advance(10 * time.Second)
	one = received(h, vmAdapterOf(t, h, "one")) - one
	if two := received(h, vmAdapterOf(t, h, "two")); two < one/2 || one < 50_000_000 {
		t.Errorf("the first one received %d and the second one %d", one, two)
	}
	mustApply(t, h, virtualization.SetVMState{VM: "one", State: virtualization.VMOff}, virtualization.SetVMState{VM: "two", State: virtualization.VMOff})
	before := received(h, vmAdapterOf(t, h, "one"))
	h.Advance(5 * time.Second)
	if received(h, vmAdapterOf(t, h, "one")) != before {
		t.Error("it receives while it is off")
	}
}

// TestDHCPGoesToThePhysicalFunction starts a machine on a virtual function of a port without other traffic, with and
// without the redirection of IOV-13.
func TestDHCPGoesToThePhysicalFunction(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 10"
	for name, c := range map[string]struct {
		on, promiscuous, redirected bool
	}{
		"off": {false, true, false}, "not promiscuous": {true, false, false}, "on": {true, true, true},
	} {
		h := newHost(t, 5)
		value := map[bool]string{false: "0", true: "1"}[c.on]
		mustApply(t, h, virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "2"}}},
			set(connection, "*SRIOV", "1"), set(connection, "RedirectVfDHCPToPF", value), adapters.Reboot{Host: "LAB-N4"})
		h.Advance(longestStart)
		if c.promiscuous {
			mustApply(t, h, virtualization.SetFeature{Connection: connection, Feature: virtualization.FeaturePromiscuous, On: true})
		}
		guestOf(t, h, "web", virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}, virtualization.FullWeight)
		if a := vmAdapterOf(t, h, "web"); a.Path != virtualization.PathVF {
			t.Fatalf("%s: it goes %s", name, a.Path)
		}
		port := must(h.port(connection))
		for i := range h.lab.Flows() {
			mustApply(t, h, fabric.ScaleFlow{Flow: h.lab.Flows()[i].Name, Scale: 0})
		}
		h.Advance(time.Second)
		dhcp := func() (f, guest, host uint64) {
			l, all := h.lab, h.lab.Counters()
			return all[l.FunctionCell(port, 0, counter.FunctionSentPackets)], all[l.GuestCell(port, 0, counter.GuestSentPackets)],
				all[counter.Cell(port, counter.HostOutPackets)] - all[counter.Cell(port, counter.FunctionsSentPackets)]
		}
		_, _, before := dhcp()
		h.Advance(5 * time.Second)
		_, _, after := dhcp()
		if got := after - before; (got == 2) != c.redirected || got != 0 && !c.redirected {
			t.Errorf("%s: the physical function sent %d packets", name, got)
		}
	}
}

// TestStatesFollowEachOther refuses what Hyper-V refuses, and takes changes back all the same.
func TestStatesFollowEachOther(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	state := func(s virtualization.VMState) Operation { return virtualization.SetVMState{VM: "vm001", State: s} }
	for _, c := range []struct {
		from, to virtualization.VMState
		refused  bool
	}{
		{virtualization.VMOff, virtualization.VMPaused, true}, {virtualization.VMOff, virtualization.VMSaved, true}, {virtualization.VMSaved, virtualization.VMPaused, true}, {virtualization.VMPaused, virtualization.VMSaved, false}, {virtualization.VMSaved, virtualization.VMOff, false},
		{virtualization.VMRunning, virtualization.VMPaused, false}, {virtualization.VMPaused, virtualization.VMOff, false}, {virtualization.VMPaused, virtualization.VMRunning, false},
	} {
		for _, s := range []virtualization.VMState{virtualization.VMRunning, c.from} {
			if h.virtual.VMs[0].State != s {
				mustApply(t, h, state(s))
			}
		}
		_, err := h.Apply(Plan{Title: "change", Operations: []Operation{state(c.to)}})
		if (err != nil) != c.refused {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
		if err != nil {
			continue
		}
		if _, err := h.Undo(); err != nil || h.virtual.VMs[0].State != c.from {
			t.Errorf("%s to %s undone is %s: %v", c.from, c.to, h.virtual.VMs[0].State, err)
		}
	}
}

// TestASwitchAndATeam binds virtual switches to a port and to a team: the port can't join while it has one, and the
// switch of the team leads to the members that there are.
func TestASwitchAndATeam(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, teams.Create{Name: "T", Type: "AFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 9"},
		virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 8"}})
	// The second switch is of the lab, for its virtual functions.
	for connection, name := range map[string]string{"Ethernet 8": "S", "Ethernet 7": "Switch Ethernet 7"} {
		if err := h.CanJoin("T", mux.AFT, connection); err == nil || !strings.Contains(err.Error(), `virtual switch "`+name+`"`) {
			t.Errorf("it can join: %v", err)
		}
	}
	mustApply(t, h, virtualization.RemoveSwitch{Switch: "S"}, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Team: "T"}}, teams.Attach{Team: "T", Connection: "Ethernet 8"})
	mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{Name: "web", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, "S")}}})
	mustApply(t, h, teams.Detach{Team: "T", Connection: "Ethernet 9"})
	if a := vmAdapterOf(t, h, "web"); a.Port != must(h.port("Ethernet 8")) {
		t.Errorf("it goes through port %d", a.Port)
	}
	h.Advance(longestStart)
	before := received(h, vmAdapterOf(t, h, "web"))
	h.Advance(5 * time.Second)
	if a := vmAdapterOf(t, h, "web"); received(h, a) == before {
		t.Errorf("it receives nothing, because %q", a.Why)
	}
	mustApply(t, h, teams.Modify{Team: "T", Name: "U"})
	if a := vmAdapterOf(t, h, "web"); a.Port < 0 {
		t.Error("the switch has lost its team with the name")
	}
	if _, err := h.Apply(Plan{Title: "delete", Operations: []Operation{teams.Delete{Team: "U"}}}); err == nil {
		t.Error("a team with a switch was deleted")
	}
}

// newEthernetHost is a host whose WinOF card has no port of InfiniBand, so that it can have virtual functions.
func newEthernetHost(t *testing.T, seed uint64) *Host {
	t.Helper()
	d := description.Default()
	const gone = "Ethernet 4"
	for i := range d.Adapters {
		d.Adapters[i].Ports = slices.DeleteFunc(d.Adapters[i].Ports, func(p description.Port) bool { return p.Connection == gone })
	}
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == gone })
	d.Faults = slices.DeleteFunc(d.Faults, func(f description.Fault) bool { return f.Port == gone })
	lab, err := device.New(d, seed)
	if err != nil {
		t.Fatal(err)
	}
	return NewHost(lab)
}

// TestFaultsOfFunctionsHaveTheirEvents makes what events.json has of virtual functions of each driver.
func TestFaultsOfFunctionsHaveTheirEvents(t *testing.T) {
	t.Parallel()
	flash := func(card string, n string) Operation {
		return virtualization.SetFirmware{Adapter: card, Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: n}}}
	}
	for key, c := range map[string]struct {
		connection string
		iov        bool
		before     []Operation
		after      []Operation
	}{
		"mlx5.vf-count-capped": {"Ethernet 10", false, []Operation{
			flash("BlueField-2", "4"), set("Ethernet 10", "*SRIOV", "1"), virtualization.SetNumVFs{Connection: "Ethernet 10", NumVFs: 64},
		}, nil},
		"mlx4.vf-bad-command": {"Ethernet 3", true, []Operation{flash("ConnectX-3 Pro", "8")}, []Operation{
			hardware.SetFunctionFault{Connection: "Ethernet 3", Function: 0, Fault: description.FirmwareLoad, Share: 1},
		}},
		"mlx4.vf-load-no-resources": {"Ethernet 3", true, []Operation{
			flash("ConnectX-3 Pro", "8"), edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP", Value: "9"},
		}, nil},
	} {
		h := newEthernetHost(t, 5)
		from := h.events.Last()
		mustApply(t, h, append(c.before, adapters.Reboot{Host: "LAB-N4"})...)
		h.Advance(longestStart)
		if c.iov {
			guestOf(t, h, "web", virtualization.SwitchRecord{Name: "S", Connection: c.connection, IOV: true}, virtualization.FullWeight)
		}
		if c.after != nil {
			mustApply(t, h, c.after...)
		}
		h.Advance(15 * time.Second)
		if keys := newest(h, from, c.connection); !slices.Contains(keys, key) {
			t.Errorf("%s is not among %v", key, keys)
		}
	}
}

// TestTooLittleSpaceStopsTheDriver leaves no room for the functions of a ConnectX-3 card: code 12, until SR-IOV is off in
// the BIOS.
func TestTooLittleSpaceStopsTheDriver(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Host.SpaceMB = 64
	for i := range d.Adapters {
		if d.Adapters[i].Family == description.WinOF {
			d.Adapters[i].Flash = map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 64}
		}
	}
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	port := must(h.port("Ethernet 3"))
	if h.State(port) != Failed || h.Code(port) != 12 {
		t.Errorf("it is %v with code %d", h.State(port), h.Code(port))
	}
	mustApply(t, h, virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false)}, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	if h.State(port) != Running {
		t.Errorf("without SR-IOV it is %v with code %d", h.State(port), h.Code(port))
	}
}
