package virtualization

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/virtualization/hyperv"
)

// Describe returns the state that the description of a lab requests. Where the description only gives the number of a port's
// virtual functions, each function belongs to a virtual machine of its own.
func Describe(lab *device.Lab) *State {
	d := lab.Description()
	bios := BIOS{!d.Host.NoSRIOV, !d.Host.NoVirtualization, !d.Host.NoAddressesAbove4G}
	v := &State{BIOS: bios, NextBIOS: bios}
	for i := range d.Adapters {
		settings := map[string]uint32{}
		for name, n := range d.Adapters[i].Flash {
			settings[name] = uint32(n)
		}
		functions := 0
		for j := range d.Adapters[i].Ports {
			if n := d.Adapters[i].Ports[j].VirtualFunctions; d.Adapters[i].Family == description.WinOF {
				functions += n
			} else {
				functions = max(functions, n)
			}
		}
		if functions > 0 && len(settings) == 0 {
			settings[firmware.SRIOV], settings[firmware.Functions] = 1, uint32(functions)
		}
		if firmwareVFs := d.Adapters[i].FirmwareVFs; firmwareVFs > 0 {
			settings[firmware.ImageIOV], settings[firmware.TotalVFs] = 1, uint32(firmwareVFs)
		}
		v.Cards = append(v.Cards, CardFirmware{settings, settings})
	}
	for _, s := range d.Switches {
		v.Switches = append(v.Switches, SwitchRecord{
			Name: s.Name, Connection: s.Port, IOV: s.IOV, PacketDirect: s.PacketDirect, ManagementOS: s.ManagementOS, GUID: s.GUID,
		})
		if s.VFP {
			v.Switches[len(v.Switches)-1].Extension = ExtensionVFP
		}
	}
	for _, m := range d.Machines {
		machine := Machine{Name: m.Name, State: VMRunning, GuestDriver: m.GuestDriver, System: m.System, Memory: m.MemoryMB}
		if m.Off {
			machine.State = VMOff
		}
		for _, a := range m.Adapters {
			r := NewVMAdapter(a.Name, a.Switch)
			r.MAC, r.StaticMAC, r.VLAN, r.SwitchPort, r.NIC = a.MAC, a.MAC != description.MAC{}, a.VLAN, a.SwitchPort, a.NIC
			if a.VF {
				r.IovWeight = FullWeight
			}
			machine.Adapters = append(machine.Adapters, newAdapter(r))
		}
		v.VMs = append(v.VMs, machine)
	}
	for port := range lab.Ports() {
		p, a, _ := lab.Port(port)
		at := v.switchOn(p.Connection)
		v.Ports = append(v.Ports, Port{
			NumVFs: max(hyperv.DefaultNumVFs, p.VirtualFunctions), PacketDirect: at >= 0 && v.Switches[at].PacketDirect,
		})
		if p.VirtualFunctions == 0 || at >= 0 {
			continue
		}
		name := impliedSwitch + p.Connection
		v.Switches = append(v.Switches, SwitchRecord{Name: name, Connection: p.Connection, IOV: true, ManagementOS: true})
		for _, share := range lab.FunctionShares(p.VirtualFunctions, port) {
			r := NewVMAdapter(defaultAdapter, name)
			r.IovWeight, r.Share, r.IovQueuePairs = FullWeight, share, hyperv.QueuePairs(p.SpeedGbps)
			v.VMs = append(v.VMs, Machine{
				Name: fmt.Sprintf("vm%03d", len(v.VMs)+1), State: VMRunning, GuestDriver: d.Adapters[a].DriverVersion, Adapters: []Adapter{newAdapter(r)},
			})
		}
	}
	for i := range v.Switches {
		s := &v.Switches[i]
		if s.GUID == "" {
			s.GUID = v.newSwitchGUID(lab)
		}
		if s.ManagementOS {
			v.Host = append(v.Host, newAdapter(NewVMAdapter(s.Name, s.Name)))
		}
	}
	v.Each(func(name AdapterName, _ *Machine, a *Adapter) {
		if a.MAC == (description.MAC{}) {
			a.MAC = dynamicMAC(d.Host.Name, name)
		}
	})
	return v
}

const (
	impliedSwitch = "Switch "
	// FullWeight is the IovWeight that Windows gives an adapter with SR-IOV.
	FullWeight     = 100
	defaultAdapter = "Network Adapter"
	switchGUIDs    = 1 << 20 // the GUIDs of switches come from the seed after the teams' GUIDs
)

// newSwitchGUID draws a GUID that no switch has.
func (v *State) newSwitchGUID(lab *device.Lab) string {
	for n := switchGUIDs; ; n++ {
		guid := "{" + lab.DrawGUID(n) + "}"
		if !slices.ContainsFunc(v.Switches, func(s SwitchRecord) bool { return s.GUID == guid }) {
			return guid
		}
	}
}

// dynamicMAC returns an address of Hyper-V's own range, derived from the names.
func dynamicMAC(host string, name AdapterName) description.MAC {
	sum := uint64(14695981039346656037)
	for _, b := range []byte(host + "\x00" + strings.ToLower(name.String())) {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return description.MAC{0x00, 0x15, 0x5d, byte(sum >> 16), byte(sum >> 8), byte(sum)}
}
