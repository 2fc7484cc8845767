package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// randomVirtual is an Operation of Hyper-V and virtual functions, which may be refused.
func randomVirtual(r *rand.Rand, h *Host) Operation {
	v := h.virtual
	connection := []string{"Ethernet 7", "Ethernet 10", "Ethernet 3", "Ethernet 8"}[r.IntN(4)]
	sw, machine, adapter := "S", "M", netAdapter
	if len(v.Switches) > 0 && r.IntN(8) > 0 {
		sw = v.Switches[r.IntN(len(v.Switches))].Name
	}
	if len(v.VMs) > 0 && r.IntN(8) > 0 {
		m := &v.VMs[r.IntN(len(v.VMs))]
		if machine = m.Name; len(m.Adapters) > 0 {
			adapter = m.Adapters[r.IntN(len(m.Adapters))].Name
		}
	}
	pick := func(list ...int) *int { return new(list[r.IntN(len(list))]) }
	switch r.IntN(24) {
	case 0:
		return virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{
			Name: fmt.Sprint("S", r.IntN(4)), Connection: connection, IOV: r.IntN(3) > 0, ManagementOS: r.IntN(2) > 0,
		}}
	case 1:
		return virtualization.RemoveSwitch{Switch: sw}
	case 2:
		return virtualization.SetSwitch{Switch: sw, ManagementOS: new(r.IntN(2) > 0)}
	case 3:
		return virtualization.SetSwitch{Switch: sw, Extension: new([]virtualization.Extension{"", virtualization.ExtensionVFP}[r.IntN(2)])}
	case 4, 5:
		a := virtualization.NewVMAdapter(netAdapter, sw)
		a.IovWeight, a.VmqWeight = *pick(0, 100, 100), *pick(0, 100)
		return virtualization.CreateVM{VM: virtualization.VMRecord{
			Name: fmt.Sprint("M", r.IntN(6)), State: virtualization.VMStates()[r.IntN(4)], GuestDriver: []string{"", "24.4"}[r.IntN(2)], Adapters: []virtualization.VMAdapterRecord{a},
		}}
	case 6:
		return virtualization.RemoveVM{VM: machine}
	case 7, 8:
		return virtualization.SetVMState{VM: machine, State: virtualization.VMStates()[r.IntN(4)]}
	case 9:
		return virtualization.SetGuestDriver{VM: machine, Version: []string{"", "24.4"}[r.IntN(2)]}
	case 10:
		return virtualization.AddVMAdapter{VM: machine, Adapter: virtualization.NewVMAdapter(fmt.Sprint("A", r.IntN(3)), sw)}
	case 11:
		return virtualization.RemoveVMAdapter{VM: machine, Adapter: adapter}
	case 12, 13, 14:
		return virtualization.SetVMAdapter{VM: machine, Adapter: adapter, IovWeight: pick(0, 100)}
	case 15:
		return virtualization.SetVMAdapter{
			VM: machine, Adapter: adapter, VmqWeight: pick(0, 100), VmmqQueuePairs: pick(1, 4, 16), VLAN: pick(0, 71, 5000), VmmqEnabled: new(r.IntN(2) > 0),
		}
	case 16:
		return virtualization.SetVMAdapter{VM: machine, Adapter: adapter, Switch: new([]string{sw, ""}[r.IntN(2)])}
	case 17:
		return virtualization.Quarantine{VM: machine, Adapter: adapter, Reason: []string{"", "it floods"}[r.IntN(2)]}
	case 18:
		return virtualization.ReleasePort{VM: machine, Adapter: adapter, Back: r.IntN(2) > 0}
	case 19:
		return hardware.SetFunctionFault{Connection: connection, Function: r.IntN(5), Fault: description.FunctionFaults()[r.IntN(4)], Share: float64(r.IntN(3)) / 2}
	case 20:
		return virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: fmt.Sprint(r.IntN(2))}, {Name: "NUM_OF_VFS", Value: fmt.Sprint(r.IntN(9))}}}
	case 21, 22: // from none to what only the smallest of them stay under
		return set(connection, virtualization.PageLimitKey, fmt.Sprint(*pick(0, 1000, virtualization.FunctionPages+virtualization.QueuePairPages, 1<<20)))
	default:
		return virtualization.SetBIOS{Host: "LAB-N4", SRIOV: new(r.IntN(3) > 0)}
	}
}

// settledWhole is a host with all of its machines settled again: it must not change.
func settledWhole(h *Host) *Host {
	c := h.Clone()
	c.reallocateVirtual()
	return c
}

// checkSettled finds adapters that settling a part of the machines has missed.
func checkSettled(t *testing.T, h *Host) {
	t.Helper()
	whole := settledWhole(h)
	if !reflect.DeepEqual(h.virtual, whole.virtual) {
		t.Errorf("once all is settled\n%s\nbecomes\n%s", configured(t, h), configured(t, whole))
	}
	for port := range h.lab.Ports() {
		if now, then := h.lab.Guests(port), whole.lab.Guests(port); !reflect.DeepEqual(now, then) {
			t.Errorf("port %d has the guests %v, and once all is settled %v", port, now, then)
		}
	}
}

// checkPlan applies a few random Operations as one plan to a copy, and one by one to another: both must be the same.
func checkPlan(t *testing.T, r *rand.Rand, h *Host) (applied int) {
	t.Helper()
	atOnce, oneByOne := h.Clone(), h.Clone()
	var plan Plan
	for range 2 + r.IntN(4) {
		o := randomVirtual(r, oneByOne)
		if _, err := oneByOne.Apply(Plan{Title: "one", Operations: []Operation{o}}); err == nil {
			plan.Operations = append(plan.Operations, o)
		}
	}
	if len(plan.Operations) == 0 {
		return 0
	}
	before := configured(t, atOnce)
	if _, err := atOnce.Apply(plan); err != nil {
		t.Fatalf("%v can be applied one by one, and together: %v", plan.Operations, err)
	}
	if !reflect.DeepEqual(atOnce.virtual, oneByOne.virtual) {
		t.Errorf("%v together give\n%s\nand one by one\n%s", plan.Operations, configured(t, atOnce), configured(t, oneByOne))
	}
	for port := range h.lab.Ports() {
		if now, then := atOnce.lab.Guests(port), oneByOne.lab.Guests(port); !reflect.DeepEqual(now, then) {
			t.Errorf("%v together give port %d the guests %v, and one by one %v", plan.Operations, port, now, then)
		}
	}
	if _, err := atOnce.Undo(); err != nil {
		t.Fatalf("%v can't be undone: %v", plan.Operations, err)
	}
	if now := configured(t, atOnce); now != before {
		t.Errorf("%v were undone, and\n%s\nbecame\n%s", plan.Operations, before, now)
	}
	return len(plan.Operations)
}

// disturbing is an Operation that takes virtual functions away from outside, and which nothing undoes.
func disturbing(r *rand.Rand) Operation {
	connection := []string{"Ethernet 7", "Ethernet 10"}[r.IntN(2)]
	return []Operation{
		adapters.RestartAdapter{Connection: connection}, adapters.DisableAdapter{Connection: connection}, adapters.EnableAdapter{Connection: connection}, adapters.ReloadDriver{Driver: "mlx5"}, adapters.Reboot{Host: "LAB-N4"},
		adapters.ResetCard{Adapter: "BlueField-2"}, virtualization.SetNumVFs{Connection: connection, NumVFs: r.IntN(9)}, hardware.PullCable{Connection: connection}, hardware.PlugCable{Connection: connection},
		set("Ethernet 10", "*SRIOV", fmt.Sprint(r.IntN(3)/2^1)), virtualization.ResetVF{Connection: connection, Function: r.IntN(4)},
	}[r.IntN(11)]
}

// checkVirtual finds what must never be: a virtual function with two adapters, an adapter with one that is not open, a
// guest of the lab without an adapter, and sums that differ from the port's.
func checkVirtual(t *testing.T, h *Host) {
	t.Helper()
	type place struct{ port, at int }
	functions, slots := map[place]virtualization.AdapterName{}, map[place]virtualization.AdapterName{}
	guests := map[place]setup.Guest{}
	for port := range h.lab.Ports() {
		for _, g := range h.lab.Guests(port) {
			guests[place{port, g.Slot}] = g
		}
	}
	moving := 0
	h.virtual.Each(func(name virtualization.AdapterName, m *virtualization.Machine, a *virtualization.Adapter) {
		if m == nil {
			return
		}
		if at := (place{a.Port, a.Function}); a.Function != setup.NoFunction {
			if other, double := functions[at]; double {
				t.Errorf("VF %d of port %d belongs to %s and %s", a.Function, a.Port, other, name)
			}
			functions[at] = name
			if a.Function >= h.lab.VirtualFunctions(a.Port) || h.State(a.Port) != Running {
				t.Errorf("%s has VF %d of port %d, which is not open", name, a.Function, a.Port)
			}
			if a.IovWeight == 0 || a.Quarantine != "" || m.State == virtualization.VMOff || m.State == virtualization.VMSaved || m.GuestDriver == "" {
				t.Errorf("%s keeps VF %d though it can't have one", name, a.Function)
			}
		}
		if a.Slot >= 0 {
			at := place{a.Port, a.Slot}
			if other, double := slots[at]; double {
				t.Errorf("place %d of port %d belongs to %s and %s", a.Slot, a.Port, other, name)
			}
			slots[at] = name
			g, there := guests[at]
			if there {
				moving++
				if g.Function != a.Function || g.Default != a.Default || !slices.Equal(g.Rings, ringsOf(a)) {
					t.Errorf("%s has VF %d and the rings %v, and the lab knows %+v", name, a.Function, a.Rings, g)
				}
			}
			if !there && h.virtual.CarriesTraffic(m, a) {
				t.Errorf("%s moves traffic, and the lab does not know it", name)
			}
		}
		if a.Requested && a.Function == setup.NoFunction && a.Why == "" {
			t.Errorf("%s asked for a virtual function, got none, and nothing says why", name)
		}
	})
	if moving != len(guests) {
		t.Errorf("the lab has %d guests, and %d adapters move traffic", len(guests), moving)
	}
	counters := h.lab.Counters()
	for _, adapter := range h.View().Adapters {
		for _, p := range adapter.Ports {
			owned := 0
			for at := range functions {
				if at.port == p.Port {
					owned++
				}
			}
			if s := p.SRIOV; s.Attached+s.Free != s.Open || len(s.VFs) != s.Open || s.Attached != owned {
				t.Errorf("%s: %d attached, of %d adapters, and %d free of %d, with %d rows",
					p.Description.Connection, s.Attached, owned, s.Free, s.Open, len(s.VFs))
			}
			var sum uint64
			for f := range counter.MaxFunctions {
				sum += counters[h.lab.FunctionCell(p.Port, f, counter.FunctionReceivedBytes)]
			}
			all := counters[counter.Cell(p.Port, counter.FunctionsReceivedBytes)]
			synthetic := counters[counter.Cell(p.Port, counter.SyntheticReceivedBytes)]
			if port := counters[counter.Cell(p.Port, counter.ReceivedBytes)]; sum > all || all+synthetic > port {
				t.Errorf("%s: the functions received %d of %d, and with %d on the synthetic way more than the port's %d",
					p.Description.Connection, sum, all, synthetic, port)
			}
		}
	}
}

// virtualTried is what random Operations came upon, by family: frames of virtual functions and of machines on the
// synthetic way, counted twice over and compared.
type virtualTried struct{ functions, synthetic, queues [2]uint64 }

// advanceCounting lets time go by, in which all that a port moves is of a virtual function, on the synthetic way, or of
// the host, and what machines moved is what they got: sums are rounded down for each of them. What the rings took is
// exactly what is counted by processor, which leaves virtual functions out, and what virtual functions received.
func advanceCounting(t *testing.T, h *Host, d time.Duration, tried *virtualTried) {
	t.Helper()
	if h.Starting() { // its functions restart
		h.Advance(d)
		return
	}
	const rounded, longest = 16, 10_000
	from, kinds := slices.Clone(h.lab.Counters()), kindsOf(h)
	h.Advance(d)
	now, counted := h.lab.Counters(), kindsOf(h)
	for port := range h.lab.Ports() {
		family := h.family(port)
		if h.lab.Counting(port) && h.State(port) == Running {
			taken := now[counter.Cell(port, counter.HostInPackets)] - from[counter.Cell(port, counter.HostInPackets)]
			functions := now[counter.Cell(port, counter.FunctionsReceivedPackets)] - from[counter.Cell(port, counter.FunctionsReceivedPackets)] -
				now[counter.Cell(port, counter.FunctionsReceivedRDMAPackets)] + from[counter.Cell(port, counter.FunctionsReceivedRDMAPackets)]
			if all := counted[port].all - kinds[port].all; all+functions != taken {
				t.Errorf("port %d took %d frames: %d for the host and its machines, and %d for virtual functions", port, taken, all, functions)
			}
			tried.queues[family] += counted[port].own - kinds[port].own
		}
		moved := func(cell int) uint64 { return now[cell] - from[cell] }
		of := func(c counter.Port) uint64 { return moved(counter.Cell(port, c)) }
		for _, way := range []struct {
			function         counter.Function
			guest            counter.Guest
			all, synthetic   counter.Port
			whole, host, own counter.Port
			control, unit    counter.Port // of a frame; bytes of control frames are 64
		}{
			{
				counter.FunctionReceivedPackets, counter.GuestReceivedPackets, counter.FunctionsReceivedPackets, counter.SyntheticReceivedPackets,
				counter.ReceivedPackets, counter.HostInPackets, counter.RDMAInFrames, counter.ReceivedControl, 1,
			},
			{
				counter.FunctionSentPackets, counter.GuestSentPackets, counter.FunctionsSentPackets, counter.SyntheticSentPackets,
				counter.SentPackets, counter.HostOutPackets, counter.RDMAOutFrames, counter.SentControl, 1,
			},
			{
				counter.FunctionReceivedBytes, counter.GuestReceivedBytes, counter.FunctionsReceivedBytes, counter.SyntheticReceivedBytes,
				counter.ReceivedBytes, counter.HostInBytes, counter.RDMAInBytes, counter.ReceivedControl, longest,
			},
			{
				counter.FunctionSentBytes, counter.GuestSentBytes, counter.FunctionsSentBytes, counter.SyntheticSentBytes,
				counter.SentBytes, counter.HostOutBytes, counter.RDMAOutBytes, counter.SentControl, longest,
			},
		} {
			var functions, guests uint64
			for f := range counter.MaxFunctions {
				functions += moved(h.lab.FunctionCell(port, f, way.function))
			}
			for slot := range counter.GuestSlots {
				guests += moved(h.lab.GuestCell(port, slot, way.guest))
			}
			all, synthetic := of(way.all), of(way.synthetic)
			places := uint64(rounded*(1+h.lab.VirtualFunctions(port)+len(h.lab.Guests(port)))) * uint64(way.unit)
			if functions > all+places || all > functions+places {
				t.Errorf("port %d: the functions moved %d of %d", port, functions, all)
			}
			managed := h.lab.Guests(port) != nil
			if managed && (guests > all+synthetic+places || all+synthetic > guests+places) {
				t.Errorf("port %d: the machines moved %d of %d and %d", port, guests, all, synthetic)
			}
			if whole := of(way.whole); way.unit == 1 && whole != of(way.host)+of(way.own)+of(way.control) {
				t.Errorf("port %d moved %d frames, which is not the sum of stack, RDMA and control frames", port, whole)
			}
			if way.unit == 1 {
				tried.functions[family] += min(functions, all)
				tried.synthetic[family] += min(guests-min(guests, all), synthetic)
			}
		}
	}
}

// countedKinds are the packets that a port has counted by processor: all, and packets of machines' own queues.
type countedKinds struct{ all, own uint64 }

// kindsOf returns the counted packets of each port, by virtual port or in total.
func kindsOf(h *Host) (list []countedKinds) {
	for port := range h.lab.Ports() {
		c := countedKinds{}
		for _, row := range h.lab.VirtualPorts(port) {
			for _, n := range row.Kinds {
				if row.Processor != setup.AllProcessors {
					continue
				}
				if c.all += n; row.Slot != setup.DefaultSlot {
					c.own += n
				}
			}
		}
		if !h.lab.HasVirtualPorts(port) {
			first := h.lab.KindCell(port, 0, 0)
			for _, n := range h.lab.Counters()[first : first+h.lab.Processors()*counter.ReceiveKinds] {
				c.all += n
			}
		}
		list = append(list, c)
	}
	return list
}

// ringsOf are the rings that the lab is told for an adapter: without any of its own the first one, which is that of all.
func ringsOf(a *virtualization.Adapter) []int {
	if len(a.Rings) == 0 {
		return []int{0}
	}
	return a.Rings
}

// checkResources finds memory, rings, queues, addresses and virtual ports that nobody has any more, or two have.
func checkResources(t *testing.T, h *Host) {
	t.Helper()
	type place struct{ port, at int }
	pages, ports, queued := map[place]int{}, map[place]virtualization.AdapterName{}, make([]int, h.lab.Ports())
	addresses := map[description.MAC]virtualization.AdapterName{}
	h.virtual.Each(func(name virtualization.AdapterName, m *virtualization.Machine, a *virtualization.Adapter) {
		if other, double := addresses[a.MAC]; double {
			t.Errorf("%s and %s have the address %s", other, name, a.MAC)
		}
		addresses[a.MAC] = name
		runs := m != nil && m.State == virtualization.VMRunning && a.Port >= 0 && a.Slot >= 0
		if m == nil {
			return
		}
		switch {
		case a.Function != setup.NoFunction:
			granted := h.hypervisor().GrantedPairs(a.Port, a.IovQueuePairs)
			if pages[place{a.Port, a.Function}] = a.Pages(granted); granted < 1 || granted > h.lab.Rings(a.Port) {
				t.Errorf("%s has %d queue pairs of %d", name, granted, h.lab.Rings(a.Port))
			}
			if len(a.Rings) > 0 {
				t.Errorf("%s has VF %d and the rings %v", name, a.Function, a.Rings)
			}
		case !runs && len(a.Rings) > 0:
			t.Errorf("%s is %s and keeps the rings %v", name, m.State, a.Rings)
		case runs && (len(a.Rings) == 0 || slices.Max(a.Rings) >= h.lab.Rings(a.Port) || a.Default && !slices.Equal(a.Rings, []int{0})):
			t.Errorf("%s has the rings %v of %d", name, a.Rings, h.lab.Rings(a.Port))
		case runs && !a.Default:
			queued[a.Port]++
		}
		if a.Path != virtualization.NoPath && (a.Function != setup.NoFunction || !a.Default) {
			ports[place{a.Port, a.Slot - setup.DefaultSlot}] = name
		}
	})
	counters := h.lab.Counters()
	for port := range h.lab.Ports() {
		if n, ok := h.number(port, "MaxNumVmqs", registry.Miniport); ok && queued[port] > int(n) {
			t.Errorf("port %d: %d queues of %d", port, queued[port], n)
		}
		for f := range counter.MaxFunctions {
			if got := counters[h.lab.FunctionCell(port, f, counter.FunctionPages)]; got != uint64(pages[place{port, f}]) {
				t.Errorf("VF %d of port %d keeps %d pages, and should have %d", f, port, got, pages[place{port, f}])
			}
		}
	}
	for _, v := range h.VPorts() {
		port := must(h.port(v.Connection))
		if name, there := ports[place{port, v.ID}]; v.ID > 0 && (!there || name != (virtualization.AdapterName{VM: v.VM, Adapter: v.Adapter})) {
			t.Errorf("VPort %d of %s is of %s %s, or of nobody or seen before, and should be of %s", v.ID, v.Connection, v.VM, v.Adapter, name)
		}
		delete(ports, place{port, v.ID})
		if counts := h.lab.VirtualCount(port, v.ID+setup.DefaultSlot, setup.AllProcessors); v.Function == setup.NoFunction &&
			h.lab.Settings(port).CountRSS && counts == nil {
			t.Errorf("VPort %d of %s does not count", v.ID, v.Connection)
		}
	}
	for at, name := range ports {
		if _, i := h.hypervisor().PortOf(must(h.virtual.FindAdapter(name)).Switch); i >= 0 && h.virtual.Switches[i].Team == "" {
			t.Errorf("%s has no virtual port %d at port %d", name, at.at, at.port)
		}
	}
}

// checkFreed removes all machines and switches: nothing is left that they had.
func checkFreed(t *testing.T, h *Host) {
	t.Helper()
	for len(h.virtual.VMs) > 0 {
		mustApply(t, h, virtualization.RemoveVM{VM: h.virtual.VMs[0].Name})
		checkVirtual(t, h)
		checkResources(t, h)
	}
	for len(h.virtual.Switches) > 0 {
		mustApply(t, h, virtualization.RemoveSwitch{Switch: h.virtual.Switches[0].Name})
	}
	checkResources(t, h)
	for port := range h.lab.Ports() {
		if guests, s := h.lab.Guests(port), sriovOf(t, h, h.connection(port)); len(guests) > 0 || s.Attached > 0 || s.Free != s.Open || h.lab.HasVirtualPorts(port) {
			t.Errorf("port %d keeps %d guests and %d functions of %d", port, len(guests), s.Attached, s.Open)
		}
	}
	if list := h.VPorts(); len(list) > 0 {
		t.Errorf("there are still the virtual ports %v", list)
	}
}

// restarting reports whether something starts, which changes the host by itself.
func restarting(h *Host) bool {
	return h.Starting() || slices.ContainsFunc(h.miniports, func(m miniport) bool { return m.state == Restarting })
}

// configured is what of a host an operator set or sees, without its history, as text.
func configured(t *testing.T, h *Host) string {
	t.Helper()
	v := *h.virtual
	plain := func(list []virtualization.Adapter) []virtualization.Adapter {
		list = append([]virtualization.Adapter(nil), list...)
		for i := range list {
			list[i].History, list[i].Claim, list[i].Slot = nil, 0, min(list[i].Slot, 0)
		}
		return list
	}
	v.Host = plain(v.Host)
	v.VMs = append([]virtualization.Machine(nil), v.VMs...)
	for i := range v.VMs {
		v.VMs[i].Adapters = plain(v.VMs[i].Adapters)
	}
	hosts := map[string]virtualization.Adapter{} // one that comes back with its switch comes last
	for _, a := range v.Host {
		hosts[a.Name] = a
	}
	v.Host = nil
	text, err := json.Marshal([]any{v, hosts})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestVirtualOperationsAtRandom applies Operations of Hyper-V at random, takes some back, and disturbs the host in
// between: after each of them no virtual function is lost or has two owners, resources belong to existing functions,
// and sums are right; what fails changes nothing, what is undone is as it was, a saved host continues as the one that
// was saved, and in the end all is free. Both families of drivers are tried.
func TestVirtualOperationsAtRandom(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	var tried virtualTried
	t.Cleanup(func() {
		for family := range tried.functions {
			if tried.functions[family] < 100_000 || tried.synthetic[family] < 100_000 || tried.queues[family] < 100_000 {
				t.Errorf("too little was tried with family %d: %+v", family, tried)
			}
		}
	})
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, h := rand.New(rand.NewPCG(seed, 6)), newEthernetHost(t, seed)
			mustApply(t, h, virtualization.SetFirmware{Adapter: "BlueField-2", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "3"}}},
				virtualization.SetFirmware{Adapter: "ConnectX-3 Pro", Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "4"}}},
				set("Ethernet 10", "*SRIOV", "1"), set("Ethernet 3", "RssMonitoringEnabled", "1"),
				set("Ethernet 3", "RssCountersActivatedAtStartup", "1"), adapters.Reboot{Host: "LAB-N4"})
			h.Advance(longestStart)
			for i, connection := range []string{"Ethernet 3", "Ethernet 10"} { // each family has machines to begin with
				at := virtualization.SwitchRecord{Name: fmt.Sprint("S", i), Connection: connection, IOV: true}
				guestOf(t, h, fmt.Sprint("M", 2*i), at, virtualization.FullWeight)
				mustApply(t, h, virtualization.CreateVM{VM: virtualization.VMRecord{
					Name: fmt.Sprint("M", 2*i+1), State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(netAdapter, at.Name)},
				}})
			}
			applied, together, own := 0, 0, virtualTried{}
			var earlier []string // how the host was before each change that can be undone, since something disturbed it
			check := func(after Operation) {
				t.Helper()
				checkVirtual(t, h)
				checkResources(t, h)
				checkSettled(t, h)
				advanceCounting(t, h, device.Step*time.Duration(2+r.IntN(8)), &own)
				checkVirtual(t, h)
				checkResources(t, h)
				if t.Failed() {
					t.Fatalf("after: %s", after.Describe())
				}
			}
			for range 60 {
				if r.IntN(6) == 0 {
					o := disturbing(r)
					earlier = nil
					_, _ = h.Apply(Plan{Title: "disturb", Operations: []Operation{o}}) // it may be refused, and must do no harm
					if r.IntN(2) == 0 {
						h.Advance(longestStart)
					}
					check(o)
				}
				if r.IntN(3) == 0 && !restarting(h) {
					together += checkPlan(t, r, h)
				}
				o, before, starting := randomVirtual(r, h), configured(t, h), restarting(h)
				entry, err := h.Apply(Plan{Title: "random", Operations: []Operation{o}})
				if err != nil {
					if now := configured(t, h); now != before {
						t.Fatalf("%s failed (%v) and changed\n%s\nto\n%s", o.Describe(), err, before, now)
					}
					continue
				}
				applied++
				if !starting { // else what it is undone to is not what was
					check(o)
				}
				if earlier = append(earlier, before); starting {
					earlier = nil
				}
				for len(earlier) > 0 && len(entry.Inverse.Operations) > 0 && r.IntN(2) == 0 {
					undone, err := h.Undo()
					if err != nil {
						t.Fatalf("%s can't be undone: %v", o.Describe(), err)
					}
					before, earlier = earlier[len(earlier)-1], earlier[:len(earlier)-1]
					if now := configured(t, h); now != before {
						t.Fatalf("%s: it was\n%s\nand became\n%s", undone.Plan.Title+" "+undone.Plan.Operations[0].Describe(), before, now)
					}
				}
				check(o)
			}
			if applied < 15 || together < 5 {
				t.Errorf("only %d Operations were applied, and %d in plans", applied, together)
			}
			saved, err := h.Save()
			if err != nil {
				t.Fatal(err)
			}
			again, err := RestoreHost(h.lab.Description(), saved)
			if err != nil {
				t.Fatal(err)
			}
			h.Advance(3 * time.Second)
			again.Advance(3 * time.Second)
			one, err1 := h.Save()
			two, err2 := again.Save()
			if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
				t.Errorf("the restored host goes another way: %v, %v", err1, err2)
			}
			checkFreed(t, h)
			mutex.Lock()
			defer mutex.Unlock()
			for family := range own.functions {
				tried.functions[family] += own.functions[family]
				tried.synthetic[family] += own.synthetic[family]
				tried.queues[family] += own.queues[family]
			}
		})
	}
}
