package virtualization

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/cmdlet"
)

// CommandsOf returns the commands for an Operation on a real host, with the names of cards and ports there and the settings to
// restore. The methods Commands use placeholders, as they have no host.
func (v Hypervisor) CommandsOf(o Operation) []string {
	switch o := o.(type) {
	case SetFirmware:
		if card, err := v.Card(o.Adapter); err == nil {
			return o.commands(v.Lab().Description().DeviceName(card))
		}
	case Quarantine:
		if a, err := v.FindAdapter(AdapterName{o.VM, o.Adapter}); err == nil && o.Reason == "" {
			return []string{weightCommand(o.VM, o.Adapter, a.IovWeight), connectCommand(o.VM, o.Adapter, a.Switch)}
		}
	case ReleasePort:
		if a, err := v.FindAdapter(AdapterName{o.VM, o.Adapter}); err == nil && a.Switch != "" {
			if i, err := v.FindMachine(o.VM); err == nil {
				return o.commands(v.SwitchPort(&v.VMs[i], a))
			}
		}
	case ResetVF: // the weight of its adapter is set to 0 and back
		port, err := v.Port(o.Connection)
		if err != nil {
			return nil
		}
		if name, a := v.adapterOfFunction(port, o.Function); a != nil {
			return []string{weightCommand(name.VM, name.Adapter, 0), weightCommand(name.VM, name.Adapter, a.IovWeight)}
		}
	case RemoveNetVirtualization:
		return RemoveNetVirtualization{Records: o.present(v)}.Commands()
	case RestoreNetVirtualization: // without existing records
		return AddNetVirtualization{o.Records.filter(v.Net, false)}.Commands()
	}
	return o.Commands()
}

// Commands is empty: the settings are changed on the screen of the BIOS.
func (SetBIOS) Commands() []string { return nil }

// Commands returns the mlxconfig commands; CommandsOf fills in the card's device name.
func (o SetFirmware) Commands() []string { return o.commands("mtNNNN_pciconfM") }

// commands returns the commands for a device. A setting that was never set can't be restored by its value: the tool resets it.
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
	if image { // the ini file is edited after the first command
		list = append(list, "flint -d "+name+" dc > "+name+".ini", "mlxburn -fw <fw name>.mlx -conf "+name+".ini -wrimage "+name+".bin",
			"flint -dev "+name+" -image "+name+".bin b")
	}
	return list
}

// Commands returns the PowerShell command.
func (o SetNumVFs) Commands() []string {
	return []string{cmdlet.New("Set-NetAdapterSriov").With("Name", o.Connection).With("NumVFs", o.NumVFs).String()}
}

func (o CreateSwitch) Commands() (list []string) {
	s := o.Switch
	line := cmdlet.New("New-VMSwitch").With("Name", s.Name)
	if s.Embedded() {
		names := make([]string, len(s.Members))
		for i, name := range s.Members {
			names[i] = cmdlet.Quote(name)
		}
		line = line.With("NetAdapterName", cmdlet.Expression(strings.Join(names, ","))).With("EnableEmbeddedTeaming", true)
	} else {
		line = line.With("NetAdapterName", cmp.Or(s.Connection, s.Team))
	}
	if s.IOV {
		line = line.With("EnableIov", true)
	}
	if s.PacketDirect {
		line = line.With("EnablePacketDirect", true)
	}
	list = append(list, line.With("AllowManagementOS", s.ManagementOS).String())
	if s.Extension != "" {
		list = append(list, extensionCommand(s.Name, s.Extension, true))
	}
	if s.Balance != "" {
		list = append(list, balanceCommand(s.Name, s.Balance))
	}
	for _, a := range o.Connected {
		list = append(list, connectCommand(a.VM, a.Adapter, s.Name))
	}
	return list
}

func balanceCommand(name string, b Balance) string {
	return cmdlet.New("Set-VMSwitchTeam").With("Name", name).With("LoadBalancingAlgorithm", cmp.Or(b, HyperVPort)).String()
}

// The name of the filter platform since Windows Server 2016.
const vfpExtension = "Microsoft Azure VFP Switch Extension"

func extensionCommand(name string, e Extension, on bool) string {
	verb := "Enable"
	if !on {
		verb = "Disable"
	}
	full := string(e)
	if e == ExtensionVFP || e == "" {
		full = vfpExtension
	}
	return cmdlet.New(verb+"-VMSwitchExtension").With("VMSwitchName", name).With("Name", full).String()
}

func connectCommand(vm, adapter, to string) string {
	if to == "" {
		return onAdapter("Disconnect-VMNetworkAdapter", vm, adapter).String()
	}
	return onAdapter("Connect-VMNetworkAdapter", vm, adapter).With("SwitchName", to).String()
}

func weightCommand(vm, adapter string, weight int) string {
	return onAdapter("Set-VMNetworkAdapter", vm, adapter).With("IovWeight", weight).String()
}

// onAdapter returns a command for a network adapter of a virtual machine, or of the host without one.
func onAdapter(command, vm, adapter string) cmdlet.Line {
	line, name := cmdlet.New(command).Switch("ManagementOS"), "Name"
	if vm != "" {
		line = cmdlet.New(command).With("VMName", vm)
	}
	if command == vlanCommand {
		name = "VMNetworkAdapterName"
	}
	return line.With(name, adapter)
}

// vlanCommand is the cmdlet whose parameter for the name of an adapter is not called Name.
const vlanCommand = "Set-VMNetworkAdapterVlan"

// Commands returns the PowerShell command.
func (o RemoveSwitch) Commands() []string {
	return []string{cmdlet.New("Remove-VMSwitch").With("Name", o.Switch).Switch("Force").String()}
}

func (o SetSwitch) Commands() (list []string) {
	if o.ManagementOS != nil {
		list = append(list, cmdlet.New("Set-VMSwitch").With("Name", o.Switch).With("AllowManagementOS", o.ManagementOS).String())
	}
	if o.Extension != nil {
		list = append(list, extensionCommand(o.Switch, *o.Extension, *o.Extension != ""))
	}
	if o.Balance != nil {
		list = append(list, balanceCommand(o.Switch, *o.Balance))
	}
	return list
}

// Commands omits the guest's driver, which is installed by hand.
func (o CreateVM) Commands() []string {
	memory := fmt.Sprintf("%dMB", cmp.Or(o.VM.Memory, DefaultMemoryMB))
	list := []string{
		cmdlet.New("New-VM").With("Name", o.VM.Name).With("Generation", 2).With("MemoryStartupBytes", memory).Switch("NoVHD").String(),
		cmdlet.New("Get-VMNetworkAdapter").With("VMName", o.VM.Name).Pipe("Remove-VMNetworkAdapter").String(),
	}
	for _, a := range o.VM.Adapters {
		list = append(list, AddVMAdapter{VM: o.VM.Name, Adapter: a}.Commands()...)
	}
	if command := stateCommand(o.VM.Name, o.VM.State); o.VM.State != VMOff && command != "" {
		if o.VM.State != VMRunning {
			list = append(list, stateCommand(o.VM.Name, VMRunning))
		}
		list = append(list, command)
	}
	return list
}

// Commands returns the PowerShell command.
func (o RemoveVM) Commands() []string {
	return []string{cmdlet.New("Remove-VM").With("Name", o.VM).Switch("Force").String()}
}

func stateCommand(vm string, state VMState) string {
	verb := map[VMState]string{VMRunning: "Start", VMOff: "Stop", VMPaused: "Suspend", VMSaved: "Save"}[state]
	if verb == "" {
		return ""
	}
	line := cmdlet.New(verb+"-VM").With("Name", vm)
	if state == VMOff {
		line = line.Switch("Force")
	}
	return line.String()
}

// Commands returns the PowerShell command.
func (o SetVMState) Commands() []string { return []string{stateCommand(o.VM, o.State)} }

// Commands is empty: the driver is installed inside the guest, with the setup program of the host's package family.
func (SetGuestDriver) Commands() []string { return nil }

func (o AddVMAdapter) Commands() []string {
	a := o.Adapter
	line := onAdapter("Add-VMNetworkAdapter", o.VM, a.Name)
	if a.Switch != "" {
		line = line.With("SwitchName", a.Switch)
	}
	if a.StaticMAC {
		line = line.With("StaticMacAddress", digits(a.MAC))
	}
	plain := NewVMAdapter(a.Name, "")
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
	if a.PriorityTag {
		set.PriorityTag = &a.PriorityTag
	}
	if a.Mapping != "" {
		set.Mapping = &a.Mapping
	}
	if a.JumboPacket != 0 {
		set.JumboPacket = &a.JumboPacket
	}
	if a.VirtualSubnet != 0 {
		set.VirtualSubnet = &a.VirtualSubnet
	}
	return append([]string{line.String()}, set.Commands()...)
}

// digits returns a MAC address in the form of Hyper-V's cmdlets: hexadecimal digits alone.
func digits(m description.MAC) string { return strings.ReplaceAll(m.String(), ":", "") }

// Commands returns the PowerShell command.
func (o RemoveVMAdapter) Commands() []string {
	return []string{onAdapter("Remove-VMNetworkAdapter", o.VM, o.Adapter).String()}
}

// Commands returns the PowerShell commands, each for several settings.
func (o SetVMAdapter) Commands() (list []string) {
	if o.Switch != nil {
		list = append(list, connectCommand(o.VM, o.Adapter, *o.Switch))
	}
	bare := onAdapter("Set-VMNetworkAdapter", o.VM, o.Adapter)
	set := bare
	if o.MAC != nil && *o.MAC == (description.MAC{}) {
		set = set.Switch("DynamicMacAddress")
	} else if o.MAC != nil {
		set = set.With("StaticMacAddress", digits(*o.MAC))
	}
	set = set.With("IovWeight", o.IovWeight).With("IovQueuePairsRequested", o.IovQueuePairs).With("VmqWeight", o.VmqWeight).
		With("VmmqEnabled", o.VmmqEnabled).With("VmmqQueuePairs", o.VmmqQueuePairs).With("VirtualSubnetId", o.VirtualSubnet)
	if o.PriorityTag != nil {
		set = set.With("IeeePriorityTag", map[bool]string{true: "On", false: "Off"}[*o.PriorityTag])
	}
	if set != bare {
		list = append(list, set.String())
	}
	if o.VLAN != nil {
		line := onAdapter(vlanCommand, o.VM, o.Adapter)
		if *o.VLAN == 0 {
			line = line.Switch("Untagged")
		} else {
			line = line.Switch("Access").With("VlanId", *o.VLAN)
		}
		list = append(list, line.String())
	}
	if o.Mapping != nil && *o.Mapping != "" {
		list = append(list, onAdapter("Set-VMNetworkAdapterTeamMapping", o.VM, o.Adapter).With("PhysicalNetAdapterName", *o.Mapping).String())
	} else if o.Mapping != nil {
		list = append(list, onAdapter("Remove-VMNetworkAdapterTeamMapping", o.VM, o.Adapter).String())
	}
	if o.JumboPacket != nil {
		list = append(list, cmdlet.New("Set-NetAdapterAdvancedProperty").With("Name", "vEthernet ("+o.Adapter+")").
			With("RegistryKeyword", "*JumboPacket").With("RegistryValue", cmp.Or(*o.JumboPacket, DefaultFrame)).String())
	}
	if o.RdmaWeight != nil {
		list = append(list, onAdapter("Set-VMNetworkAdapterRdma", o.VM, o.Adapter).With("RdmaWeight", o.RdmaWeight).String())
	}
	return list
}

// Commands is empty: CommandsOf knows the adapter.
func (ResetVF) Commands() []string { return nil }

func (o Quarantine) Commands() []string {
	if o.Reason == "" {
		connect := onAdapter("Connect-VMNetworkAdapter", o.VM, o.Adapter).With("SwitchName", cmdlet.Expression("<vSwitchName>"))
		return []string{weightCommand(o.VM, o.Adapter, 100), connect.String()}
	}
	return []string{weightCommand(o.VM, o.Adapter, 0), connectCommand(o.VM, o.Adapter, "")}
}

// Commands returns the vfpctrl command; CommandsOf fills in the name of the port.
func (o ReleasePort) Commands() []string { return o.commands("<PortName>") }

func (o ReleasePort) commands(port string) []string {
	verb := "disable"
	if o.Back {
		verb = "enable"
	}
	return []string{"vfpctrl /" + verb + "-port /port " + port}
}

// Commands returns the PowerShell command.
func (o SetFeature) Commands() []string {
	noun := map[AdapterFeature]string{FeatureRdma: "NetAdapterRdma", FeaturePacketDirect: "NetAdapterPacketDirect",
		FeatureNetworkVirtualization: "NetAdapterBinding", FeatureTCPIPv4: "NetAdapterBinding", FeatureTCPIPv6: "NetAdapterBinding",
		FeatureClient: "NetAdapterBinding"}[o.Feature]
	if noun == "" {
		return nil
	}
	verb := "Enable"
	if !o.On {
		verb = "Disable"
	}
	line := cmdlet.New(verb+"-"+noun).With("Name", o.Connection)
	if noun == "NetAdapterBinding" {
		line = line.With("ComponentID", o.Feature)
	}
	return []string{line.String()}
}

func (o AddNetVirtualization) Commands() (list []string) {
	for _, r := range o.Records.Lookups {
		list = append(list, cmdlet.New("New-NetVirtualizationLookupRecord").With("CustomerAddress", r.CustomerAddress).
			With("ProviderAddress", r.ProviderAddress).With("VirtualSubnetID", r.VirtualSubnet).With("MACAddress", digits(r.MAC)).
			With("Rule", "TranslationMethodEncap").String())
	}
	for _, r := range o.Records.CustomerRoutes {
		list = append(list, r.line("New").With("NextHop", r.NextHop).With("Metric", r.Metric).String())
	}
	for _, r := range o.Records.ProviderAddresses {
		list = append(list, nic(r.Connection), onNIC("New-NetVirtualizationProviderAddress").With("ProviderAddress", r.Address).
			With("PrefixLength", r.PrefixLength).String())
	}
	for _, r := range o.Records.ProviderRoutes {
		list = append(list, nic(r.Connection), onNIC("New-NetVirtualizationProviderRoute").With("DestinationPrefix", r.Prefix).
			With("NextHop", r.NextHop).String())
	}
	return list
}

// line returns a command for the route.
func (r *CustomerRoute) line(verb string) cmdlet.Line {
	return cmdlet.New(verb+"-NetVirtualizationCustomerRoute").With("RoutingDomainID", r.RoutingDomain).
		With("VirtualSubnetID", r.VirtualSubnet).With("DestinationPrefix", r.Prefix)
}

// nic returns the command that sets $NIC, the adapter of the following commands.
func nic(connection string) string {
	return "$NIC = " + cmdlet.New("Get-NetAdapter").With("Name", connection).String()
}

func onNIC(command string) cmdlet.Line {
	return cmdlet.New(command).With("InterfaceIndex", cmdlet.Expression("$NIC.InterfaceIndex"))
}

func (o RemoveNetVirtualization) Commands() (list []string) {
	for _, r := range o.Records.Lookups {
		list = append(list, cmdlet.New("Remove-NetVirtualizationLookupRecord").With("CustomerAddress", r.CustomerAddress).
			With("VirtualSubnetID", r.VirtualSubnet).String())
	}
	for _, r := range o.Records.CustomerRoutes {
		list = append(list, r.line("Remove").String())
	}
	for _, r := range o.Records.ProviderAddresses {
		list = append(list, cmdlet.New("Remove-NetVirtualizationProviderAddress").With("ProviderAddress", r.Address).String())
	}
	for _, r := range o.Records.ProviderRoutes {
		list = append(list, nic(r.Connection), onNIC("Remove-NetVirtualizationProviderRoute").With("DestinationPrefix", r.Prefix).String())
	}
	return list
}

// Commands returns the commands that add the records; CommandsOf skips existing ones.
func (o RestoreNetVirtualization) Commands() []string { return AddNetVirtualization(o).Commands() }
