package hyperv

import (
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Support returns the commands of the filter platform at ports of virtual switches, and the properties of the host that say
// whether it supports SR-IOV.
func Support() []exec.Command {
	return []exec.Command{
		{Name: "vfpctrl /list-vmswitch-port", Run: vfpList},
		{Name: "vfpctrl /disable-port", Max: exec.Any, Changes: true, Run: vfpPort("disable-port", false)},
		{Name: "vfpctrl /enable-port", Max: exec.Any, Changes: true, Interrupts: true, Run: vfpPort("enable-port", true)},
		{Name: "(Get-VmHost).IovSupport", Run: iovSupport(false)},
		{Name: "(Get-VmHost).IovSupportReasons", Run: iovSupport(true)},
	}
}

// Switches returns the cmdlets for virtual switches, and Get-VMHost.
func Switches() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-VMSwitch", getVMSwitch),
		powershell.Interrupts("New-VMSwitch", powershell.Bound(newVMSwitch)),
		powershell.Interrupts("Set-VMSwitch", powershell.Bound(setVMSwitch)),
		powershell.Reads("Get-VMSwitchTeam", getVMSwitchTeam),
		powershell.Changes("Set-VMSwitchTeam", powershell.Bound(setVMSwitchTeam)),
		powershell.Interrupts("Remove-VMSwitch", powershell.Bound(removeVMSwitch)),
		powershell.Interrupts("Enable-VMSwitchExtension", switchExtension(true)),
		powershell.Changes("Disable-VMSwitchExtension", switchExtension(false)),
		powershell.Reads("Get-VMHost", getVMHost),
	}
}

// Machines returns the cmdlets for virtual machines and their network adapters.
func Machines() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-VM", getVM),
		powershell.Changes("New-VM", powershell.Bound(newVM)),
		powershell.Interrupts("Remove-VM", powershell.Bound(removeVM)),
		powershell.Changes("Start-VM", setVM(virtualization.VMRunning)),
		powershell.Interrupts("Stop-VM", setVM(virtualization.VMOff)),
		powershell.Interrupts("Suspend-VM", setVM(virtualization.VMPaused)),
		powershell.Interrupts("Save-VM", setVM(virtualization.VMSaved)),
		powershell.Reads("Get-VMNetworkAdapter", getVMNetworkAdapter),
		powershell.Changes("Add-VMNetworkAdapter", addVMNetworkAdapter),
		powershell.Interrupts("Remove-VMNetworkAdapter", onGuests("Remove-VMNetworkAdapter")),
		powershell.Interrupts("Set-VMNetworkAdapter", onGuests("Set-VMNetworkAdapter")),
		powershell.Interrupts("Set-VMNetworkAdapterVlan", onGuests("Set-VMNetworkAdapterVlan")),
		powershell.Reads("Get-VMNetworkAdapterTeamMapping", getTeamMapping),
		powershell.Changes("Set-VMNetworkAdapterTeamMapping", onGuests("Set-VMNetworkAdapterTeamMapping")),
		powershell.Changes("Remove-VMNetworkAdapterTeamMapping", onGuests("Remove-VMNetworkAdapterTeamMapping")),
		powershell.Changes("Set-VMNetworkAdapterRdma", onGuests("Set-VMNetworkAdapterRdma")),
		powershell.Reads("Get-VMNetworkAdapterRdma", getVMNetworkAdapterRdma),
		powershell.Changes("Connect-VMNetworkAdapter", onGuests("Connect-VMNetworkAdapter")),
		powershell.Interrupts("Disconnect-VMNetworkAdapter", onGuests("Disconnect-VMNetworkAdapter")),
	}
}

// NetworkVirtualization returns the cmdlets for NVGRE records: New, Remove and Get for each kind.
func NetworkVirtualization() (list []exec.Command) {
	for _, kind := range recordKinds() {
		noun := "NetVirtualization" + kind
		list = append(list, powershell.Changes("New-"+noun, newRecord(kind)), powershell.Changes("Remove-"+noun, removeRecords(kind)),
			powershell.Reads("Get-"+noun, getRecords(kind)))
	}
	return list
}
