package virtualization

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization/hyperv"
)

// NotSet is shown by the tools for a setting that was never set.
const NotSet = firmware.NotSet

// flashSetting returns the value in effect of a setting in the flash of a card; 0 and false when it was never set.
func (v *State) flashSetting(card int, name string) (n uint32, set bool) {
	n, set = v.Cards[card].Current[name]
	return n, set
}

// FlashFunctions returns the number of virtual functions in the firmware of a card: for each port with WinOF-2, for all ports
// with WinOF. A value set by mlxconfig wins over the ini file of the image.
func (v Hypervisor) FlashFunctions(card int) int {
	count, enabled := firmware.Functions, firmware.SRIOV
	if v.card(card).Family == description.WinOF {
		if _, set := v.flashSetting(card, firmware.SRIOV); !set {
			enabled = firmware.ImageIOV
		}
		if _, set := v.flashSetting(card, firmware.Functions); !set {
			count = firmware.TotalVFs
		}
	}
	if on, _ := v.flashSetting(card, enabled); on == 0 {
		return 0
	}
	n, _ := v.flashSetting(card, count)
	return int(n)
}

// Permitted reports whether the registry keys of a port permit virtual functions, and returns the card's SriovPortMode and
// counts.
func (v Hypervisor) Permitted(port int) (permit bool, mode int, ports [2]int) {
	if v.family(port) == description.WinOF2 {
		value, ok := v.Effective(port, "*SRIOV", registry.Miniport)
		return ok && value.String() == "1", 0, ports
	}
	number := func(name string, usual int) int {
		if n, ok := v.number(port, name, registry.BusDevice); ok {
			return int(min(n, 1<<16))
		}
		return usual
	}
	ports = [2]int{number("MaxVFPort1", hyperv.DefaultPortVFs), number("MaxVFPort2", hyperv.DefaultPortVFs)}
	return number("PermitSriov", 1) != 0, number("SriovPortMode", hyperv.Manual), ports
}

// Allocation returns the number of virtual functions that a port has in its firmware (firmwareVFs), that its driver opens
// (bus), and that Windows can use (available), 0 where the computer does not support SR-IOV (IOV-1 to IOV-4).
func (v Hypervisor) Allocation(port int) (firmwareVFs, bus, available int) {
	_, card, index := v.Lab().Port(port)
	firmwareVFs = v.FlashFunctions(card)
	permit, mode, counts := v.Permitted(port)
	if v.family(port) == description.WinOF2 {
		bus = hyperv.PerPort(permit, firmwareVFs, hyperv.MaxPerPort, v.portLimit(card))
		available = min(bus, v.Ports[port].NumVFs)
	} else {
		c := hyperv.Card{Permit: permit, Mode: mode, Ports: counts, FirmwareVFs: firmwareVFs, InfiniBand: v.HasInfiniBand(card)}
		for i := range v.card(card).Ports {
			c.Interface[i] = v.Ports[port-index+i].NumVFs
		}
		buses, all := c.Allocate()
		bus, available = buses[index], all[index]
	}
	if supported, _ := v.IovSupport(); !supported || !v.HasSpace(card) || v.lacksSRIOV(port) != "" {
		available = 0
	}
	return firmwareVFs, bus, available
}

// portLimit returns the maximum number of virtual functions that the driver of a card opens at a port.
func (v Hypervisor) portLimit(card int) int {
	a := v.card(card)
	if a.Family == description.WinOF {
		return hyperv.MaxPerCard
	}
	return hyperv.PortLimit(a.DeviceID, a.DriverVersion)
}

// OpenFunctions returns the number of virtual functions that the driver of a port opens at its start.
func (v Hypervisor) OpenFunctions(port int) int {
	_, _, available := v.Allocation(port)
	return available
}

// Address space for cards, in MB: the space below 4 GB, and the part that a function takes. The manuals give neither number; they
// say that 16 virtual functions fit into every server.
const (
	spaceBelow4G      = 2048
	functionSpaceMLX4 = 32
	functionSpaceMLX5 = 2
)

// IovSupport returns the fields IovSupport and IovSupportReasons of Get-VmHost.
func (v Hypervisor) IovSupport() (supported bool, reasons []string) {
	if v.NoRole {
		return false, []string{v.WhyNoRole() + "."}
	}
	f := limits.Facts{Family: description.WinOF2, System: v.Lab().Description().Host.System} // the same for both families
	b := v.BIOS
	m := hyperv.Machine{SRIOV: b.SRIOV, Virtualization: b.Virtualization}
	if why := limits.Check(limits.SRIOV, &f); len(why) > 0 {
		m.System = why[0]
	}
	return m.Support()
}

// space returns the address space for cards in MB.
func (v Hypervisor) space() int {
	described := v.Lab().Description().Host.SpaceMB
	if described == 0 {
		described = 1 << 16
	}
	if !v.BIOS.Above4G {
		return min(described, spaceBelow4G)
	}
	return described
}

// functionSpace returns the address space that the virtual functions in the firmware of a card take, in MB.
func (v Hypervisor) functionSpace(card int) int {
	a := v.card(card)
	if a.Family == description.WinOF {
		return v.FlashFunctions(card) * functionSpaceMLX4
	}
	return v.FlashFunctions(card) * len(a.Ports) * functionSpaceMLX5
}

// HasSpace reports whether the address space has room for the virtual functions of a card: cards get it in order.
func (v Hypervisor) HasSpace(card int) bool {
	used := 0
	for i := range card {
		if n := v.functionSpace(i); used+n <= v.space() {
			used += n
		}
	}
	return used+v.functionSpace(card) <= v.space()
}

// viewMachine returns the current state of the computer.
func (v Hypervisor) viewMachine() MachineView {
	b := v.BIOS
	m := MachineView{SRIOV: b.SRIOV, Virtualization: b.Virtualization, Above4G: b.Above4G, Next: v.NextBIOS, Space: v.space()}
	for i := range v.Cards {
		if v.HasSpace(i) {
			m.Used += v.functionSpace(i)
		}
	}
	m.IovSupport, m.IovSupportReasons = v.IovSupport()
	m.HyperV, m.NextHyperV, m.WhyNoHyperV = !v.NoRole, !v.NextNoRole, v.WhyNoRole()
	return m
}

// ViewFirmware returns the settings in the flash of a card.
func (v Hypervisor) ViewFirmware(card int) []FirmwareView {
	family := v.card(card).Family
	settings := firmware.Settings(family == description.WinOF)
	list := make([]FirmwareView, 0, len(settings))
	ports := len(v.card(card).Ports)
	for _, s := range settings {
		if s.Port > ports {
			continue
		}
		setting := FirmwareView{
			Name: s.Name, Current: settingText(v.Cards[card].Current, s.Name), Next: settingText(v.Cards[card].Next, s.Name),
			Default: fmt.Sprint(s.Usual), Low: s.Low, High: s.High, Tool: string(s.Tool), Shown: s.Shown,
		}
		if r, ok := registry.Keys(family).Find(s.Name, registry.Firmware); ok {
			setting.Meaning = r.Summary
		}
		list = append(list, setting)
	}
	return list
}

// settingText returns the value of a setting, NotSet for one that was never set.
func settingText(values map[string]uint32, name string) string {
	if n, ok := values[name]; ok {
		return fmt.Sprint(n)
	}
	return NotSet
}

// HasInfiniBand reports whether a card has a port of InfiniBand: a port type set by mlxconfig wins over the far end of the
// cable (FAM-5).
func (v Hypervisor) HasInfiniBand(card int) bool {
	for port := range v.Ports {
		d, a, _ := v.Lab().Port(port)
		if a == card && (d.Link == description.InfiniBand) != v.WrongType(port) {
			return true
		}
	}
	return false
}
