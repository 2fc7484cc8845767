package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
)

// randomVirtual is an Operation of Hyper-V and virtual functions, which may be refused.
func randomVirtual(r *rand.Rand, h *Host) Operation {
	v := h.virtual
	connection := []string{"Ethernet 7", "Ethernet 10", "Ethernet 3", "Ethernet 8"}[r.IntN(4)]
	sw, machine, adapter := "S", "M", usualAdapter
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
	switch r.IntN(22) {
	case 0:
		return CreateSwitch{Switch: SwitchRecord{
			Name: fmt.Sprint("S", r.IntN(4)), Connection: connection, IOV: r.IntN(3) > 0, ManagementOS: r.IntN(2) > 0,
		}}
	case 1:
		return RemoveSwitch{sw}
	case 2:
		return SetSwitch{Switch: sw, ManagementOS: new(r.IntN(2) > 0)}
	case 3:
		return SetSwitch{Switch: sw, Extension: new([]Extension{"", ExtensionVFP}[r.IntN(2)])}
	case 4, 5:
		a := NewVMAdapter(usualAdapter, sw)
		a.IovWeight, a.VmqWeight = *pick(0, 100, 100), *pick(0, 100)
		return CreateVM{VM: VMRecord{
			Name: fmt.Sprint("M", r.IntN(6)), State: VMStates()[r.IntN(4)], GuestDriver: []string{"", "24.4"}[r.IntN(2)], Adapters: []VMAdapterRecord{a},
		}}
	case 6:
		return RemoveVM{machine}
	case 7, 8:
		return SetVMState{VM: machine, State: VMStates()[r.IntN(4)]}
	case 9:
		return SetGuestDriver{VM: machine, Version: []string{"", "24.4"}[r.IntN(2)]}
	case 10:
		return AddVMAdapter{VM: machine, Adapter: NewVMAdapter(fmt.Sprint("A", r.IntN(3)), sw)}
	case 11:
		return RemoveVMAdapter{machine, adapter}
	case 12, 13, 14:
		return SetVMAdapter{VM: machine, Adapter: adapter, IovWeight: pick(0, 100)}
	case 15:
		return SetVMAdapter{
			VM: machine, Adapter: adapter, VmqWeight: pick(0, 100), VmmqQueuePairs: pick(1, 4, 16), VLAN: pick(0, 71, 5000), VmmqEnabled: new(r.IntN(2) > 0),
		}
	case 16:
		return SetVMAdapter{VM: machine, Adapter: adapter, Switch: new([]string{sw, ""}[r.IntN(2)])}
	case 17:
		return Quarantine{VM: machine, Adapter: adapter, Reason: []string{"", "it floods"}[r.IntN(2)]}
	case 18:
		return ReleasePort{machine, adapter, r.IntN(2) > 0}
	case 19:
		return SetFunctionFault{connection, r.IntN(5), device.FunctionFaults()[r.IntN(4)], float64(r.IntN(3)) / 2}
	case 20:
		return SetFirmware{"BlueField-2", []FirmwareValue{{"SRIOV_EN", fmt.Sprint(r.IntN(2))}, {"NUM_OF_VFS", fmt.Sprint(r.IntN(9))}}}
	default:
		return SetBIOS{Host: "LAB-N4", SRIOV: new(r.IntN(3) > 0)}
	}
}

// disturbing is an Operation that takes virtual functions away from outside, and which nothing takes back.
func disturbing(r *rand.Rand) Operation {
	connection := []string{"Ethernet 7", "Ethernet 10"}[r.IntN(2)]
	return []Operation{
		RestartAdapter{connection}, DisableAdapter{connection}, EnableAdapter{connection}, ReloadDriver{"mlx5"}, Reboot{"LAB-N4"},
		ResetCard{"BlueField-2"}, SetNumVFs{connection, r.IntN(9)}, PullCable{connection}, PlugCable{connection},
		set("Ethernet 10", "*SRIOV", fmt.Sprint(r.IntN(3)/2^1)), ResetVF{connection, r.IntN(4)},
	}[r.IntN(11)]
}

// checkVirtual finds what must never be: a virtual function with two adapters, an adapter with one that is not open, a
// guest of the lab that no adapter is, and sums that are not those of the port.
func checkVirtual(t *testing.T, h *Host) {
	t.Helper()
	type place struct{ port, at int }
	functions, slots := map[place]AdapterName{}, map[place]AdapterName{}
	guests := map[place]device.Guest{}
	for port := range h.lab.Ports() {
		for _, g := range h.lab.Guests(port) {
			guests[place{port, g.Slot}] = g
		}
	}
	moving := 0
	h.virtual.each(func(name AdapterName, m *vm, a *vmAdapter) {
		if m == nil {
			return
		}
		if at := (place{a.Port, a.Function}); a.Function != device.NoFunction {
			if other, double := functions[at]; double {
				t.Errorf("VF %d of port %d belongs to %s and %s", a.Function, a.Port, other, name)
			}
			functions[at] = name
			if a.Function >= h.lab.VirtualFunctions(a.Port) || h.State(a.Port) != Running {
				t.Errorf("%s has VF %d of port %d, which is not open", name, a.Function, a.Port)
			}
			if a.IovWeight == 0 || a.Quarantine != "" || m.State == VMOff || m.State == VMSaved || m.GuestDriver == "" {
				t.Errorf("%s keeps VF %d though it can't have one", name, a.Function)
			}
		}
		if a.Slot >= 0 {
			at := place{a.Port, a.Slot}
			if other, double := slots[at]; double {
				t.Errorf("place %d of port %d belongs to %s and %s", a.Slot, a.Port, other, name)
			}
			slots[at] = name
			if g, there := guests[at]; there {
				moving++
				if g.Function != a.Function {
					t.Errorf("%s has VF %d, and the lab knows %d", name, a.Function, g.Function)
				}
			}
		}
	})
	if moving != len(guests) {
		t.Errorf("the lab has %d guests, and %d adapters move traffic", len(guests), moving)
	}
	counters := h.lab.Counters()
	for _, adapter := range h.View().Adapters {
		for _, p := range adapter.Ports {
			if s := p.SRIOV; s.Attached+s.Free != s.Open || len(s.VFs) != s.Open {
				t.Errorf("%s: %d attached and %d free of %d, with %d rows", p.Description.Connection, s.Attached, s.Free, s.Open, len(s.VFs))
			}
			var sum uint64
			for f := range device.MostFunctions {
				sum += counters[h.lab.FunctionCell(p.Port, f, device.FunctionReceivedBytes)]
			}
			all := counters[device.Cell(p.Port, device.FunctionsReceivedBytes)]
			synthetic := counters[device.Cell(p.Port, device.SyntheticReceivedBytes)]
			if port := counters[device.Cell(p.Port, device.ReceivedBytes)]; sum > all || all+synthetic > port {
				t.Errorf("%s: the functions received %d of %d, and with %d on the synthetic way more than the port's %d",
					p.Description.Connection, sum, all, synthetic, port)
			}
		}
	}
}

// advanceCounting lets time go by, in which all that a port moves is of a virtual function, on the synthetic way, or of
// the host, and what machines moved is what they got: sums are rounded down for each of them.
func advanceCounting(t *testing.T, h *Host, d time.Duration) {
	t.Helper()
	if h.Starting() { // its functions begin anew
		h.Advance(d)
		return
	}
	const rounded = 16
	from := slices.Clone(h.lab.Counters())
	h.Advance(d)
	now := h.lab.Counters()
	for port := range h.lab.Ports() {
		moved := func(cell int) uint64 { return now[cell] - from[cell] }
		of := func(c device.Counter) uint64 { return moved(device.Cell(port, c)) }
		for _, way := range []struct {
			function         device.FunctionCounter
			guest            device.GuestCounter
			all, synthetic   device.Counter
			whole, host, own device.Counter
			control          device.Counter
		}{
			{
				device.FunctionReceivedPackets, device.GuestReceivedPackets, device.FunctionsReceivedPackets, device.SyntheticReceivedPackets,
				device.ReceivedPackets, device.HostInPackets, device.RDMAInFrames, device.ReceivedControl,
			},
			{
				device.FunctionSentPackets, device.GuestSentPackets, device.FunctionsSentPackets, device.SyntheticSentPackets,
				device.SentPackets, device.HostOutPackets, device.RDMAOutFrames, device.SentControl,
			},
		} {
			var functions, guests uint64
			for f := range device.MostFunctions {
				functions += moved(h.lab.FunctionCell(port, f, way.function))
			}
			for slot := range device.GuestSlots {
				guests += moved(h.lab.GuestCell(port, slot, way.guest))
			}
			all, synthetic := of(way.all), of(way.synthetic)
			places := uint64(rounded * (1 + h.lab.VirtualFunctions(port) + len(h.lab.Guests(port))))
			if functions > all+places || all > functions+places {
				t.Errorf("port %d: the functions moved %d frames of %d", port, functions, all)
			}
			managed := h.lab.Guests(port) != nil
			if managed && (guests > all+synthetic+places || all+synthetic > guests+places) {
				t.Errorf("port %d: the machines moved %d frames of %d and %d", port, guests, all, synthetic)
			}
			if whole := of(way.whole); whole != of(way.host)+of(way.own)+of(way.control) {
				t.Errorf("port %d moved %d frames, which are not those of the stack, of RDMA and control frames", port, whole)
			}
		}
	}
}

// configured is what of a host an operator set or sees, without its history, as text.
func configured(t *testing.T, h *Host) string {
	t.Helper()
	v := *h.virtual
	plain := func(list []vmAdapter) []vmAdapter {
		list = append([]vmAdapter(nil), list...)
		for i := range list {
			list[i].History, list[i].Claim, list[i].Slot = nil, 0, min(list[i].Slot, 0)
		}
		return list
	}
	v.Host = plain(v.Host)
	v.VMs = append([]vm(nil), v.VMs...)
	for i := range v.VMs {
		v.VMs[i].Adapters = plain(v.VMs[i].Adapters)
	}
	hosts := map[string]vmAdapter{} // one that comes back with its switch comes last
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
// between: no virtual function is lost or has two owners, sums are right, what fails changes nothing, what is taken
// back is as it was, and a saved host goes on as the one that was saved.
func TestVirtualOperationsAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, h := rand.New(rand.NewPCG(seed, 6)), newEthernetHost(t, seed)
			mustApply(t, h, SetFirmware{"BlueField-2", []FirmwareValue{{"SRIOV_EN", "1"}, {"NUM_OF_VFS", "3"}}},
				SetFirmware{"ConnectX-3 Pro", []FirmwareValue{{"SRIOV_EN", "1"}, {"NUM_OF_VFS", "4"}}},
				set("Ethernet 10", "*SRIOV", "1"), Reboot{"LAB-N4"})
			h.Advance(longestStart)
			applied := 0
			for range 60 {
				if r.IntN(6) == 0 {
					_, _ = h.Apply(Plan{"disturb", []Operation{disturbing(r)}}) // it may be refused, and must do no harm
					if r.IntN(2) == 0 {
						h.Advance(longestStart)
					}
					checkVirtual(t, h)
				}
				o, before := randomVirtual(r, h), configured(t, h)
				entry, err := h.Apply(Plan{"random", []Operation{o}})
				if err != nil {
					if now := configured(t, h); now != before {
						t.Fatalf("%s failed (%v) and changed\n%s\nto\n%s", o.Describe(), err, before, now)
					}
					continue
				}
				applied++
				if r.IntN(2) == 0 && len(entry.Inverse.Operations) > 0 {
					if _, err := h.Undo(); err != nil {
						t.Fatalf("%s can't be taken back: %v", o.Describe(), err)
					}
					if now := configured(t, h); now != before {
						t.Fatalf("%s was taken back, and\n%s\nbecame\n%s", o.Describe(), before, now)
					}
				}
				advanceCounting(t, h, time.Duration(r.IntN(400))*time.Millisecond)
				checkVirtual(t, h)
				if t.Failed() {
					t.Fatalf("after: %s", o.Describe())
				}
			}
			if applied < 15 {
				t.Errorf("only %d Operations were applied", applied)
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
		})
	}
}
