package driver

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/virtualization"
)

// Kind is "set-bios".
func (SetBIOS) Kind() string { return "set-bios" }

// Kind is "set-firmware".
func (SetFirmware) Kind() string { return "set-firmware" }

// Kind is "set-num-vfs".
func (SetNumVFs) Kind() string { return "set-num-vfs" }

// Kind is "set-sriov-ports".
func (SetSriovPorts) Kind() string { return "set-sriov-ports" }

// Kind is "create-switch".
func (CreateSwitch) Kind() string { return "create-switch" }

// Kind is "remove-switch".
func (RemoveSwitch) Kind() string { return "remove-switch" }

// Kind is "set-switch".
func (SetSwitch) Kind() string { return "set-switch" }

// Kind is "create-vm".
func (CreateVM) Kind() string { return "create-vm" }

// Kind is "remove-vm".
func (RemoveVM) Kind() string { return "remove-vm" }

// Kind is "set-vm-state".
func (SetVMState) Kind() string { return "set-vm-state" }

// Kind is "set-guest-driver".
func (SetGuestDriver) Kind() string { return "set-guest-driver" }

// Kind is "add-vm-adapter".
func (AddVMAdapter) Kind() string { return "add-vm-adapter" }

// Kind is "remove-vm-adapter".
func (RemoveVMAdapter) Kind() string { return "remove-vm-adapter" }

// Kind is "set-vm-adapter".
func (SetVMAdapter) Kind() string { return "set-vm-adapter" }

// Kind is "reset-vf".
func (ResetVF) Kind() string { return "reset-vf" }

// Kind is "quarantine".
func (Quarantine) Kind() string { return "quarantine" }

// Kind is "release-port".
func (ReleasePort) Kind() string { return "release-port" }

// Kind is "set-feature".
func (SetFeature) Kind() string { return "set-feature" }

// Kind is "add-net-virtualization".
func (AddNetVirtualization) Kind() string { return "add-net-virtualization" }

// Kind is "remove-net-virtualization".
func (RemoveNetVirtualization) Kind() string { return "remove-net-virtualization" }

// Target is the host.
func (o SetBIOS) Target() string { return o.Host }

// Target is the card.
func (o SetFirmware) Target() string { return o.Adapter }

// Target is the connection.
func (o SetNumVFs) Target() string { return o.Connection }

// Target is the card.
func (o SetSriovPorts) Target() string { return o.Adapter }

// Target is the switch.
func (o CreateSwitch) Target() string { return o.Switch.Name }

// Target is the switch.
func (o RemoveSwitch) Target() string { return o.Switch }

// Target is the switch.
func (o SetSwitch) Target() string { return o.Switch }

// Target is the virtual machine.
func (o CreateVM) Target() string { return o.VM.Name }

// Target is the virtual machine.
func (o RemoveVM) Target() string { return o.VM }

// Target is the virtual machine.
func (o SetVMState) Target() string { return o.VM }

// Target is the virtual machine.
func (o SetGuestDriver) Target() string { return o.VM }

// Target is the virtual machine, or the switch for an adapter of the host.
func (o AddVMAdapter) Target() string { return cmp.Or(o.VM, o.Adapter.Switch) }

// Target is the virtual machine, or the adapter of the host.
func (o RemoveVMAdapter) Target() string { return cmp.Or(o.VM, o.Adapter) }

// Target is the virtual machine, or the adapter of the host.
func (o SetVMAdapter) Target() string { return cmp.Or(o.VM, o.Adapter) }

// Target is the connection.
func (o ResetVF) Target() string { return o.Connection }

// Target is the virtual machine.
func (o Quarantine) Target() string { return o.VM }

// Target is the virtual machine.
func (o ReleasePort) Target() string { return o.VM }

// Target is the connection.
func (o SetFeature) Target() string { return o.Connection }

// Target says what they are of.
func (AddNetVirtualization) Target() string { return virtualization.NetTarget }

// Target says what they are of.
func (RemoveNetVirtualization) Target() string { return virtualization.NetTarget }

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// Describe says what it does.
func (o SetBIOS) Describe() string {
	var words []string
	for _, one := range []struct {
		name string
		on   *bool
	}{{"SR-IOV", o.SRIOV}, {"virtualization", o.Virtualization}, {"addresses above 4 GB", o.Above4G}} {
		if one.on != nil {
			words = append(words, one.name+" "+onOff(*one.on))
		}
	}
	return fmt.Sprintf("set in the BIOS of %s: %s", o.Host, strings.Join(words, ", "))
}

// Describe says what it does.
func (o SetFirmware) Describe() string {
	return fmt.Sprintf("set in the firmware of %s: %s", o.Adapter, strings.Join(o.assignments(), " "))
}

func (o SetFirmware) assignments() (list []string) {
	for _, v := range o.Values {
		list = append(list, v.Name+"="+cmp.Or(v.Value, virtualization.NotSet))
	}
	return list
}

// Describe says what it does.
func (o SetNumVFs) Describe() string {
	return fmt.Sprintf("let Windows use %d virtual functions of %s", o.NumVFs, o.Connection)
}

// Describe says what it does.
func (o SetSriovPorts) Describe() string {
	switch o.Mode {
	case 0, 1:
		return fmt.Sprintf("give all virtual functions of %s to port %d", o.Adapter, o.Mode+1)
	}
	return fmt.Sprintf("give %d and %d virtual functions to the ports of %s", o.Port1, o.Port2, o.Adapter)
}

// Describe says what it does.
func (o CreateSwitch) Describe() string {
	what := "create the virtual switch "
	if o.Switch.IOV {
		what = "create the SR-IOV switch "
	} else if o.Switch.PacketDirect {
		what = "create the PacketDirect switch "
	}
	return what + o.Switch.Name + " on " + cmp.Or(o.Switch.Connection, o.Switch.Team)
}

// Describe says what it does.
func (o RemoveSwitch) Describe() string { return "remove the virtual switch " + o.Switch }

// Describe says what it does.
func (o SetSwitch) Describe() string {
	var words []string
	switch {
	case o.ManagementOS == nil:
	case *o.ManagementOS:
		words = append(words, "give the host an adapter at the virtual switch "+o.Switch)
	default:
		words = append(words, "take the adapter of the host from the virtual switch "+o.Switch)
	}
	switch {
	case o.Extension == nil:
	case *o.Extension != "":
		words = append(words, fmt.Sprintf("enable the extension %s of the virtual switch %s", *o.Extension, o.Switch))
	default:
		words = append(words, "disable the extension of the virtual switch "+o.Switch)
	}
	return strings.Join(words, ", ")
}

// Describe says what it does.
func (o CreateVM) Describe() string { return "create the virtual machine " + o.VM.Name }

// Describe says what it does.
func (o RemoveVM) Describe() string { return "remove the virtual machine " + o.VM }

// Describe says what it does.
func (o SetVMState) Describe() string {
	verb := map[virtualization.VMState]string{virtualization.VMOff: "stop", virtualization.VMRunning: "start", virtualization.VMPaused: "pause", virtualization.VMSaved: "save"}[o.State]
	return cmp.Or(verb, "change") + " the virtual machine " + o.VM
}

// Describe says what it does.
func (o SetGuestDriver) Describe() string {
	if o.Version == "" {
		return "remove the adapter's driver from the virtual machine " + o.VM
	}
	return fmt.Sprintf("install the adapter's driver %s in the virtual machine %s", o.Version, o.VM)
}

// Describe says what it does.
func (o AddVMAdapter) Describe() string {
	to := "the virtual machine " + o.VM
	if o.VM == "" {
		to = "the host"
	}
	return fmt.Sprintf("give %s the network adapter %s%s", to, o.Adapter.Name, atSwitch(o.Adapter.Switch))
}

func atSwitch(name string) string {
	if name == "" {
		return ""
	}
	return " at the switch " + name
}

// Describe says what it does.
func (o RemoveVMAdapter) Describe() string {
	return "remove the network adapter " + virtualization.AdapterName(o).String()
}

// Describe says what it does.
func (o SetVMAdapter) Describe() string {
	var words []string
	if o.Switch != nil && *o.Switch == "" {
		words = append(words, "no switch")
	} else if o.Switch != nil {
		words = append(words, "the switch "+*o.Switch)
	}
	if o.MAC != nil && *o.MAC == (description.MAC{}) {
		words = append(words, "a dynamic MAC address")
	} else if o.MAC != nil {
		words = append(words, "the MAC address "+o.MAC.String())
	}
	number := func(name string, n *int) {
		if n != nil {
			words = append(words, fmt.Sprintf("%s %d", name, *n))
		}
	}
	number("VLAN", o.VLAN)
	number("IovWeight", o.IovWeight)
	number("IovQueuePairsRequested", o.IovQueuePairs)
	number("VmqWeight", o.VmqWeight)
	if o.VmmqEnabled != nil {
		words = append(words, "VMMQ "+onOff(*o.VmmqEnabled))
	}
	number("VmmqQueuePairs", o.VmmqQueuePairs)
	number("RdmaWeight", o.RdmaWeight)
	if o.VirtualSubnet != nil {
		words = append(words, fmt.Sprintf("VirtualSubnetID %d", *o.VirtualSubnet))
	}
	return fmt.Sprintf("give the adapter %s %s", virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}, strings.Join(words, ", "))
}

// Describe says what it does.
func (o ResetVF) Describe() string {
	return fmt.Sprintf("reset the virtual function %d of %s", o.Function, o.Connection)
}

// Describe says what it does.
func (o Quarantine) Describe() string {
	name := virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}
	if o.Reason == "" {
		return fmt.Sprintf("release %s from quarantine", name)
	}
	return fmt.Sprintf("quarantine %s: %s", name, o.Reason)
}

// Describe says what it does.
func (o ReleasePort) Describe() string {
	verb := "take the port of %s out of the filter platform"
	if o.Back {
		verb = "put the port of %s back into the filter platform"
	}
	return fmt.Sprintf(verb, virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter})
}

// Describe says what it does.
func (o SetFeature) Describe() string {
	name := map[AdapterFeature]string{
		FeaturePacketDirect: "PacketDirect", FeatureNetworkVirtualization: "network virtualization", FeatureRdma: "RDMA",
	}[o.Feature]
	return fmt.Sprintf("switch %s of %s %s", cmp.Or(name, string(o.Feature)), o.Connection, onOff(o.On))
}

// Describe says what it does.
func (o AddNetVirtualization) Describe() string { return "add " + o.Records.Summary() }

// Describe says what it does.
func (o RemoveNetVirtualization) Describe() string { return "remove " + o.Records.Summary() }
