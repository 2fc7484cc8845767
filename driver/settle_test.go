package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/virtualization/hyperv"
)

// askingVM makes a machine that runs, with a driver, and asks for a virtual function at a switch.
func askingVM(name, at string) virtualization.CreateVM {
	a := virtualization.NewVMAdapter(netAdapter, at)
	a.IovWeight = virtualization.FullWeight
	return virtualization.CreateVM{VM: virtualization.VMRecord{Name: name, State: virtualization.VMRunning, GuestDriver: "24.4", Adapters: []virtualization.VMAdapterRecord{a}}}
}

func weigh(machine string, n int) Operation {
	return virtualization.SetVMAdapter{VM: machine, Adapter: netAdapter, IovWeight: new(n)}
}

// opened is a host with so many virtual functions at both ports of a card, and none given away.
func opened(t *testing.T, functions int) *Host {
	t.Helper()
	h := newHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: fmt.Sprint(functions)}}},
		set("Ethernet 9", "*SRIOV", "1"), set("Ethernet 10", "*SRIOV", "1"), adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	return h
}

// TestANewMachineCountsFromNothing gives the place and the virtual function of a machine to another one; one that comes
// back to its own continues where it was.
func TestANewMachineCountsFromNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	h.Advance(2 * time.Second)
	port := must(h.port("Ethernet 7"))
	function := func(f int) uint64 {
		return h.lab.Counters()[h.lab.FunctionCell(port, f, counter.FunctionReceivedBytes)]
	}
	before := function(1)
	mustApply(t, h, weigh("vm002", 0))
	h.Advance(time.Second)
	mustApply(t, h, weigh("vm002", 100))
	if now := function(1); before == 0 || now != before {
		t.Errorf("a function counted %d before it was given back, and %d then", before, now)
	}
	mustApply(t, h, virtualization.RemoveVM{VM: firstOne}, askingVM("new", impliedOne))
	a := vmAdapterOf(t, h, "new")
	if a.Function != 0 || a.Slot != 0 || received(h, a) != 0 || function(0) != 0 {
		t.Errorf("it has VF %d and the place %d, with %d and %d bytes", a.Function, a.Slot, function(0), received(h, a))
	}
}

// TestOnlyRunningOrPausedMachinesHaveFunctions pauses, saves and stops a machine.
func TestOnlyRunningOrPausedMachinesHaveFunctions(t *testing.T) {
	t.Parallel()
	for state, c := range map[virtualization.VMState]struct {
		function int
		why      string
	}{virtualization.VMPaused: {2, "paused"}, virtualization.VMSaved: {setup.NoFunction, "saved"}, virtualization.VMOff: {setup.NoFunction, "off"}} {
		h := newHost(t, 5)
		mustApply(t, h, virtualization.SetVMState{VM: "vm003", State: state})
		a := vmAdapterOf(t, h, "vm003")
		if a.Function != c.function || a.Path != virtualization.NoPath || a.Why != "the machine is "+c.why || len(a.Queues) > 0 {
			t.Errorf("%s: VF %d, %s because %q, with the queues %v", state, a.Function, a.Path, a.Why, a.Queues)
		}
		before := received(h, a)
		h.Advance(time.Second)
		if now := received(h, a); now != before {
			t.Errorf("%s: it received %d", state, now-before)
		}
	}
}

// TestAnAdapterSaysWhyItHasNoFunction has each reason why an adapter that asks for a virtual function gets none.
func TestAnAdapterSaysWhyItHasNoFunction(t *testing.T) {
	t.Parallel()
	h := opened(t, 2)
	sw := func(s virtualization.SwitchRecord) Operation {
		s.Name = "S"
		return virtualization.CreateSwitch{Switch: s}
	}
	team := []Operation{
		teams.Create{Name: "T", Type: "AFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 10"},
	}
	good := sw(virtualization.SwitchRecord{Connection: "Ethernet 10", IOV: true})
	apart, without := askingVM("M", ""), askingVM("M", "S")
	without.VM.GuestDriver = ""
	for name, c := range map[string]struct {
		do   []Operation
		path virtualization.Path
		why  string
	}{
		"it gets one": {[]Operation{good, askingVM("M", "S")}, virtualization.PathVF, ""},
		"no switch":   {[]Operation{good, apart}, virtualization.NoPath, "it is not connected to a switch"},
		"no SR-IOV": {
			[]Operation{sw(virtualization.SwitchRecord{Connection: "Ethernet 10"}), askingVM("M", "S")}, virtualization.PathSynthetic, "created without SR-IOV",
		},
		"a team": {append(team, sw(virtualization.SwitchRecord{Team: "T"}), askingVM("M", "S")), virtualization.PathSynthetic, "on a team"},
		"none open": {
			[]Operation{sw(virtualization.SwitchRecord{Connection: "Ethernet 8", IOV: true}), askingVM("M", "S")}, virtualization.PathSynthetic,
			"Ethernet 8 has no virtual functions now",
		},
		"no driver": {[]Operation{good, without}, virtualization.PathSynthetic, "no driver for it"},
		"all are taken": {
			[]Operation{good, askingVM("A", "S"), askingVM("B", "S"), askingVM("M", "S")}, virtualization.PathSynthetic,
			"all 2 virtual functions of Ethernet 10 are taken",
		},
		"it is stopped": {
			[]Operation{good, askingVM("M", "S"), adapters.DisableAdapter{Connection: "Ethernet 10"}}, virtualization.NoPath,
			"the driver of Ethernet 10 does not run",
		},
		"quarantine": {
			[]Operation{good, askingVM("M", "S"), virtualization.Quarantine{VM: "M", Adapter: netAdapter, Reason: "it floods"}},
			virtualization.NoPath, "in quarantine: it floods",
		},
	} {
		h := h.Clone()
		mustApply(t, h, c.do...)
		h.Advance(longestStart)
		a := vmAdapterOf(t, h, "M")
		said := strings.Contains(a.Why, c.why) && (c.why == "") == (a.Why == "")
		if a.Path != c.path || !said || (a.Function >= 0) != (c.path == virtualization.PathVF) {
			t.Errorf("%s: VF %d, %s because %q", name, a.Function, a.Path, a.Why)
		}
	}
}

// TestAFunctionHasOneAdapter gives a function to another machine while the one that had it is away, and lets all of them
// ask at once: each gets what it had last while that is free, and no other one's.
func TestAFunctionHasOneAdapter(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	h := newHost(t, 5)
	functions := func() (list []int) {
		for _, m := range h.View().VMs {
			list = append(list, m.Adapters[0].Function)
		}
		return list
	}
	check := func(when string, want ...int) {
		t.Helper()
		if got := functions(); !slices.Equal(got, want) {
			t.Errorf("%s the machines have %v, want %v", when, got, want)
		}
	}
	check("at first", 0, 1, 2, 3)
	mustApply(t, h, weigh(firstOne, 0), askingVM("new", impliedOne))
	check("when one has left its function", -1, 1, 2, 3, 0)
	mustApply(t, h, weigh(firstOne, 100))
	check("when it comes back", -1, 1, 2, 3, 0)
	if a := vmAdapterOf(t, h, firstOne); !strings.Contains(a.Why, "taken") {
		t.Errorf("it has none, because %q", a.Why)
	}
	mustApply(t, h, weigh(firstOne, 0), adapters.RestartAdapter{Connection: connection})
	check("while the driver starts", -1, -1, -1, -1, -1)
	h.Advance(longestStart)
	check("after a restart", -1, 1, 2, 3, 0)
	mustApply(t, h, virtualization.SetNumVFs{Connection: connection, NumVFs: 2})
	h.Advance(longestStart)
	check("with two functions", -1, 1, -1, -1, 0)
	if a := vmAdapterOf(t, h, "vm003"); !strings.Contains(a.Why, "all 2 virtual functions") || a.Path != virtualization.PathSynthetic {
		t.Errorf("one without goes %s because %q", a.Path, a.Why)
	}
}

// TestUndoKeepsAdaptersWaiting takes changes of an adapter back that asked in vain for a virtual function: though one has
// become free since, it is as it was.
func TestUndoKeepsAdaptersWaiting(t *testing.T) {
	t.Parallel()
	waits := newHost(t, 5)
	mustApply(t, waits, askingVM("new", impliedOne), weigh("vm002", 0))
	if a := vmAdapterOf(t, waits, "new"); a.Function >= 0 || !strings.Contains(a.Why, "is free now; it is requested again") {
		t.Fatalf("it got VF %d without a new request: %s", a.Function, a.Why)
	}
	for _, o := range []Operation{
		virtualization.SetVMState{VM: "new", State: virtualization.VMOff}, virtualization.SetVMState{VM: "new", State: virtualization.VMSaved}, virtualization.SetVMState{VM: "new", State: virtualization.VMPaused},
		virtualization.SetGuestDriver{VM: "new"}, virtualization.RemoveVM{VM: "new"}, virtualization.RemoveVMAdapter{VM: "new", Adapter: netAdapter}, weigh("new", 0),
		virtualization.SetVMAdapter{VM: "NEW", Adapter: netAdapter, Switch: new("")},
		virtualization.SetVMAdapter{VM: "new", Adapter: netAdapter, VLAN: new(5)},
		virtualization.Quarantine{VM: "new", Adapter: netAdapter, Reason: "it floods"},
		virtualization.Quarantine{VM: "NEW", Adapter: strings.ToUpper(netAdapter), Reason: "it floods"},
		virtualization.RemoveSwitch{Switch: impliedOne},
	} {
		h := waits.Clone()
		before := configured(t, h)
		mustApply(t, h, o)
		if _, err := h.Undo(); err != nil {
			t.Errorf("%s: %v", o.Describe(), err)
		}
		if now := configured(t, h); now != before {
			t.Errorf("%s was undone, and\n%s\nbecame\n%s", o.Describe(), before, now)
		}
	}
	mustApply(t, waits, virtualization.SetVMState{VM: "new", State: virtualization.VMOff}, virtualization.SetVMState{VM: "new", State: virtualization.VMRunning})
	if a := vmAdapterOf(t, waits, "new"); a.Function != 1 {
		t.Errorf("restarted it has VF %d: %s", a.Function, a.Why)
	}
}

// TestAFunctionTakesPagesAndQueuePairs has the limits of IOV-15 to the page and to the function, with their events.
func TestAFunctionTakesPagesAndQueuePairs(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	again := []Operation{virtualization.SetVMState{VM: firstOne, State: virtualization.VMOff}, virtualization.SetVMState{VM: firstOne, State: virtualization.VMRunning}}
	for asked, pages := range map[int]int{1: virtualization.FunctionPages + virtualization.QueuePairPages, 4: virtualization.FunctionPages + 4*virtualization.QueuePairPages, 64: 0} {
		h := newHost(t, 5)
		granted := min(asked, h.lab.Rings(must(h.port(connection))))
		if pages == 0 {
			pages = virtualization.FunctionPages + granted*virtualization.QueuePairPages
		}
		refused := fmt.Sprintf("it takes %d pages of memory, and MaxFWPagesUsagePerVF allows %d", pages, pages-1)
		for limit, why := range map[int]string{pages: "", pages - 1: refused} {
			h, from := h.Clone(), h.events.Last()
			mustApply(t, h, append([]Operation{
				virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, IovQueuePairs: new(asked)},
				set(connection, "MaxFWPagesUsagePerVF", fmt.Sprint(limit)),
			}, again...)...)
			a, told := vmAdapterOf(t, h, firstOne), slices.Contains(newest(h, from, connection), "mlx5.vf-page-limit")
			if a.Why != why || told != (why != "") {
				t.Errorf("%d pages for %d pairs: %q; told: %t", limit, asked, a.Why, told)
			}
			failed := func(f int) uint64 {
				return h.lab.Counters()[h.lab.FunctionCell(must(h.port(connection)), f, counter.FunctionQuotaCommands)]
			}
			if failed(0) > 1 || (failed(0) == 1) != told || failed(1) > 0 {
				t.Errorf("%d pages for %d pairs: %d and %d commands went beyond a quota", limit, asked, failed(0), failed(1))
			}
			f := sriovOf(t, h, connection).VFs[0]
			if pairs := a.IovQueuePairsGranted; why == "" && (f.Pages != pages || f.PageLimit != limit || f.QueuePairs != granted || pairs != granted) {
				t.Errorf("%d pages for %d pairs: the function is %+v, and %d are granted", limit, asked, f, a.IovQueuePairsGranted)
			}
		}
	}
	h := newEthernetHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}},
		edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP", Value: "11"}, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	from := h.events.Last()
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 3", IOV: true}})
	const most = 1 << 11 >> virtualization.FunctionPairsLog
	for i := range most + 1 {
		mustApply(t, h, askingVM(fmt.Sprint("m", i), "S"))
		a := vmAdapterOf(t, h, fmt.Sprint("m", i))
		told := slices.Contains(newest(h, from, "Ethernet 3"), "mlx4.vf-load-no-resources")
		if full := i == most; (a.Function < 0) != full || strings.Contains(a.Why, "raise LogNumQP") != full || told != full {
			t.Errorf("machine %d has VF %d: %q; told: %t", i, a.Function, a.Why, told)
		}
	}
	mustApply(t, h, adapters.RestartAdapter{Connection: "Ethernet 3"}) // after it they ask at once
	h.Advance(longestStart)
	if s := sriovOf(t, h, "Ethernet 3"); s.Attached != most {
		t.Errorf("of the simultaneous requests, %d got a function, want %d", s.Attached, most)
	}
}

// TestAdaptersOnTheSyntheticWayHaveQueues follows the keys and settings of VIRT-1 to VIRT-3.
func TestAdaptersOnTheSyntheticWayHaveQueues(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 10"
	h := opened(t, 2)
	rings := h.lab.Rings(must(h.port(connection)))
	key := func(name, value string) []Operation {
		return []Operation{set(connection, name, value), adapters.RestartAdapter{Connection: connection}}
	}
	prefers, adapter := key("*RssOrVmqPreference", "1"), func(change virtualization.SetVMAdapter) []Operation {
		change.VM, change.Adapter = "M", netAdapter
		return []Operation{change}
	}
	queued := func(n int) (list []int) {
		for i := range n {
			list = append(list, (1+i)%rings)
		}
		return list
	}
	if rings < 5 {
		t.Fatalf("%d rings are too few for this", rings)
	}
	for name, c := range map[string]struct {
		iov  bool
		do   []Operation
		want []int // nil for the default queue
	}{
		"SR-IOV":                  {true, nil, queued(min(16, rings))},
		"RSS":                     {false, nil, nil},
		"VMQ":                     {false, prefers, queued(rings)},
		"one queue of VMQ":        {false, append(adapter(virtualization.SetVMAdapter{VmmqEnabled: new(false)}), prefers...), queued(1)},
		"VMQ is off":              {false, append([]Operation{set(connection, "*VMQ", "0")}, prefers...), nil},
		"VMQ is off under SR-IOV": {true, append([]Operation{set(connection, "*VMQ", "0")}, prefers...), []int{0}},
		"no weight":               {true, adapter(virtualization.SetVMAdapter{VmqWeight: new(0)}), nil},
		"some weight":             {true, adapter(virtualization.SetVMAdapter{VmqWeight: new(1)}), queued(min(16, rings))},
		"no VMMQ":                 {true, adapter(virtualization.SetVMAdapter{VmmqEnabled: new(false)}), queued(1)},
		"three pairs":             {true, adapter(virtualization.SetVMAdapter{VmmqQueuePairs: new(3)}), queued(3)},
		"64 pairs":                {true, adapter(virtualization.SetVMAdapter{VmmqQueuePairs: new(64)}), queued(rings)},
		"no RSS of virtual ports": {true, key("*RssOnHostVPorts", "0"), queued(1)},
	} {
		h := h.Clone()
		a := virtualization.NewVMAdapter(netAdapter, "S")
		mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: c.iov}},
			virtualization.CreateVM{VM: virtualization.VMRecord{Name: "M", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}})
		if c.do != nil {
			mustApply(t, h, c.do...)
			h.Advance(longestStart)
		}
		got, granted := vmAdapterOf(t, h, "M"), len(c.want)
		if a := vmAdapterOf(t, h, "M"); !a.VmmqEnabled {
			granted = 0
		}
		if got.Default != (c.want == nil) || c.want != nil && !slices.Equal(got.Queues, c.want) || got.VmmqGranted != granted {
			t.Errorf("%s: %v, the default one: %t, %d granted; want %v", name, got.Queues, got.Default, got.VmmqGranted, c.want)
		}
	}
}

// TestAQueueThatIsFreeGoesToTheNext has a port with one queue (MaxNumVmqs), which is that of the first adapter that moves
// its traffic through it.
func TestAQueueThatIsFreeGoesToTheNext(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 3"
	h := newEthernetHost(t, 5)
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "8"}}},
		set(connection, "MaxNumVmqs", "1"), adapters.Reboot{Host: "LAB-N4"})
	h.Advance(longestStart)
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}})
	adapter := virtualization.NewVMAdapter(netAdapter, "S")
	adapter.VmmqQueuePairs = 2
	for _, name := range []string{"A", "B"} {
		mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{Name: name, State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{adapter}}})
	}
	if a, b := vmAdapterOf(t, h, "A"), vmAdapterOf(t, h, "B"); a.Default || !b.Default {
		t.Errorf("of two adapters and one queue, they have %v and %v", a.Queues, b.Queues)
	}
	mustApply(t, h, virtualization.SetVMAdapter{VM: "A", Adapter: netAdapter, VmmqQueuePairs: new(3)})
	if got := h.lab.Guests(must(h.port(connection)))[0].Rings; !slices.Equal(got, vmAdapterOf(t, h, "A").Queues) || len(got) != 3 {
		t.Errorf("the card has the rings %v for it", got)
	}
	mustApply(t, h, virtualization.SetVMState{VM: "A", State: virtualization.VMPaused})
	if a, b := vmAdapterOf(t, h, "A"), vmAdapterOf(t, h, "B"); len(a.Queues) > 0 || b.Default {
		t.Errorf("while the first one rests, they have %v and %v", a.Queues, b.Queues)
	}
	mustApply(t, h, virtualization.SetVMState{VM: "A", State: virtualization.VMRunning}, virtualization.SetGuestDriver{VM: "A", Version: "24.4"}, weigh("A", 100))
	if a, b := vmAdapterOf(t, h, "A"), vmAdapterOf(t, h, "B"); len(a.Queues) > 0 || a.Function < 0 || b.Default {
		t.Errorf("while the first one has VF %d, they have %v and %v", a.Function, a.Queues, b.Queues)
	}
}

// TestAHistoryKeepsTheNewestChanges: only changes of the path, of one adapter, up to the limit.
func TestAHistoryKeepsTheNewestChanges(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	if a := vmAdapterOf(t, h, firstOne); len(a.History) != 0 {
		t.Errorf("a host that was just set up remembers %v", a.History)
	}
	for i := range virtualization.KeptChanges + 3 {
		h.Advance(time.Second)
		mustApply(t, h, weigh(firstOne, 100*(i%2)))
		if i == 1 {
			list := vmAdapterOf(t, h, firstOne).History
			if len(list) != 2 || list[0].Path != virtualization.PathSynthetic || list[1].Path != virtualization.PathVF {
				t.Errorf("after there and back it remembers %v", list)
			}
		}
	}
	mustApply(t, h, virtualization.SetVMAdapter{VM: firstOne, Adapter: netAdapter, VLAN: new(5)})
	list := vmAdapterOf(t, h, firstOne).History
	if last := list[len(list)-1]; len(list) != virtualization.KeptChanges || !last.At.Equal(h.Now()) || last.Path != virtualization.PathSynthetic {
		t.Errorf("it remembers %v", list)
	}
}

// TestSharesOfThePort has what part of the flows of virtual machines each of them moves.
func TestSharesOfThePort(t *testing.T) {
	t.Parallel()
	shares := func(h *Host) (list []float64) {
		for _, g := range h.lab.Guests(must(h.port("Ethernet 7"))) {
			list = append(list, g.Share)
		}
		return list
	}
	sum := func(list []float64) (all float64) {
		for _, s := range list {
			all += s
		}
		return all
	}
	h := newHost(t, 5)
	named := shares(h)
	if all := sum(named); len(named) != 4 || all < 0.999 || all > 1.001 {
		t.Errorf("the faults of the description are %v", named)
	}
	mustApply(t, h, askingVM("new", impliedOne))
	if got := shares(h); len(got) != 5 || got[4] < 0.2499 || got[4] > 0.2501 {
		t.Errorf("a new one has as much as the others have on average: %v", got)
	}
	for _, m := range []string{"vm001", "vm002", "vm003", "vm004"} {
		mustApply(t, h, virtualization.RemoveVM{VM: m})
	}
	mustApply(t, h, askingVM("other", impliedOne))
	if got := shares(h); !slices.Equal(got, []float64{0.5, 0.5}) {
		t.Errorf("two without a share have %v", got)
	}
	mustApply(t, h, virtualization.Quarantine{VM: "other", Adapter: netAdapter, Reason: "it floods"})
	if got := shares(h); !slices.Equal(got, []float64{1}) {
		t.Errorf("while one is in quarantine they have %v", got)
	}
	mustApply(t, h, virtualization.Quarantine{VM: "other", Adapter: netAdapter}, virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.ExtensionVFP)},
		virtualization.ReleasePort{VM: "new", Adapter: netAdapter})
	if got := shares(h); sum(got) != 1 || !slices.Contains(got, 1) {
		t.Errorf("while the filter platform holds one they have %v", got)
	}
	mustApply(t, h, virtualization.SetSwitch{Switch: impliedOne, Extension: new(virtualization.Extension(""))}, virtualization.SetSwitch{Switch: impliedOne, ManagementOS: new(false)})
	last := h.Clone()
	mustApply(t, last, virtualization.RemoveVM{VM: "other"}, virtualization.RemoveVM{VM: "new"})
	if got := shares(last); len(got) > 0 {
		t.Errorf("without a machine they have %v", got)
	}
	mustApply(t, h, virtualization.Quarantine{VM: "other", Adapter: netAdapter, Reason: "it floods"}, virtualization.RemoveVM{VM: "new"})
	function := func() uint64 {
		return h.lab.Counters()[counter.Cell(must(h.port("Ethernet 7")), counter.FunctionsReceivedBytes)] +
			h.lab.Counters()[counter.Cell(must(h.port("Ethernet 7")), counter.SyntheticReceivedBytes)]
	}
	before := function()
	h.Advance(time.Second)
	if now := function(); now != before {
		t.Errorf("without a machine that moves anything, machines received %d", now-before)
	}
	mustApply(t, h, virtualization.Quarantine{VM: "other", Adapter: netAdapter}, virtualization.RemoveSwitch{Switch: impliedOne})
	h.Advance(time.Second)
	if now := function(); now != before || len(shares(h)) != 0 {
		t.Errorf("without a switch machines received %d, and share %v", now-before, shares(h))
	}
	d := description.Default()
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Virtual })
	h = NewHost(must(device.New(d, 5)))
	mustApply(t, h, askingVM("new", impliedOne))
	if got := shares(h); !slices.Equal(got, []float64{0, 0, 0, 0, 1}) {
		t.Errorf("where nothing is described, the functions of the lab and a new one carry %v", got)
	}
}

// TestRedirectedDHCP has the cards and drivers of IOV-13.
func TestRedirectedDHCP(t *testing.T) {
	t.Parallel()
	for card, id := range map[string]uint16{"ConnectX-4": 0x1013, "ConnectX-4 Lx": 0x1015, "ConnectX-5": 0x1019} {
		d := description.Default()
		d.Adapters[0].DeviceID = id
		h := NewHost(must(device.New(d, 5)))
		mustApply(t, h, set("Ethernet 7", "RedirectVfDHCPToPF", "1"), adapters.RestartAdapter{Connection: "Ethernet 7"})
		h.Advance(longestStart)
		mustApply(t, h, virtualization.SetGuestDriver{VM: "vm001", Version: "2.50"}, virtualization.SetGuestDriver{VM: "vm002", Version: "2.60"}, weigh("vm003", 0))
		mustApply(t, h, virtualization.SetFeature{Connection: "Ethernet 7", Feature: virtualization.FeaturePromiscuous, On: true})
		var got []bool
		for _, g := range h.lab.Guests(must(h.port("Ethernet 7"))) {
			got = append(got, g.Redirected)
		}
		if want := []bool{card == "ConnectX-5", true, false, true}; !slices.Equal(got, want) {
			t.Errorf("of a %s: %v, want %v", card, got, want)
		}
	}
}

// TestTheViewOfAPortAgrees has what a port says of its virtual functions with and without a driver.
func TestTheViewOfAPortAgrees(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	s := sriovOf(t, h, "Ethernet 7")
	if s.SwitchName != impliedOne || s.QueuePairs != hyperv.QueuePairs(100) || !s.Enabled || s.NumVFs != 32 {
		t.Errorf("it is %+v", s)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 7"})
	s = sriovOf(t, h, "Ethernet 7")
	if s.Open != 0 || s.Support != hyperv.MissingPfDriver || !strings.Contains(s.Checks[4].Why, "does not run") {
		t.Errorf("while it is off it is %+v", s)
	}
}
