package driver

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/virtualization"
)

// Commands is empty: these switches are set at the screen of the BIOS.
func (SetBIOS) Commands() []string { return nil }

// Commands is mlxconfig; Host.Commands knows the card's device name.
func (o SetFirmware) Commands() []string { return o.commands("mtNNNN_pciconfM") }

// commands are those for a device. What was never set can't be made so again by name: the tool resets it.
func (o SetFirmware) commands(name string) (list []string) {
	var values, unset []string
	image := false
	for _, v := range o.Values {
		if s, ok := firmware.Find(true, v.Name); ok && s.Tool == firmware.Image {
			image = true
		} else if v.Value == "" {
			unset = append(unset, v.Name)
		} else {
			values = append(values, v.Name+"="+v.Value)
		}
	}
	if values != nil {
		list = append(list, "mlxconfig -d "+name+" -y set "+strings.Join(values, " "))
	}
	if unset != nil {
		list = append(list, "mlxconfig -d "+name+" -y reset "+strings.Join(unset, " "))
	}
	if image { // of an ini file, which is edited between these
		list = append(list, "flint -d "+name+" dc > "+name+".ini", "mlxburn -fw <fw name>.mlx -conf "+name+".ini -wrimage "+name+".bin",
			"flint -dev "+name+" -image "+name+".bin b")
	}
	return list
}

// Commands is that of PowerShell.
func (o SetNumVFs) Commands() []string {
	return []string{fmt.Sprintf("Set-NetAdapterSriov -Name %s -NumVFs %d", cmdlet.Pattern(o.Connection), o.NumVFs)}
}

// Commands is that of PowerShell; Host.Commands knows the name of the card there.
func (o SetSriovPorts) Commands() []string { return o.commands("HCA 0") }

func (o SetSriovPorts) commands(name string) []string {
	return []string{fmt.Sprintf("Set-MlnxPCIDeviceSriovSetting -Name %s -SriovPortMode %d -SriovPort1NumVFs %d -SriovPort2NumVFs %d",
		cmdlet.Quote(name), o.Mode, o.Port1, o.Port2)}
}

func dollar(on bool) string {
	if on {
		return "$true"
	}
	return "$false"
}

// Commands are those of PowerShell.
func (o CreateSwitch) Commands() (list []string) {
	s := o.Switch
	on := s.Connection
	if on == "" {
		on = s.Team
	}
	command := fmt.Sprintf("New-VMSwitch -Name %s -NetAdapterName %s", cmdlet.Quote(s.Name), cmdlet.Quote(on))
	if s.IOV {
		command += " -EnableIov $true"
	}
	if s.PacketDirect {
		command += " -EnablePacketDirect $true"
	}
	list = append(list, command+" -AllowManagementOS "+dollar(s.ManagementOS))
	if s.Extension != "" {
		list = append(list, extensionCommand(s.Name, s.Extension, true))
	}
	for _, a := range o.Connected {
		list = append(list, connectCommand(a.VM, a.Adapter, s.Name))
	}
	return list
}

// The filter platform is called so from Windows Server 2016 on.
const vfpExtension = "Microsoft Azure VFP Switch Extension"

func extensionCommand(name string, e virtualization.Extension, on bool) string {
	verb := "Enable"
	if !on {
		verb = "Disable"
	}
	full := string(e)
	if e == virtualization.ExtensionVFP || e == "" {
		full = vfpExtension
	}
	return fmt.Sprintf("%s-VMSwitchExtension -VMSwitchName %s -Name %s", verb, cmdlet.Quote(name), cmdlet.Quote(full))
}

func connectCommand(vm, adapter, to string) string {
	if to == "" {
		return fmt.Sprintf("Disconnect-VMNetworkAdapter %s", adapterOf(vm, adapter))
	}
	return fmt.Sprintf("Connect-VMNetworkAdapter %s -SwitchName %s", adapterOf(vm, adapter), cmdlet.Quote(to))
}

// adapterOf are the parameters that name an adapter.
func adapterOf(vm, adapter string) string {
	if vm == "" {
		return "-ManagementOS -Name " + cmdlet.Quote(adapter)
	}
	return "-VMName " + cmdlet.Quote(vm) + " -Name " + cmdlet.Quote(adapter)
}

// Commands is that of PowerShell.
func (o RemoveSwitch) Commands() []string {
	return []string{"Remove-VMSwitch -Name " + cmdlet.Quote(o.Switch) + " -Force"}
}

// Commands are those of PowerShell.
func (o SetSwitch) Commands() (list []string) {
	if o.ManagementOS != nil {
		list = append(list, fmt.Sprintf("Set-VMSwitch -Name %s -AllowManagementOS %s", cmdlet.Quote(o.Switch), dollar(*o.ManagementOS)))
	}
	if o.Extension != nil {
		list = append(list, extensionCommand(o.Switch, *o.Extension, *o.Extension != ""))
	}
	return list
}

// Commands are those of PowerShell. The driver inside of a guest is installed there by hand.
func (o CreateVM) Commands() []string {
	list := []string{"New-VM -Name " + cmdlet.Quote(o.VM.Name) + fmt.Sprintf(" -Generation 2 -MemoryStartupBytes %dMB -NoVHD", cmp.Or(o.VM.Memory, virtualization.DefaultMemoryMB)),
		"Get-VMNetworkAdapter -VMName " + cmdlet.Quote(o.VM.Name) + " | Remove-VMNetworkAdapter"}
	for _, a := range o.VM.Adapters {
		list = append(list, AddVMAdapter{VM: o.VM.Name, Adapter: a}.Commands()...)
	}
	if command := stateCommand(o.VM.Name, o.VM.State); o.VM.State != virtualization.VMOff && command != "" {
		if o.VM.State != virtualization.VMRunning {
			list = append(list, stateCommand(o.VM.Name, virtualization.VMRunning))
		}
		list = append(list, command)
	}
	return list
}

// Commands is that of PowerShell.
func (o RemoveVM) Commands() []string {
	return []string{"Remove-VM -Name " + cmdlet.Quote(o.VM) + " -Force"}
}

func stateCommand(vm string, state virtualization.VMState) string {
	switch state {
	case virtualization.VMRunning:
		return "Start-VM -Name " + cmdlet.Quote(vm)
	case virtualization.VMOff:
		return "Stop-VM -Name " + cmdlet.Quote(vm) + " -Force"
	case virtualization.VMPaused:
		return "Suspend-VM -Name " + cmdlet.Quote(vm)
	case virtualization.VMSaved:
		return "Save-VM -Name " + cmdlet.Quote(vm)
	}
	return ""
}

// Commands is that of PowerShell.
func (o SetVMState) Commands() []string { return []string{stateCommand(o.VM, o.State)} }

// Commands is empty: it is done inside of the guest, with the setup program of the host's package family.
func (SetGuestDriver) Commands() []string { return nil }

// Commands are those of PowerShell.
func (o AddVMAdapter) Commands() []string {
	a := o.Adapter
	command := "Add-VMNetworkAdapter " + adapterOf(o.VM, a.Name)
	if a.Switch != "" {
		command += " -SwitchName " + cmdlet.Quote(a.Switch)
	}
	if a.StaticMAC {
		command += " -StaticMacAddress " + digits(a.MAC)
	}
	plain := virtualization.NewVMAdapter(a.Name, "")
	set := SetVMAdapter{VM: o.VM, Adapter: a.Name}
	differs := func(now, usual int) *int {
		if now == usual {
			return nil
		}
		return &now
	}
	set.VLAN, set.IovWeight = differs(a.VLAN, plain.VLAN), differs(a.IovWeight, plain.IovWeight)
	set.VmqWeight, set.RdmaWeight = differs(a.VmqWeight, plain.VmqWeight), differs(a.RdmaWeight, plain.RdmaWeight)
	set.IovQueuePairs = differs(a.IovQueuePairs, plain.IovQueuePairs)
	set.VmmqQueuePairs = differs(a.VmmqQueuePairs, plain.VmmqQueuePairs)
	if a.VmmqEnabled != plain.VmmqEnabled {
		set.VmmqEnabled = &a.VmmqEnabled
	}
	if a.VirtualSubnet != 0 {
		set.VirtualSubnet = &a.VirtualSubnet
	}
	return append([]string{command}, set.Commands()...)
}

// digits is a MAC address as the commands of Hyper-V take it.
func digits(m description.MAC) string { return strings.ReplaceAll(m.String(), ":", "") }

// Commands is that of PowerShell.
func (o RemoveVMAdapter) Commands() []string {
	return []string{"Remove-VMNetworkAdapter " + adapterOf(o.VM, o.Adapter)}
}

// Commands are those of PowerShell, one for what each of its commands sets.
func (o SetVMAdapter) Commands() (list []string) {
	of := adapterOf(o.VM, o.Adapter)
	if o.Switch != nil {
		list = append(list, connectCommand(o.VM, o.Adapter, *o.Switch))
	}
	set := ""
	if o.MAC != nil && *o.MAC == (description.MAC{}) {
		set += " -DynamicMacAddress"
	} else if o.MAC != nil {
		set += " -StaticMacAddress " + digits(*o.MAC)
	}
	number := func(name string, n *int) {
		if n != nil {
			set += fmt.Sprintf(" -%s %d", name, *n)
		}
	}
	number("IovWeight", o.IovWeight)
	number("IovQueuePairsRequested", o.IovQueuePairs)
	number("VmqWeight", o.VmqWeight)
	if o.VmmqEnabled != nil {
		set += " -VmmqEnabled " + dollar(*o.VmmqEnabled)
	}
	number("VmmqQueuePairs", o.VmmqQueuePairs)
	if o.VirtualSubnet != nil {
		set += fmt.Sprintf(" -VirtualSubnetId %d", *o.VirtualSubnet)
	}
	if set != "" {
		list = append(list, "Set-VMNetworkAdapter "+of+set)
	}
	if o.VLAN != nil {
		vlan := strings.ReplaceAll(of, " -Name ", " -VMNetworkAdapterName ")
		if *o.VLAN == 0 {
			list = append(list, "Set-VMNetworkAdapterVlan "+vlan+" -Untagged")
		} else {
			list = append(list, fmt.Sprintf("Set-VMNetworkAdapterVlan %s -Access -VlanId %d", vlan, *o.VLAN))
		}
	}
	if o.RdmaWeight != nil {
		list = append(list, fmt.Sprintf("Set-VMNetworkAdapterRdma %s -RdmaWeight %d", of, *o.RdmaWeight))
	}
	return list
}

// Commands are empty; Host.Commands knows the adapter, whose weight is taken away and given back.
func (ResetVF) Commands() []string { return nil }

// Commands are those of PowerShell.
func (o Quarantine) Commands() []string {
	of := adapterOf(o.VM, o.Adapter)
	if o.Reason == "" {
		return []string{"Set-VMNetworkAdapter " + of + " -IovWeight 100", "Connect-VMNetworkAdapter " + of + " -SwitchName <vSwitchName>"}
	}
	return []string{"Set-VMNetworkAdapter " + of + " -IovWeight 0", "Disconnect-VMNetworkAdapter " + of}
}

// Commands is vfpctrl; Host.Commands knows the name of the port.
func (o ReleasePort) Commands() []string { return o.commands("<PortName>") }

func (o ReleasePort) commands(port string) []string {
	verb := "disable"
	if o.Back {
		verb = "enable"
	}
	return []string{"vfpctrl /" + verb + "-port /port " + port}
}

// Commands is that of PowerShell.
func (o SetFeature) Commands() []string {
	if o.Feature == FeaturePromiscuous {
		return nil
	}
	verb := "Enable"
	if !o.On {
		verb = "Disable"
	}
	if o.Feature == FeatureNetworkVirtualization {
		return []string{fmt.Sprintf("%s-NetAdapterBinding -Name %s -ComponentID ms_netwnv", verb, cmdlet.Pattern(o.Connection))}
	}
	return []string{fmt.Sprintf("%s-NetAdapter%s -Name %s", verb, o.Feature, cmdlet.Pattern(o.Connection))}
}

// Commands are those of PowerShell.
func (o AddNetVirtualization) Commands() (list []string) {
	for _, r := range o.Records.Lookups {
		list = append(list, fmt.Sprintf("New-NetVirtualizationLookupRecord -CustomerAddress %s -ProviderAddress %s -VirtualSubnetID %d"+
			" -MACAddress %s -Rule \"TranslationMethodEncap\"", cmdlet.Quote(r.CustomerAddress.String()), cmdlet.Quote(r.ProviderAddress.String()),
			r.VirtualSubnet, cmdlet.Quote(digits(r.MAC))))
	}
	for _, r := range o.Records.CustomerRoutes {
		list = append(list, fmt.Sprintf("New-NetVirtualizationCustomerRoute -RoutingDomainID %s -VirtualSubnetID %d -DestinationPrefix %s"+
			" -NextHop %s -Metric %d", cmdlet.Quote(r.RoutingDomain), r.VirtualSubnet, cmdlet.Quote(r.Prefix.String()), cmdlet.Quote(r.NextHop.String()), r.Metric))
	}
	for _, r := range o.Records.ProviderAddresses {
		list = append(list, nic(r.Connection), fmt.Sprintf("New-NetVirtualizationProviderAddress -InterfaceIndex $NIC.InterfaceIndex"+
			" -ProviderAddress %s -PrefixLength %d", cmdlet.Quote(r.Address.String()), r.PrefixLength))
	}
	for _, r := range o.Records.ProviderRoutes {
		list = append(list, nic(r.Connection), fmt.Sprintf("New-NetVirtualizationProviderRoute -InterfaceIndex $NIC.InterfaceIndex"+
			" -DestinationPrefix %s -NextHop %s", cmdlet.Quote(r.Prefix.String()), cmdlet.Quote(r.NextHop.String())))
	}
	return list
}

func nic(connection string) string {
	return "$NIC = Get-NetAdapter -Name " + cmdlet.Pattern(connection)
}

// Commands are those of PowerShell.
func (o RemoveNetVirtualization) Commands() (list []string) {
	for _, r := range o.Records.Lookups {
		list = append(list, fmt.Sprintf("Remove-NetVirtualizationLookupRecord -CustomerAddress %s -VirtualSubnetID %d",
			cmdlet.Quote(r.CustomerAddress.String()), r.VirtualSubnet))
	}
	for _, r := range o.Records.CustomerRoutes {
		list = append(list, fmt.Sprintf("Remove-NetVirtualizationCustomerRoute -RoutingDomainID %s -VirtualSubnetID %d -DestinationPrefix %s",
			cmdlet.Quote(r.RoutingDomain), r.VirtualSubnet, cmdlet.Quote(r.Prefix.String())))
	}
	for _, r := range o.Records.ProviderAddresses {
		list = append(list, "Remove-NetVirtualizationProviderAddress -ProviderAddress "+cmdlet.Quote(r.Address.String()))
	}
	for _, r := range o.Records.ProviderRoutes {
		list = append(list, nic(r.Connection), fmt.Sprintf("Remove-NetVirtualizationProviderRoute -InterfaceIndex $NIC.InterfaceIndex"+
			" -DestinationPrefix %s", cmdlet.Quote(r.Prefix.String())))
	}
	return list
}
