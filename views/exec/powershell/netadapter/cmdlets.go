package netadapter

import (
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Sriov returns the cmdlets for SR-IOV of adapters.
func Sriov() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-NetAdapterSriov", getNetAdapterSriov),
		powershell.Interrupts("Set-NetAdapterSriov", powershell.Bound(setNetAdapterSriov)),
	}
}

// Features returns the cmdlets for what adapters offload: virtual ports, RDMA, VMQ, bindings and PacketDirect.
func Features() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-NetAdapterVPort", getNetAdapterVPort),
		powershell.Reads("Get-NetAdapterRdma", getNetAdapterRdma),
		powershell.Reads("Get-NetAdapterVmq", getNetAdapterVmq),
		powershell.Reads("Get-NetAdapterBinding", getNetAdapterBinding),
		powershell.Reads("Get-NetAdapterPacketDirect", getNetAdapterPacketDirect),
		powershell.Interrupts("Enable-NetAdapterVmq", switchVmq(true)),
		powershell.Interrupts("Disable-NetAdapterVmq", switchVmq(false)),
		powershell.Interrupts("Enable-NetAdapterRdma", switchFeature(virtualization.FeatureRdma, true)),
		powershell.Interrupts("Disable-NetAdapterRdma", switchFeature(virtualization.FeatureRdma, false)),
		powershell.Interrupts("Enable-NetAdapterPacketDirect", switchFeature(virtualization.FeaturePacketDirect, true)),
		powershell.Interrupts("Disable-NetAdapterPacketDirect", switchFeature(virtualization.FeaturePacketDirect, false)),
		powershell.Interrupts("Enable-NetAdapterBinding", switchFeature(virtualization.FeatureNetworkVirtualization, true)),
		powershell.Interrupts("Disable-NetAdapterBinding", switchFeature(virtualization.FeatureNetworkVirtualization, false)),
	}
}

// Lists returns the cmdlets that list adapters, their advanced properties and their slots.
func Lists() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-NetAdapter", getNetAdapter),
		powershell.Reads("Get-NetAdapterAdvancedProperty", getProperties),
		powershell.Reads("Get-NetAdapterHardwareInfo", getHardwareInfo),
	}
}

// Changes returns the cmdlets that restart, set and rename adapters, and change their advanced properties.
func Changes() []exec.Command {
	return []exec.Command{
		powershell.Interrupts("Restart-NetAdapter", adapterCmdlet(exec.RestartAdapter)),
		powershell.Changes("Enable-NetAdapter", adapterCmdlet(exec.EnableAdapter)),
		powershell.Interrupts("Disable-NetAdapter", adapterCmdlet(exec.DisableAdapter)),
		powershell.Interrupts("Set-NetAdapter", powershell.Bound(setNetAdapter)),
		powershell.Interrupts("Set-NetAdapterAdvancedProperty", setProperty),
		powershell.Interrupts("New-NetAdapterAdvancedProperty", setProperty),
		powershell.Interrupts("Remove-NetAdapterAdvancedProperty", removeProperty),
		powershell.Changes("Rename-NetAdapter", powershell.Bound(renameNetAdapter)),
	}
}
