package lab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
)

// virtualPortLab returns a host with an Ethernet port of each family that has virtual functions and counts by processor:
// Ethernet 3 of WinOF and Ethernet 10 of WinOF-2.
func virtualPortLab(t *testing.T, seed uint64) *Source {
	t.Helper()
	d := description.Default()
	onlyEthernet(d)
	lab, err := device.New(d, seed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	applyAll(t, l, enableFunctions()...)
	return l
}

// enableFunctions returns operations that open virtual functions on a port of each family, and make it count from its start.
func enableFunctions() []driver.Operation {
	flash := func(card string) driver.Operation {
		return virtualization.SetFirmware{Adapter: card, Values: []virtualization.FirmwareValue{{Name: "SRIOV_EN", Value: "1"}, {Name: "NUM_OF_VFS", Value: "4"}}}
	}
	return []driver.Operation{
		flash("ConnectX-3 Pro"), flash("BlueField-2"), set("Ethernet 10", "*SRIOV", "1"),
		set("Ethernet 3", "RssMonitoringEnabled", "1"), set("Ethernet 3", "RssCountersActivatedAtStartup", "1"),
		adapters.Reboot{Host: "LAB-N4"},
	}
}

// applyAll applies Operations, each of which must succeed, and waits until all adapters have started.
func applyAll(t *testing.T, l *Source, operations ...driver.Operation) {
	t.Helper()
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: operations}); err != nil {
		t.Fatal(err)
	}
	l.Host().Advance(2 * time.Minute)
}

// guestMachine returns the operation that adds a running machine with an adapter at a switch; change configures the adapter.
func guestMachine(name, at string, change func(*virtualization.VMAdapterRecord)) driver.Operation {
	a := virtualization.NewVMAdapter("Network Adapter", at)
	change(&a)
	return virtualization.CreateVM{VM: virtualization.VMRecord{Name: name, State: virtualization.VMRunning, GuestDriver: "24.4", Adapters: []virtualization.VMAdapterRecord{a}}}
}

// TestVirtualPortsHaveInstances: R6 without a virtual switch a port has an instance for each processor and their total; with
// one its default virtual port has one for each processor that serves it, and so has each machine with its own queues. A
// machine on a virtual function has none, and a machine without a queue is counted at the default virtual port.
func TestVirtualPortsHaveInstances(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for connection, set := range map[string]string{
		"Ethernet 3": "Mellanox Adapter RSS Counters", "Ethernet 10": "Mellanox WinOF-2 Rss Counters",
	} {
		l := virtualPortLab(t, 3)
		lab := l.Host().Lab()
		rings := lab.Rings(portOf(t, lab, connection))
		var c perf.Column
		next(t, l, 0, &c)
		look := func(when string, want ...string) {
			t.Helper()
			next(t, l, 2*time.Second, &c)
			got := map[string]int{}
			for _, s := range l.Schema().Series {
				if s.Set == set && strings.HasPrefix(s.Instance, connection+" ") && s.Counter == "Rss IPv4/Tcp" && c.Cells[s.Cell] != perf.Missing {
					name := strings.TrimPrefix(s.Instance, connection+" ")
					if at := strings.Index(name, "Cpu_"); at >= 0 {
						name = name[:at] + "Cpu"
					}
					got[name]++
				}
			}
			var text []string
			for name, n := range got {
				text = append(text, fmt.Sprintf("%s x%d", name, n))
			}
			slices.Sort(text)
			slices.Sort(want)
			if !slices.Equal(text, want) {
				t.Errorf("%s, %s: the instances are %v, want %v", connection, when, text, want)
			}
		}
		each := func(name string, n int) string { return fmt.Sprintf("%s x%d", name, n) }
		main := []string{"VPort_0 Total x1", each("VPort_0 Cpu", rings)}
		look("native", "Total x1", each("Cpu", lab.Processors()))
		applyAll(t, l, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}})
		look("a switch", main...)
		applyAll(t, l,
			guestMachine("narrow", "S", func(a *virtualization.VMAdapterRecord) { a.VmmqEnabled = false }),
			guestMachine("wide", "S", func(a *virtualization.VMAdapterRecord) { a.VmmqQueuePairs = 4 }),
			guestMachine("without", "S", func(a *virtualization.VMAdapterRecord) { a.VmqWeight = 0 }),
			guestMachine("fast", "S", func(a *virtualization.VMAdapterRecord) { a.IovWeight = 100 }))
		all := slices.Concat(main, []string{"VPort_1 Total x1", "VPort_1 Cpu x1", "VPort_2 Total x1", "VPort_2 Cpu x4"})
		look("machines", all...)
		applyAll(t, l, virtualization.SetVMState{VM: "wide", State: virtualization.VMOff})
		look("one is off", slices.Concat(main, []string{"VPort_1 Total x1", "VPort_1 Cpu x1"})...)
		applyAll(t, l, virtualization.SetVMState{VM: "wide", State: virtualization.VMRunning})
		look("and starts again", all...)
		applyAll(t, l, virtualization.SetVMAdapter{VM: "fast", Adapter: "Network Adapter", IovWeight: new(0), VmmqEnabled: new(false)})
		look("a machine loses its function", slices.Concat(all, []string{"VPort_4 Total x1", "VPort_4 Cpu x1"})...)
		applyAll(t, l, virtualization.RemoveSwitch{Switch: "S"})
		look("the switch goes", "Total x1", each("Cpu", lab.Processors()))
	}
}

// TestVirtualPortsCountEachPacketOnce adds, removes and changes machines at a port of each family: R1 the total of a virtual
// port is the sum of its processors; R2 with R3 all virtual ports together count each packet of the rings once, except ports of
// virtual functions; R7 only processors that serve a virtual port count for it; and Get-NetAdapterVPort agrees.
func TestVirtualPortsCountEachPacketOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	var counted, own, functions uint64
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 21))
		l := virtualPortLab(t, seed)
		for _, connection := range []string{"Ethernet 3", "Ethernet 10"} {
			name := "S " + connection
			applyAll(t, l, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: name, Connection: connection, IOV: seed%2 == 0}})
			for i := range 4 {
				applyAll(t, l, guestMachine(fmt.Sprint(connection, i), name, func(*virtualization.VMAdapterRecord) {}))
			}
		}
		var c perf.Column
		next(t, l, 0, &c)
		for range 12 {
			o := randomMachineOperation(random)
			if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{o}}); err != nil {
				continue // many can't be applied, which is fine
			}
			if _, restarts := o.(adapters.RestartAdapter); restarts {
				l.Host().Advance(time.Minute)
			}
			next(t, l, 0, &c)
			try := virtualPortTry{t: t, l: l, did: o.Describe(), before: slices.Clone(l.Host().Lab().Counters())}
			try.begin()
			next(t, l, time.Duration(1+random.IntN(30))*device.Step, &c)
			for _, connection := range []string{"Ethernet 3", "Ethernet 10"} {
				all, others, vf := try.check(portOf(t, l.Host().Lab(), connection), connection, &c)
				counted, own, functions = counted+all, own+others, functions+vf
			}
			if t.Failed() {
				return
			}
		}
	}
	if counted == 0 || own == 0 || functions == 0 {
		t.Errorf("%d packets, %d of machines' queues, %d of virtual functions: this was not tested", counted, own, functions)
	}
}

// randomMachineOperation returns a random change of a machine, of a queue setting or of a port.
func randomMachineOperation(r *rand.Rand) driver.Operation {
	connection := []string{"Ethernet 3", "Ethernet 10"}[r.IntN(2)]
	name := fmt.Sprint(connection, r.IntN(4))
	return []driver.Operation{
		virtualization.SetVMState{VM: name, State: virtualization.VMStates()[r.IntN(4)]}, virtualization.SetVMState{VM: name, State: virtualization.VMRunning},
		virtualization.SetVMAdapter{VM: name, Adapter: "Network Adapter", IovWeight: new(100 * r.IntN(2))},
		virtualization.SetVMAdapter{VM: name, Adapter: "Network Adapter", VmqWeight: new(100 * r.IntN(2))},
		virtualization.SetVMAdapter{VM: name, Adapter: "Network Adapter", VmmqQueuePairs: new(1 + r.IntN(8)), VmmqEnabled: new(r.IntN(3) > 0)},
		virtualization.RemoveVM{VM: name}, guestMachine(name, "S "+connection, func(*virtualization.VMAdapterRecord) {}),
		set(connection, "*NumRSSQueues", fmt.Sprint(1<<r.IntN(4))), set(connection, "*RssBaseProcNumber", fmt.Sprint(r.IntN(8))),
		set(connection, "UseRSSForUDP", fmt.Sprint(r.IntN(2))), adapters.RestartAdapter{Connection: connection},
	}[r.IntN(11)]
}

// virtualPortTry is a period between two samples without changes.
type virtualPortTry struct {
	t      *testing.T
	l      *Source
	did    string
	before []uint64
	counts [][]setup.VirtualCount
}

func (v *virtualPortTry) begin() {
	for port := range v.l.Host().Lab().Ports() {
		v.counts = append(v.counts, slices.Clone(v.l.Host().Lab().VirtualPorts(port)))
	}
}

// check compares the two samples of a port. It returns the numbers of packets of all virtual ports, of machines' queues, and of
// virtual functions.
func (v *virtualPortTry) check(port int, connection string, c *perf.Column) (all, own, functions uint64) {
	lab := v.l.Host().Lab()
	moved := func(cell int) uint64 { return lab.Counters()[cell] - v.before[cell] }
	now := lab.VirtualPorts(port)
	if len(now) != len(v.counts[port]) || len(now) == 0 {
		v.t.Fatalf("after %s: %s has %d counts, and had %d", v.did, connection, len(now), len(v.counts[port]))
	}
	serves := map[[2]int]bool{}
	for _, view := range v.l.Host().VPorts() {
		if view.Connection == connection && view.Function == setup.NoFunction {
			serves[[2]int{view.ID, view.Processor}] = true
			if lab.VirtualCount(port, view.ID+setup.DefaultSlot, view.Processor) == nil {
				v.t.Errorf("after %s: VPort %d of %s is listed with processor %d, and does not count", v.did, view.ID, connection, view.Processor)
			}
		}
	}
	for _, m := range v.l.Host().View().VMs {
		for _, a := range m.Adapters {
			for _, ring := range a.Queues {
				if a.Port == port && !a.Default {
					serves[[2]int{a.Slot - setup.DefaultSlot, lab.RingProcessor(port, ring)}] = true
				}
			}
		}
	}
	for ring := range lab.Rings(port) {
		serves[[2]int{0, lab.RingProcessor(port, ring)}] = true
	}
	sums := map[int][counter.ReceiveKinds]uint64{}
	for i := range now {
		row, was, id := &now[i], &v.counts[port][i], now[i].Slot-setup.DefaultSlot
		name := virtualPortName(connection, row.Slot) + " Total"
		if row.Processor != setup.AllProcessors {
			name = fmt.Sprintf("%s Cpu_%d", virtualPortName(connection, row.Slot), row.Processor)
		}
		for kind, n := range row.Kinds {
			rise := n - was.Kinds[kind]
			if n < was.Kinds[kind] {
				v.t.Errorf("T1, after %s: %s fell from %d to %d", v.did, name, was.Kinds[kind], n)
			}
			v.shows(connection, name, rss.Counter(kind).String(), n, c)
			if row.Processor == setup.AllProcessors {
				all += rise
				if id > 0 {
					own += rise
				}
				continue
			}
			sum := sums[id]
			sum[kind] += n
			sums[id] = sum
			if rise > 0 && !serves[[2]int{id, row.Processor}] {
				v.t.Errorf("R7, after %s: %s got %d packets, and does not serve it", v.did, name, rise)
			}
		}
	}
	for i := range now {
		if row := &now[i]; row.Processor == setup.AllProcessors && sums[row.Slot-setup.DefaultSlot] != row.Kinds {
			v.t.Errorf("R1, after %s: the total of slot %d of %s is %v, its processors have %v", v.did, row.Slot, connection, row.Kinds, sums[row.Slot-setup.DefaultSlot])
		}
	}
	functions = moved(counter.Cell(port, counter.FunctionsReceivedPackets)) - moved(counter.Cell(port, counter.FunctionsReceivedRDMAPackets))
	taken := uint64(0)
	for ring := range lab.RingSlots(port) {
		taken += moved(lab.ReceiveRingCell(port, ring, counter.RingPackets))
	}
	if all != taken-functions {
		v.t.Errorf("R2, R3, after %s: the virtual ports of %s got %d packets, of %d from rings and %d of virtual functions",
			v.did, connection, all, taken, functions)
	}
	return all, own, functions
}

// shows checks that a column has the lab's value of a counter.
func (v *virtualPortTry) shows(connection, instance, counter string, want uint64, c *perf.Column) {
	set := "Mellanox WinOF-2 Rss Counters"
	if connection == "Ethernet 3" {
		set = "Mellanox Adapter RSS Counters"
	}
	i, ok := v.l.Schema().Find(perf.JoinPath(set, instance, counter))
	if !ok {
		v.t.Errorf("there is no %s of %s", counter, instance)
	} else if got := c.Cells[v.l.Schema().Series[i].Cell]; got != int64(want) {
		v.t.Errorf("%s of %s is %d, and the lab has %d", counter, instance, got, want)
	}
}
