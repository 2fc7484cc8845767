package driver

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/device/firmware"
	"cxdeck/driver/hyperv"
	"cxdeck/driver/registry"
)

// virtualization is Hyper-V on the host, and what of the computer and its cards it depends on. It is never changed in
// place, so that hosts and their clones share it: see Host.virtually.
type virtualization struct {
	BIOS     BIOS              `json:"bios"`
	NextBIOS BIOS              `json:"next_bios"`
	Cards    []cardFirmware    `json:"cards"`
	Ports    []virtualPort     `json:"ports"`
	Switches []SwitchRecord    `json:"switches,omitempty"`
	VMs      []vm              `json:"vms,omitempty"`
	Host     []vmAdapter       `json:"host_adapters,omitempty"`
	Net      NetVirtualization `json:"net"`
}

// cardFirmware are the settings in the flash of a card that were ever set: those that count, and those that will.
type cardFirmware struct {
	Current map[string]uint32 `json:"current,omitempty"`
	Next    map[string]uint32 `json:"next,omitempty"`
}

// virtualPort is what Windows keeps for a port.
type virtualPort struct {
	NumVFs                int  `json:"num_vfs"`
	PacketDirect          bool `json:"packet_direct,omitempty"`
	NetworkVirtualization bool `json:"network_virtualization,omitempty"`
	Promiscuous           bool `json:"promiscuous,omitempty"`
}

// vm is a virtual machine.
type vm struct {
	Name        string      `json:"name"`
	State       VMState     `json:"state"`
	GuestDriver string      `json:"guest_driver,omitempty"`
	System      string      `json:"system,omitempty"`
	Memory      int         `json:"memory_mb,omitempty"`
	Adapters    []vmAdapter `json:"adapters,omitempty"`
}

// vmAdapter is a network adapter of a virtual machine, as it is now.
type vmAdapter struct {
	VMAdapterRecord
	// Port is that of the lab, or -1; Slot its place among the guests of it.
	Port int `json:"port"`
	Slot int `json:"slot"`
	// Function is its virtual function, or -1. Wanted says that it asked for one and got an answer.
	Function int        `json:"function"`
	Wanted   bool       `json:"wanted,omitempty"`
	Path     Path       `json:"path"`
	Why      string     `json:"why,omitempty"`
	Rings    []int      `json:"rings,omitempty"`
	Default  bool       `json:"default_queue,omitempty"`
	History  []VFChange `json:"history,omitempty"`
}

// virtually changes what belongs to virtualization on a copy, which then takes its place. The Operations of a plan share
// one copy: when one of them fails, the host that was before takes the place of all.
func (h *Host) virtually(change func(v *virtualization)) {
	if h.owned {
		change(h.virtual)
		return
	}
	v := *h.virtual
	v.Cards, v.Ports, v.Switches = slices.Clone(v.Cards), slices.Clone(v.Ports), slices.Clone(v.Switches)
	v.VMs, v.Host = slices.Clone(v.VMs), slices.Clone(v.Host)
	for i := range v.VMs {
		v.VMs[i].Adapters = slices.Clone(v.VMs[i].Adapters)
	}
	v.Net = v.Net.clone()
	change(&v)
	h.virtual, h.owned = &v, h.planning
}

// vm finds a virtual machine by its name, in any case.
func (v *virtualization) vm(name string) (int, error) {
	for i := range v.VMs { // as it stands, which is quick
		if v.VMs[i].Name == name {
			return i, nil
		}
	}
	for i := range v.VMs {
		if strings.EqualFold(v.VMs[i].Name, name) {
			return i, nil
		}
	}
	return 0, &UnknownVMError{name}
}

// UnknownVMError is a virtual machine that the host does not have.
type UnknownVMError struct{ VM string }

// Error says which, and what to do.
func (e *UnknownVMError) Error() string {
	return fmt.Sprintf("no virtual machine is called %q; use a name that the list of machines shows, or create it first", e.VM)
}

// sw finds a virtual switch by its name, in any case.
func (v *virtualization) sw(name string) (int, error) {
	for i := range v.Switches { // as it stands, which is quick
		if v.Switches[i].Name == name {
			return i, nil
		}
	}
	for i := range v.Switches {
		if strings.EqualFold(v.Switches[i].Name, name) {
			return i, nil
		}
	}
	return 0, &UnknownSwitchError{name}
}

// UnknownSwitchError is a virtual switch that the host does not have.
type UnknownSwitchError struct{ Switch string }

// Error says which, and what to do.
func (e *UnknownSwitchError) Error() string {
	return fmt.Sprintf("no virtual switch is called %q; use a name that the list of switches shows, or create it first", e.Switch)
}

// UnknownVMAdapterError is a network adapter that no virtual machine, or not the host, has.
type UnknownVMAdapterError struct{ Name AdapterName }

// Error says which, and what to do.
func (e *UnknownVMAdapterError) Error() string {
	if e.Name.VM == "" {
		return fmt.Sprintf("the host has no virtual adapter %q; use a name that the list of its adapters shows", e.Name.Adapter)
	}
	return fmt.Sprintf("the virtual machine %s has no network adapter %q; use a name that its list shows", e.Name.VM, e.Name.Adapter)
}

// adapter finds a network adapter; without a VM one of the host.
func (v *virtualization) adapter(name AdapterName) (*vmAdapter, error) {
	list := v.Host
	if name.VM != "" {
		i, err := v.vm(name.VM)
		if err != nil {
			return nil, err
		}
		list = v.VMs[i].Adapters
	}
	for i := range list {
		if strings.EqualFold(list[i].Name, name.Adapter) {
			return &list[i], nil
		}
	}
	return nil, &UnknownVMAdapterError{name}
}

// each goes through all network adapters, those of virtual machines first.
func (v *virtualization) each(do func(name AdapterName, machine *vm, a *vmAdapter)) {
	for i := range v.VMs {
		m := &v.VMs[i]
		for j := range m.Adapters {
			do(AdapterName{m.Name, m.Adapters[j].Name}, m, &m.Adapters[j])
		}
	}
	for i := range v.Host {
		do(AdapterName{"", v.Host[i].Name}, nil, &v.Host[i])
	}
}

// newVMAdapter is a network adapter as Hyper-V makes it.
func newVMAdapter(name string) VMAdapterRecord {
	return VMAdapterRecord{Name: name, VmqWeight: 100, VmmqEnabled: true, VmmqQueuePairs: 16, IovQueuePairs: 1}
}

// NewVMAdapter is a network adapter with the settings that Hyper-V gives a new one.
func NewVMAdapter(name, at string) VMAdapterRecord {
	a := newVMAdapter(name)
	a.Switch = at
	return a
}

// plug makes an adapter of a record, not yet settled.
func plug(r VMAdapterRecord) vmAdapter {
	return vmAdapter{VMAdapterRecord: r, Port: -1, Slot: -1, Function: device.NoFunction, Path: NoPath}
}

// record writes an adapter down.
func (a *vmAdapter) record() VMAdapterRecord {
	r := a.VMAdapterRecord
	r.Waits, r.Attached = a.Wanted && a.Function == device.NoFunction, a.Function != device.NoFunction
	return r
}

// record writes a virtual machine down.
func (m *vm) record() VMRecord {
	r := VMRecord{Name: m.Name, State: m.State, GuestDriver: m.GuestDriver, System: m.System, Memory: m.Memory}
	for i := range m.Adapters {
		r.Adapters = append(r.Adapters, m.Adapters[i].record())
	}
	return r
}

// notSet is what the tools show for a setting that was never set.
const notSet = firmware.NotSet

// describeVirtual makes what the description has of the computer, of virtual switches and machines. Where it only says
// how many virtual functions a port has, each belongs to a virtual machine of its own.
func (h *Host) describeVirtual() {
	d := h.lab.Description()
	bios := BIOS{!d.Host.NoSRIOV, !d.Host.NoVirtualization, !d.Host.NoAddressesAbove4G}
	v := &virtualization{BIOS: bios, NextBIOS: bios}
	for i := range d.Adapters {
		settings := map[string]uint32{}
		for name, n := range d.Adapters[i].Flash {
			settings[name] = uint32(n)
		}
		functions := 0
		for j := range d.Adapters[i].Ports {
			if n := d.Adapters[i].Ports[j].VirtualFunctions; d.Adapters[i].Family == device.WinOF {
				functions += n
			} else {
				functions = max(functions, n)
			}
		}
		if functions > 0 && len(settings) == 0 {
			settings[firmware.SRIOV], settings[firmware.Functions] = 1, uint32(functions)
		}
		if burnt := d.Adapters[i].BurntFunctions; burnt > 0 {
			settings[firmware.ImageIOV], settings[firmware.TotalVFs] = 1, uint32(burnt)
		}
		v.Cards = append(v.Cards, cardFirmware{settings, settings})
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
		one := vm{Name: m.Name, State: VMRunning, GuestDriver: m.GuestDriver, System: m.System, Memory: m.MemoryMB}
		if m.Off {
			one.State = VMOff
		}
		for _, a := range m.Adapters {
			r := NewVMAdapter(a.Name, a.Switch)
			r.MAC, r.StaticMAC, r.VLAN, r.SwitchPort, r.NIC = a.MAC, a.MAC != device.MAC{}, a.VLAN, a.SwitchPort, a.NIC
			if a.VF {
				r.IovWeight = fullWeight
			}
			one.Adapters = append(one.Adapters, plug(r))
		}
		v.VMs = append(v.VMs, one)
	}
	for port := range h.lab.Ports() {
		p, a, _ := h.lab.Port(port)
		on := func(s SwitchRecord) bool { return s.Connection == p.Connection }
		direct := func(s SwitchRecord) bool { return on(s) && s.PacketDirect }
		v.Ports = append(v.Ports, virtualPort{
			NumVFs: max(hyperv.DefaultNumVFs, p.VirtualFunctions), PacketDirect: slices.ContainsFunc(v.Switches, direct),
		})
		if mode := d.Adapters[a].SriovPortMode; mode != nil && d.Adapters[a].Family == device.WinOF {
			h.hive.Set(h.place(port, registry.BusDevice), "SriovPortMode", registry.NumberValue(uint32(*mode)))
		}
		if p.VirtualFunctions == 0 || slices.ContainsFunc(v.Switches, on) {
			continue
		}
		name := impliedSwitch + p.Connection
		v.Switches = append(v.Switches, SwitchRecord{Name: name, Connection: p.Connection, IOV: true, ManagementOS: true})
		for _, share := range h.lab.FunctionShares(p.VirtualFunctions, port) {
			r := NewVMAdapter(usualAdapter, name)
			r.IovWeight, r.Share, r.IovQueuePairs = fullWeight, share, hyperv.QueuePairs(p.SpeedGbps)
			v.VMs = append(v.VMs, vm{
				Name: fmt.Sprintf("vm%03d", len(v.VMs)+1), State: VMRunning, GuestDriver: d.Adapters[a].DriverVersion, Adapters: []vmAdapter{plug(r)},
			})
		}
	}
	h.virtual = v
	for i := range v.Switches {
		s := &v.Switches[i]
		if s.GUID == "" {
			s.GUID = h.switchGUID()
		}
		if s.ManagementOS {
			v.Host = append(v.Host, plug(NewVMAdapter(s.Name, s.Name)))
		}
	}
	v.each(func(name AdapterName, _ *vm, a *vmAdapter) {
		if a.MAC == (device.MAC{}) {
			a.MAC = dynamicMAC(d.Host.Name, name)
		}
	})
}

const (
	impliedSwitch = "Switch "
	fullWeight    = 100
	usualAdapter  = "Network Adapter"
	switchGUIDs   = 1 << 20 // the GUIDs of switches come from the seed after those of teams
)

// switchGUID is one that no switch has.
func (h *Host) switchGUID() string {
	for n := switchGUIDs; ; n++ {
		guid := "{" + h.lab.DrawGUID(n) + "}"
		if !slices.ContainsFunc(h.virtual.Switches, func(s SwitchRecord) bool { return s.GUID == guid }) {
			return guid
		}
	}
}

// dynamicMAC is the address that Hyper-V gives an adapter: of its own range, and by the names.
func dynamicMAC(host string, name AdapterName) device.MAC {
	sum := uint64(14695981039346656037)
	for _, b := range []byte(host + "\x00" + strings.ToLower(name.String())) {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return device.MAC{0x00, 0x15, 0x5d, byte(sum >> 16), byte(sum >> 8), byte(sum)}
}

// flash is a setting of a card as it counts now, and whether it was ever set: 0 when not, with which virtual functions
// are off.
func (h *Host) flash(card int, name string) (n uint32, set bool) {
	n, set = h.virtual.Cards[card].Current[name]
	return n, set
}

// flashFunctions is how many virtual functions the firmware of a card has: for each port with WinOF-2, for all with
// WinOF. What mlxconfig has set wins over the ini file of the image.
func (h *Host) flashFunctions(card int) int {
	count, enabled := firmware.Functions, firmware.SRIOV
	if h.lab.Description().Adapters[card].Family == device.WinOF {
		if _, set := h.flash(card, firmware.SRIOV); !set {
			enabled = firmware.ImageIOV
		}
		if _, set := h.flash(card, firmware.Functions); !set {
			count = firmware.TotalVFs
		}
	}
	if on, _ := h.flash(card, enabled); on == 0 {
		return 0
	}
	n, _ := h.flash(card, count)
	return int(n)
}

// permitted says whether the driver of a port may have virtual functions by its keys, and the card's SriovPortMode and
// counts.
func (h *Host) permitted(port int) (permit bool, mode int, ports [2]int) {
	if h.family(port) == device.WinOF2 {
		r, ok := h.catalogue(port).Find("*SRIOV", registry.Miniport)
		return ok && h.miniports[port].effective.Reading(r).Value.String() == "1", 0, ports
	}
	number := func(name string, usual int) int {
		if n, ok := h.number(port, name, registry.BusDevice); ok {
			return int(min(n, 1<<16))
		}
		return usual
	}
	ports = [2]int{number("MaxVFPort1", hyperv.DefaultPortVFs), number("MaxVFPort2", hyperv.DefaultPortVFs)}
	return number("PermitSriov", 1) != 0, number("SriovPortMode", hyperv.Manual), ports
}

// allocation is how many virtual functions a port has by its firmware (burnt), by its driver (bus), and by what Windows
// lets it use, while the computer supports it (IOV-1 to IOV-4).
func (h *Host) allocation(port int) (burnt, bus, available int) {
	_, card, index := h.lab.Port(port)
	burnt = h.flashFunctions(card)
	permit, mode, counts := h.permitted(port)
	if h.family(port) == device.WinOF2 {
		bus = hyperv.PerPort(permit, burnt, hyperv.MostPerPort, h.portLimit(card))
		available = min(bus, h.virtual.Ports[port].NumVFs)
	} else {
		c := hyperv.Card{Permit: permit, Mode: mode, Ports: counts, Burnt: burnt, InfiniBand: h.hasInfiniBand(card)}
		for i := range h.lab.Description().Adapters[card].Ports {
			c.Interface[i] = h.virtual.Ports[port-index+i].NumVFs
		}
		buses, all := c.Allocate()
		bus, available = buses[index], all[index]
	}
	if supported, _ := h.iovSupport(); !supported || !h.hasSpace(card) || h.lacksSRIOV(port) != "" {
		available = 0
	}
	return burnt, bus, available
}

// portLimit is the most virtual functions that the driver of a card opens at a port.
func (h *Host) portLimit(card int) int {
	a := &h.lab.Description().Adapters[card]
	if a.Family == device.WinOF {
		return hyperv.MostPerCard
	}
	return hyperv.PortLimit(a.DeviceID, a.DriverVersion)
}

// openFunctions is how many virtual functions a port has open when its driver runs.
func (h *Host) openFunctions(port int) int {
	_, _, available := h.allocation(port)
	return available
}
