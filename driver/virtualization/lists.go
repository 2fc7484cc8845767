package virtualization

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/setup"
)

// View returns the current state of Hyper-V.
func (v Hypervisor) View() View {
	view := View{Machine: v.viewMachine(), Net: v.Net.Clone()}
	connected := make([]int, len(v.Switches))
	v.Each(func(_ AdapterName, _ *Machine, a *Adapter) {
		if i, err := v.FindSwitch(a.Switch); err == nil {
			connected[i]++
		}
	})
	for i := range v.Switches {
		view.Switches = append(view.Switches, v.viewSwitch(&v.Switches[i], connected[i]))
	}
	overlays, system := v.newOverlays(), v.Lab().Description().Host.System
	for i := range v.VMs {
		m := &v.VMs[i]
		vm := VMView{
			Name: m.Name, State: m.State, GuestDriver: m.GuestDriver, System: cmp.Or(m.System, system),
			Memory: cmp.Or(m.Memory, DefaultMemoryMB), Adapters: make([]VMAdapterView, len(m.Adapters)), NetVSC: m.NetVSC,
		}
		for j := range m.Adapters {
			a := &vm.Adapters[j]
			*a = v.viewVMAdapter(m, &m.Adapters[j])
			if a.Overlay, a.OverlayWhy = overlays.find(m, &m.Adapters[j]); a.Overlay.Subnet != 0 {
				a.OverlayPacket = v.Lab().LargestOverlayPacket(a.Port)
			}
		}
		view.VMs = append(view.VMs, vm)
	}
	for i := range v.Host {
		view.HostAdapters = append(view.HostAdapters, v.viewVMAdapter(nil, &v.Host[i]))
	}
	return view
}

// ViewPorts returns the state of SR-IOV at each port.
func (v Hypervisor) ViewPorts() []SRIOVView {
	list := make([]SRIOVView, len(v.Ports))
	for port := range list {
		list[port] = v.viewSRIOV(port)
	}
	v.Each(func(_ AdapterName, m *Machine, a *Adapter) {
		if a.Function == setup.NoFunction || a.Function >= len(list[a.Port].VFs) {
			return
		}
		s := &list[a.Port]
		f := &s.VFs[a.Function]
		f.VM, f.Adapter, f.MAC, f.VLAN, f.State = m.Name, a.Name, a.MAC, a.VLAN, VFIdle
		if a.Path == PathVF {
			f.State = VFAttached
		}
		f.QueuePairs = v.GrantedPairs(a.Port, a.IovQueuePairs)
		f.Pages = a.Pages(f.QueuePairs)
		s.Attached++
		s.Free--
	})
	return list
}

func (v Hypervisor) viewSwitch(s *SwitchRecord, connected int) SwitchView {
	view := SwitchView{SwitchRecord: *s, Adapters: connected, Ports: v.switchPorts(s)}
	switch {
	case len(view.Ports) == 0:
		view.Why = "it is not on a port"
	case !s.IOV:
	case !v.Running(view.Ports[0]):
		view.Why = v.notRunningReason(view.Ports[0])
	case v.Lab().VirtualFunctions(view.Ports[0]) == 0:
		view.Why = v.noFunctions(view.Ports[0])
	default:
		view.IovSupport = true
	}
	return view
}

func (v Hypervisor) viewVMAdapter(m *Machine, a *Adapter) VMAdapterView {
	adapter := VMAdapterView{
		VMAdapterRecord: a.VMAdapterRecord, Port: a.Port, Function: a.Function, Path: a.Path, Why: a.Why, Queues: a.Rings,
		Default: a.Default, Slot: a.Slot, History: a.History,
	}
	adapter.Claim, adapter.Waits, adapter.Attached = 0, false, false
	adapter.Limits = v.adapterLimits(m, a)
	if m == nil {
		return adapter
	}
	adapter.VM, adapter.Blocked = m.Name, a.Switch != "" && v.blocked(a)
	if a.Port < 0 {
		return adapter
	}
	if a.Function != setup.NoFunction || a.Why == noGuestDriver {
		adapter.Device = vendorAdapter
	}
	if a.Function != setup.NoFunction {
		adapter.IovQueuePairsGranted = v.GrantedPairs(a.Port, a.IovQueuePairs)
		if a.Path == PathSynthetic {
			adapter.Why = "the link is down"
		}
	}
	if a.VmmqEnabled && !a.Default {
		adapter.VmmqGranted = len(a.Rings)
	}
	return adapter
}

// SwitchPort returns the name of an adapter's port at its switch: a GUID derived from the names.
func (v Hypervisor) SwitchPort(m *Machine, a *Adapter) string {
	if a.Switch == "" || a.SwitchPort != "" {
		return a.SwitchPort
	}
	name := AdapterName{"", a.Name}
	if m != nil {
		name.VM = m.Name
	}
	return v.guidFor("port", name)
}

// nic returns the name that Windows uses for an adapter: GUIDs derived from the names.
func (v Hypervisor) nic(m *Machine, a *Adapter) string {
	switch {
	case a.NIC != "":
		return a.NIC
	case m == nil:
		return strings.ToLower(v.guidFor("adapter", AdapterName{"", a.Name}))
	}
	return strings.ToLower(v.guidFor("machine", AdapterName{m.Name, ""}) + "--" + v.guidFor("adapter", AdapterName{m.Name, a.Name}))
}

// guidFor returns a GUID without braces, derived from its purpose and the names.
func (v Hypervisor) guidFor(what string, name AdapterName) string {
	n := dynamicMAC(v.Lab().Description().Host.Name+" "+what, name)
	return fmt.Sprintf("%02X%02X%02X%02X-%s", n[2], n[3], n[4], n[5], v.Lab().DrawGUID(int(n[3])<<16 | int(n[4])<<8 | int(n[5]))[9:])
}

// VPorts returns the virtual ports of the switches in the cards, as Get-NetAdapterVPort lists them: the default one of each
// port with a virtual switch, and one for each virtual function and each adapter with a queue of its own.
func (v Hypervisor) VPorts() (list []VPortView) {
	for port := range v.Ports {
		d, _, _ := v.Lab().Port(port)
		if v.switchOn(d.Connection) < 0 || !v.Running(port) {
			continue
		}
		list = append(list, VPortView{
			Connection: d.Connection, Function: setup.NoFunction, MAC: v.Lab().Address(port), Processor: v.Lab().RingProcessor(port, 0), QueuePairs: v.Lab().HostRings(port),
		})
		first := len(list)
		v.Each(func(_ AdapterName, m *Machine, a *Adapter) {
			if m == nil || a.Port != port || a.Path == NoPath || a.Default && a.Function == setup.NoFunction {
				return
			}
			vport := VPortView{
				Connection: d.Connection, ID: a.Slot + 1, Function: a.Function, MAC: a.MAC, VLAN: a.VLAN, VM: m.Name, Adapter: a.Name,
				QueuePairs: max(1, len(a.Rings)),
			}
			if a.Function != setup.NoFunction {
				vport.QueuePairs = v.GrantedPairs(port, a.IovQueuePairs)
			}
			if len(a.Rings) > 0 {
				vport.Processor = v.Lab().RingProcessor(port, a.Rings[0])
			}
			list = append(list, vport)
		})
		slices.SortFunc(list[first:], func(a, b VPortView) int { return a.ID - b.ID })
	}
	return list
}

// SwitchPorts returns the ports of the virtual switches, as vfpctrl /list-vmswitch-port lists them.
func (v Hypervisor) SwitchPorts() (list []SwitchPortView) {
	v.Each(func(name AdapterName, m *Machine, a *Adapter) {
		i, err := v.FindSwitch(a.Switch)
		if err != nil {
			return
		}
		port := SwitchPortView{
			Name: v.SwitchPort(m, a), FriendlyName: a.Name, Switch: v.Switches[i].Name, SwitchID: strings.Trim(v.Switches[i].GUID, "{}"),
			VM: name.VM, Adapter: a.Name, NIC: v.nic(m, a), MAC: a.MAC, Type: "Synthetic", Blocked: m != nil && v.blocked(a),
			VMQ: m != nil && len(a.Rings) > 0 && !a.Default,
		}
		switch {
		case m == nil:
			port.Type = "Internal"
		case a.Function != setup.NoFunction:
			port.Type = "SR-IOV"
		}
		list = append(list, port)
	})
	return list
}
