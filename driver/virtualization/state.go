package virtualization

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/setup"
	"cxdeck/driver/request"
)

// State is the state of Hyper-V on the host, with the BIOS and the settings of cards that it depends on. Hosts and their clones
// share it: it is cloned before a change.
type State struct {
	BIOS     BIOS `json:"bios"`
	NextBIOS BIOS `json:"next_bios"`
	// NoRole reports that the role Hyper-V is not installed, NextNoRole that it is not from the next boot on.
	NoRole     bool              `json:"no_hyper_v,omitempty"`
	NextNoRole bool              `json:"next_no_hyper_v,omitempty"`
	Cards      []CardFirmware    `json:"cards"`
	Ports      []Port            `json:"ports"`
	Switches   []SwitchRecord    `json:"switches,omitempty"`
	VMs        []Machine         `json:"vms,omitempty"`
	Host       []Adapter         `json:"host_adapters,omitempty"`
	Net        NetVirtualization `json:"net"`
}

// CardFirmware holds the settings in the flash of a card that were ever set: in effect now, and from the next boot.
type CardFirmware struct {
	Current map[string]uint32 `json:"current,omitempty"`
	Next    map[string]uint32 `json:"next,omitempty"`
}

// Port holds the Windows settings of a port.
type Port struct {
	NumVFs                int  `json:"num_vfs"`
	PacketDirect          bool `json:"packet_direct,omitempty"`
	NetworkVirtualization bool `json:"network_virtualization,omitempty"`
	Promiscuous           bool `json:"promiscuous,omitempty"`
	// Bound has a bit for each of StackBindings that was bound again while the port is under a switch.
	Bound uint8 `json:"bound_under_switch,omitempty"`
}

// Machine is a virtual machine.
type Machine struct {
	Name        string    `json:"name"`
	State       VMState   `json:"state"`
	GuestDriver string    `json:"guest_driver,omitempty"`
	System      string    `json:"system,omitempty"`
	Memory      int       `json:"memory_mb,omitempty"`
	Adapters    []Adapter `json:"adapters,omitempty"`
	NetVSC      NetVSC    `json:"netvsc,omitzero"`
}

// Adapter is a network adapter of a virtual machine, as it is now.
type Adapter struct {
	VMAdapterRecord
	// Port is the lab's port, or -1; Slot the index among its guests.
	Port int `json:"port"`
	Slot int `json:"slot"`
	// Function is its virtual function, or -1. Requested reports that it requested one and got an answer.
	Function  int        `json:"function"`
	Requested bool       `json:"wanted,omitempty"`
	Path      Path       `json:"path"`
	Why       string     `json:"why,omitempty"`
	Rings     []int      `json:"rings,omitempty"`
	Default   bool       `json:"default_queue,omitempty"`
	History   []VFChange `json:"history,omitempty"`
}

// Clone returns a copy that can be changed. Histories, rings and settings are replaced and never changed in place.
func (v *State) Clone() *State {
	c := *v
	c.Cards, c.Ports, c.Switches = slices.Clone(v.Cards), slices.Clone(v.Ports), slices.Clone(v.Switches)
	c.VMs, c.Host = slices.Clone(v.VMs), slices.Clone(v.Host)
	for i := range c.VMs {
		c.VMs[i].Adapters = slices.Clone(c.VMs[i].Adapters)
	}
	c.Net = v.Net.Clone()
	return &c
}

// find returns the index of a name in a list, if possible with the same capitals; -1 for none.
func find[T any](list []T, name string, nameOf func(*T) string) int {
	for i := range list {
		if nameOf(&list[i]) == name {
			return i
		}
	}
	for i := range list {
		if strings.EqualFold(nameOf(&list[i]), name) {
			return i
		}
	}
	return -1
}

// FindMachine finds a virtual machine by its name, ignoring case.
func (v *State) FindMachine(name string) (int, error) {
	if i := find(v.VMs, name, func(m *Machine) string { return m.Name }); i >= 0 {
		return i, nil
	}
	return 0, &UnknownVMError{name}
}

// FindSwitch finds a virtual switch by its name, ignoring case.
func (v *State) FindSwitch(name string) (int, error) {
	if i := find(v.Switches, name, func(s *SwitchRecord) string { return s.Name }); i >= 0 {
		return i, nil
	}
	return 0, &UnknownSwitchError{name}
}

// UnknownVMError is a virtual machine that the host does not have.
type UnknownVMError struct{ VM string }

// Error names it and the remedy.
func (e *UnknownVMError) Error() string {
	return fmt.Sprintf("there is no virtual machine %q; use a name from the list of machines, or create it first", request.Word(e.VM))
}

// UnknownSwitchError is a virtual switch that the host does not have.
type UnknownSwitchError struct{ Switch string }

// Error names it and the remedy.
func (e *UnknownSwitchError) Error() string {
	return fmt.Sprintf("there is no virtual switch %q; use a name from the list of switches, or create it first", request.Word(e.Switch))
}

// UnknownVMAdapterError is a network adapter that no virtual machine, or not the host, has.
type UnknownVMAdapterError struct{ Name AdapterName }

// Error names it and the remedy.
func (e *UnknownVMAdapterError) Error() string {
	if e.Name.VM == "" {
		return fmt.Sprintf("the host has no virtual adapter %q; use a name that the list of its adapters shows", request.Word(e.Name.Adapter))
	}
	return fmt.Sprintf("the virtual machine %s has no network adapter %q; use a name that its list shows", e.Name.VM, request.Word(e.Name.Adapter))
}

// FindAdapter finds a network adapter by its names, ignoring case.
func (v *State) FindAdapter(name AdapterName) (*Adapter, error) {
	list, err := v.adaptersOf(name.VM)
	if err != nil {
		return nil, err
	}
	for i := range *list {
		if a := &(*list)[i]; strings.EqualFold(a.Name, name.Adapter) {
			return a, nil
		}
	}
	return nil, &UnknownVMAdapterError{name}
}

// adaptersOf returns the network adapters of a machine, or of the host without a name.
func (v *State) adaptersOf(machine string) (*[]Adapter, error) {
	if machine == "" {
		return &v.Host, nil
	}
	i, err := v.FindMachine(machine)
	if err != nil {
		return nil, err
	}
	return &v.VMs[i].Adapters, nil
}

// Each calls do for all network adapters: first the adapters of virtual machines, then the host's with a nil machine.
func (v *State) Each(do func(name AdapterName, machine *Machine, a *Adapter)) {
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

// NewVMAdapter returns a network adapter with the settings that Hyper-V gives a new one.
func NewVMAdapter(name, at string) VMAdapterRecord {
	return VMAdapterRecord{Name: name, Switch: at, VmqWeight: 100, VmmqEnabled: true, VmmqQueuePairs: 16, IovQueuePairs: 1}
}

// newAdapter returns an adapter with a configuration, before it is allocated.
func newAdapter(r VMAdapterRecord) Adapter {
	return Adapter{VMAdapterRecord: r, Port: -1, Slot: -1, Function: setup.NoFunction, Path: NoPath}
}

// Record returns the configuration from which the adapter can be recreated.
func (a *Adapter) Record() VMAdapterRecord {
	r := a.VMAdapterRecord
	r.Waits, r.Attached = a.Requested && a.Function == setup.NoFunction, a.Function != setup.NoFunction
	return r
}

// record returns the configuration from which the virtual machine can be recreated.
func (v Hypervisor) record(m *Machine) VMRecord {
	r := VMRecord{Name: m.Name, State: m.State, GuestDriver: m.GuestDriver, System: m.System, Memory: m.Memory, NetVSC: m.NetVSC}
	r.NetVSC.Known = r.NetVSC.Known || v.hasCoInstallerFault(m.System)
	for i := range m.Adapters {
		r.Adapters = append(r.Adapters, m.Adapters[i].Record())
	}
	return r
}

// String returns "vm/adapter", or only the adapter for an adapter of the host.
func (n AdapterName) String() string {
	if n.VM == "" {
		return n.Adapter
	}
	return n.VM + "/" + n.Adapter
}

// BIOS holds the BIOS settings that SR-IOV depends on.
type BIOS struct {
	SRIOV          bool `json:"sriov"`
	Virtualization bool `json:"virtualization"`
	// Above4G lets cards have addresses beyond the first 4 GB.
	Above4G bool `json:"above_4g"`
}

// AdapterName names an adapter of a virtual machine; without a VM it is an adapter of the host.
type AdapterName struct {
	VM      string `json:"vm,omitempty"`
	Adapter string `json:"adapter"`
}

// blocked reports whether the filter platform of its switch blocks the port of an adapter (VIRT-4).
func (v *State) blocked(a *Adapter) bool {
	i, err := v.FindSwitch(a.Switch)
	return err == nil && v.Switches[i].Extension == ExtensionVFP && !a.Released
}
