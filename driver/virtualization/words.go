package virtualization

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/wording"
)

func (SetBIOS) Kind() string                  { return "set-bios" }
func (SetFirmware) Kind() string              { return "set-firmware" }
func (SetNumVFs) Kind() string                { return "set-num-vfs" }
func (CreateSwitch) Kind() string             { return "create-switch" }
func (RemoveSwitch) Kind() string             { return "remove-switch" }
func (SetSwitch) Kind() string                { return "set-switch" }
func (CreateVM) Kind() string                 { return "create-vm" }
func (RemoveVM) Kind() string                 { return "remove-vm" }
func (SetVMState) Kind() string               { return "set-vm-state" }
func (SetGuestDriver) Kind() string           { return "set-guest-driver" }
func (AddVMAdapter) Kind() string             { return "add-vm-adapter" }
func (RemoveVMAdapter) Kind() string          { return "remove-vm-adapter" }
func (SetVMAdapter) Kind() string             { return "set-vm-adapter" }
func (ResetVF) Kind() string                  { return "reset-vf" }
func (Quarantine) Kind() string               { return "quarantine" }
func (ReleasePort) Kind() string              { return "release-port" }
func (SetFeature) Kind() string               { return "set-feature" }
func (AddNetVirtualization) Kind() string     { return "add-net-virtualization" }
func (RemoveNetVirtualization) Kind() string  { return "remove-net-virtualization" }
func (RestoreNetVirtualization) Kind() string { return "restore-net-virtualization" }

func (o SetBIOS) Target() string         { return o.Host }
func (o SetFirmware) Target() string     { return o.Adapter }
func (o SetNumVFs) Target() string       { return o.Connection }
func (o CreateSwitch) Target() string    { return o.Switch.Name }
func (o RemoveSwitch) Target() string    { return o.Switch }
func (o SetSwitch) Target() string       { return o.Switch }
func (o CreateVM) Target() string        { return o.VM.Name }
func (o RemoveVM) Target() string        { return o.VM }
func (o SetVMState) Target() string      { return o.VM }
func (o SetGuestDriver) Target() string  { return o.VM }
func (o AddVMAdapter) Target() string    { return cmp.Or(o.VM, o.Adapter.Switch) }
func (o RemoveVMAdapter) Target() string { return cmp.Or(o.VM, o.Adapter) }
func (o SetVMAdapter) Target() string    { return cmp.Or(o.VM, o.Adapter) }
func (o ResetVF) Target() string         { return o.Connection }
func (o Quarantine) Target() string      { return o.VM }
func (o ReleasePort) Target() string     { return o.VM }
func (o SetFeature) Target() string      { return o.Connection }

func (AddNetVirtualization) Target() string     { return NetTarget }
func (RemoveNetVirtualization) Target() string  { return NetTarget }
func (RestoreNetVirtualization) Target() string { return NetTarget }

func (o SetBIOS) Describe() string {
	var words []string
	for _, setting := range []struct {
		name string
		on   *bool
	}{{"SR-IOV", o.SRIOV}, {"virtualization", o.Virtualization}, {"addresses above 4 GB", o.Above4G}} {
		if setting.on != nil {
			words = append(words, setting.name+" "+wording.OnOff(*setting.on))
		}
	}
	return fmt.Sprintf("set in the BIOS of %s: %s", o.Host, strings.Join(words, ", "))
}

func (o SetFirmware) Describe() string {
	return fmt.Sprintf("set in the firmware of %s: %s", o.Adapter, strings.Join(o.assignments(), " "))
}

func (o SetFirmware) assignments() (list []string) {
	for _, v := range o.Values {
		list = append(list, v.Name+"="+cmp.Or(v.Value, NotSet))
	}
	return list
}

func (o SetNumVFs) Describe() string {
	return fmt.Sprintf("let Windows use %d virtual functions of %s", o.NumVFs, o.Connection)
}

func (o CreateSwitch) Describe() string {
	what := "create the virtual switch "
	if o.Switch.IOV {
		what = "create the SR-IOV switch "
	} else if o.Switch.PacketDirect {
		what = "create the PacketDirect switch "
	}
	if o.Switch.Embedded() {
		return what + o.Switch.Name + " with an embedded team of " + strings.Join(o.Switch.Members, ", ")
	}
	return what + o.Switch.Name + " on " + cmp.Or(o.Switch.Connection, o.Switch.Team)
}

func (o RemoveSwitch) Describe() string { return "remove the virtual switch " + o.Switch }

func (o SetSwitch) Describe() string {
	var words []string
	switch {
	case o.ManagementOS == nil:
	case *o.ManagementOS:
		words = append(words, "add an adapter for the host to the virtual switch "+o.Switch)
	default:
		words = append(words, "remove the host's adapter from the virtual switch "+o.Switch)
	}
	switch {
	case o.Extension == nil:
	case *o.Extension != "":
		words = append(words, fmt.Sprintf("enable the extension %s of the virtual switch %s", *o.Extension, o.Switch))
	default:
		words = append(words, "disable the extension of the virtual switch "+o.Switch)
	}
	if o.Balance != nil {
		words = append(words, fmt.Sprintf("spread the traffic of the virtual switch %s by %s", o.Switch, cmp.Or(*o.Balance, HyperVPort)))
	}
	return strings.Join(words, ", ")
}

func (o CreateVM) Describe() string { return "create the virtual machine " + o.VM.Name }

func (o RemoveVM) Describe() string { return "remove the virtual machine " + o.VM }

func (o SetVMState) Describe() string {
	verb := map[VMState]string{VMOff: "stop", VMRunning: "start", VMPaused: "pause", VMSaved: "save"}[o.State]
	return cmp.Or(verb, "change") + " the virtual machine " + o.VM
}

func (o SetGuestDriver) Describe() string {
	if o.Version == "" {
		return "remove the adapter's driver from the virtual machine " + o.VM
	}
	return fmt.Sprintf("install the adapter's driver %s in the virtual machine %s", o.Version, o.VM)
}

func (o AddVMAdapter) Describe() string {
	to := "the virtual machine " + o.VM
	if o.VM == "" {
		to = "the host"
	}
	return fmt.Sprintf("add the network adapter %[2]s to %[1]s%[3]s", to, o.Adapter.Name, switchSuffix(o.Adapter.Switch))
}

func switchSuffix(name string) string {
	if name == "" {
		return ""
	}
	return " at the switch " + name
}

func (o RemoveVMAdapter) Describe() string {
	return "remove the network adapter " + AdapterName(o).String()
}

func (o SetVMAdapter) Describe() string {
	var parts, words []string
	name := AdapterName{o.VM, o.Adapter}.String()
	if o.Switch != nil && *o.Switch == "" {
		parts = append(parts, "disconnect the adapter "+name+" from its switch")
	} else if o.Switch != nil {
		parts = append(parts, "connect the adapter "+name+" to the switch "+*o.Switch)
	}
	if o.MAC != nil && *o.MAC == (description.MAC{}) {
		words = append(words, "a dynamic MAC address")
	} else if o.MAC != nil {
		words = append(words, "the MAC address "+o.MAC.String())
	}
	number := func(setting string, n *int) {
		if n != nil {
			words = append(words, fmt.Sprintf("%s %d", setting, *n))
		}
	}
	number("VLAN", o.VLAN)
	number("IovWeight", o.IovWeight)
	number("IovQueuePairsRequested", o.IovQueuePairs)
	number("VmqWeight", o.VmqWeight)
	if o.VmmqEnabled != nil {
		words = append(words, "VMMQ "+wording.OnOff(*o.VmmqEnabled))
	}
	number("VmmqQueuePairs", o.VmmqQueuePairs)
	number("RdmaWeight", o.RdmaWeight)
	number("*JumboPacket", o.JumboPacket)
	if o.PriorityTag != nil {
		words = append(words, "IeeePriorityTag "+wording.OnOff(*o.PriorityTag))
	}
	if o.Mapping != nil {
		words = append(words, "the team mapping "+cmp.Or(*o.Mapping, "none"))
	}
	if o.VirtualSubnet != nil {
		words = append(words, fmt.Sprintf("VirtualSubnetID %d", *o.VirtualSubnet))
	}
	switch settings := "set " + strings.Join(words, ", "); {
	case parts == nil:
		return settings + " for the adapter " + name
	case words != nil:
		parts = append(parts, settings)
	}
	return strings.Join(parts, " and ")
}

func (o ResetVF) Describe() string {
	return fmt.Sprintf("reset the virtual function %d of %s", o.Function, o.Connection)
}

func (o Quarantine) Describe() string {
	name := AdapterName{o.VM, o.Adapter}
	if o.Reason == "" {
		return fmt.Sprintf("release %s from quarantine", name)
	}
	return fmt.Sprintf("quarantine %s: %s", name, o.Reason)
}

func (o ReleasePort) Describe() string {
	verb := "remove the port of %s from the filter platform"
	if o.Back {
		verb = "add the port of %s to the filter platform"
	}
	return fmt.Sprintf(verb, AdapterName{o.VM, o.Adapter})
}

func (o SetFeature) Describe() string {
	name := map[AdapterFeature]string{
		FeaturePacketDirect: "PacketDirect", FeatureNetworkVirtualization: "network virtualization", FeatureRdma: "RDMA",
	}[o.Feature]
	return fmt.Sprintf("switch %s of %s %s", cmp.Or(name, string(o.Feature)), o.Connection, wording.OnOff(o.On))
}

func (o AddNetVirtualization) Describe() string { return "add " + o.Records.Summary() }

func (o RemoveNetVirtualization) Describe() string { return "remove " + o.Records.Summary() }

func (o RestoreNetVirtualization) Describe() string {
	return "restore the NVGRE records of " + NetTarget
}
