package driver

import (
	"strings"
	"testing"

	"cxdeck/device/counter"
	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
)

// TestUndoReattachesAdapters takes changes back of an adapter that had a virtual function, after the limit of their memory
// was lowered to less than any takes: it has the same one again, though it would get none if it asked.
func TestUndoReattachesAdapters(t *testing.T) {
	t.Parallel()
	limited := newHost(t, 5)
	mustApply(t, limited, set("Ethernet 7", virtualization.PageLimitKey, "1000"))
	for _, o := range []Operation{
		virtualization.SetVMState{VM: firstOne, State: virtualization.VMOff}, virtualization.SetVMState{VM: firstOne, State: virtualization.VMSaved}, virtualization.SetGuestDriver{VM: firstOne}, virtualization.RemoveVM{VM: firstOne},
		virtualization.RemoveVMAdapter{VM: firstOne, Adapter: netAdapter}, weigh(firstOne, 0), virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, Switch: new("")},
		virtualization.Quarantine{VM: firstOne, Adapter: netAdapter, Reason: "it floods"}, virtualization.RemoveSwitch{Switch: impliedOne},
	} {
		h := limited.Clone()
		before, refused := configured(t, h), refusals(h)
		mustApply(t, h, o)
		if vms := h.View().VMs; vms[0].Name == firstOne && len(vms[0].Adapters) > 0 && vms[0].Adapters[0].Function >= 0 {
			t.Errorf("%s leaves it its function", o.Describe())
		}
		if _, err := h.Undo(); err != nil {
			t.Errorf("%s: %v", o.Describe(), err)
		}
		if now := configured(t, h); now != before || refusals(h) != refused {
			t.Errorf("%s was undone, and\n%s\nbecame, with %d refusals,\n%s", o.Describe(), before, refusals(h)-refused, now)
		}
	}
}

// refusals is how many commands of functions of the first port failed because of their quota.
func refusals(h *Host) (n uint64) {
	for f := range counter.MaxFunctions {
		n += h.lab.Counters()[h.lab.FunctionCell(0, f, counter.FunctionQuotaCommands)]
	}
	return n
}

// TestDetachAttachAndUndoThreeTimes is a limit, a change and the change that reverses it, all of which are undone.
func TestDetachAttachAndUndoThreeTimes(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	var before []string
	for _, o := range []Operation{set("Ethernet 7", virtualization.PageLimitKey, "1000"), weigh(firstOne, 0), weigh(firstOne, virtualization.FullWeight)} {
		before = append(before, configured(t, h))
		mustApply(t, h, o)
	}
	if a := vmAdapterOf(t, h, firstOne); !strings.Contains(a.Why, "allows 1000") {
		t.Fatalf("it has VF %d under the limit: %q", a.Function, a.Why)
	}
	for i := len(before) - 1; i >= 0; i-- {
		if e, err := h.Undo(); err != nil || configured(t, h) != before[i] {
			t.Errorf("%s (%v): it was\n%s\nand became\n%s", e.Plan.Title, err, before[i], configured(t, h))
		}
	}
	if a := vmAdapterOf(t, h, firstOne); a.Function != 0 || a.Path != virtualization.PathVF {
		t.Errorf("in the end it has VF %d: %s", a.Function, a.Why)
	}
}

// TestAFunctionStaysAtItsPort moves an adapter with a virtual function to the switch of another port, where one of that
// number is taken: it requests a new one there, and after undo it has the old one.
func TestAFunctionStaysAtItsPort(t *testing.T) {
	t.Parallel()
	h := newEthernetHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "3"}}}, set("Ethernet 10", "*SRIOV", "1"), adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	guestOf(t, h, "there", virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 10", IOV: true}, virtualization.FullWeight)
	before := configured(t, h)
	mustApply(t, h, virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, Switch: new("S")})
	if a, other := vmAdapterOf(t, h, firstOne), vmAdapterOf(t, h, "there"); other.Function != 0 || a.Function != 1 || a.Port != other.Port {
		t.Errorf("it has VF %d of port %d, beside VF %d of port %d", a.Function, a.Port, other.Function, other.Port)
	}
	checkVirtual(t, h)
	if _, err := h.Undo(); err != nil || configured(t, h) != before {
		t.Errorf("undone (%v) it is\n%s\nand was\n%s", err, configured(t, h), before)
	}
}

// TestARestartEndsTheWatch saves a host in a long start, when a look at its virtual functions would have been due: the
// saved host can be read.
func TestARestartEndsTheWatch(t *testing.T) {
	t.Parallel()
	h := newEthernetHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "4"}}}, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(bootTime / 2)
	if _, err := RestoreHost(h.lab.Description(), mustSave(t, h)); err != nil {
		t.Errorf("half-way through a start of the host: %v", err)
	}
}

// TestMachineNamesMissingRequirements takes one thing after the other away that virtual functions need: the machine, its
// switch and the strip of the port give the same first reason, also of what is to come with the next start.
func TestMachineNamesMissingRequirements(t *testing.T) {
	t.Parallel()
	const connection, none = "Ethernet 7", "Ethernet 7 has no virtual functions now"
	flash := func(n string) Operation {
		return virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: n}}}
	}
	h := newHost(t, 5)
	for _, step := range []struct {
		change []Operation
		why    string
	}{
		{[]Operation{virtualization.SetNumVFs{Connection: connection, NumVFs: 0}}, "Windows may use none of them; set NumVFs"},
		{[]Operation{set(connection, "*SRIOV", "0"), adapters.RestartAdapter{Connection: connection}}, "SR-IOV is off in the driver"},
		{[]Operation{flash("0"), adapters.Reboot{Host: "LAB-N4"}}, "the firmware has no virtual functions"},
		{[]Operation{flash("4")}, "the firmware has virtual functions from the next reboot"},
		{[]Operation{virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(false)}, adapters.Reboot{Host: "LAB-N4"}}, "SR-IOV is off in the BIOS"},
		{[]Operation{virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(true)}}, "it is on in the BIOS from the next reboot"},
	} {
		mustApply(t, h, step.change...)
		h.Advance(longestStart)
		a, strip, said := vmAdapterOf(t, h, firstOne), sriovOf(t, h, connection), h.View().Switches[0].Why
		if !strings.HasPrefix(a.Why, none+": "+step.why) || said != a.Why || !strings.HasSuffix(a.Why, strip.Why) {
			t.Errorf("without %s the machine says %q, its switch %q, and the strip %q", step.why, a.Why, said, strip.Why)
		}
	}
}

// TestWaitingAdaptersSeeANewLimitAtOnce lowers and raises the limit of memory while a machine waits for a function that another
// has given back: what it says of the reason goes with what is stored.
func TestWaitingAdaptersSeeANewLimitAtOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, askingVM("new", impliedOne), weigh("vm002", 0))
	for limit, why := range map[string]string{"1000": "allows 1000", "0": "is free now"} {
		mustApply(t, h, set("Ethernet 7", virtualization.PageLimitKey, limit))
		if a := vmAdapterOf(t, h, "new"); !strings.Contains(a.Why, why) {
			t.Errorf("with %s pages it says %q", limit, a.Why)
		}
	}
}
