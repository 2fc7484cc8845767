package powershell

import (
	_ "embed"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var powershellTexts string

// Family returns the commands of Windows; see the package comment.
func Family() *exec.Family {
	return &exec.Family{
		Texts:      powershellTexts,
		Tools:      true,
		Parameters: cmdlet.Parameters,
		Check:      checkCall,
		Bind:       bindPiped,
		Phrases:    map[string]func() string{"execution-policies": func() string { return strings.Join(stack.ExecutionPolicies(), ", ") }, "value-cmdlets": valueCmdlets},
		Commands: slices.Concat([]exec.Command{
			interrupts("New-NetLbfoTeam", bound(newLbfoTeam)),
			reads("Get-NetLbfoTeam", bound(getLbfoTeam)),
			reads("Get-NetLbfoTeamMember", getLbfoTeamMember),
			reads("Get-NetLbfoTeamNic", getLbfoTeamNic),
			interrupts("Set-NetLbfoTeam", bound(setLbfoTeam)),
			interrupts("Rename-NetLbfoTeam", bound(renameLbfoTeam)),
			interrupts("Remove-NetLbfoTeam", bound(removeLbfoTeam)),
			interrupts("Add-NetLbfoTeamMember", bound(addLbfoTeamMember)),
			interrupts("Set-NetLbfoTeamMember", bound(setLbfoTeamMember)),
			interrupts("Remove-NetLbfoTeamMember", bound(removeLbfoTeamMember)),
			changes("Add-NetLbfoTeamNic", bound(addLbfoTeamNic)),
			interrupts("Set-NetLbfoTeamNic", bound(setLbfoTeamNic)),
			interrupts("Remove-NetLbfoTeamNic", bound(removeLbfoTeamNic)),
			{Name: "vfpctrl /list-vmswitch-port", Run: vfpList},
			{Name: "vfpctrl /disable-port", Max: exec.Any, Changes: true, Run: vfpPort("disable-port", false)},
			{Name: "vfpctrl /enable-port", Max: exec.Any, Changes: true, Interrupts: true, Run: vfpPort("enable-port", true)},
			{Name: "(Get-VmHost).IovSupport", Run: iovSupport(false)},
			{Name: "(Get-VmHost).IovSupportReasons", Run: iovSupport(true)},
			reads("Get-NetAdapterSriov", getNetAdapterSriov),
			interrupts("Set-NetAdapterSriov", bound(setNetAdapterSriov)),
			asksFirst(changes("Set-ExecutionPolicy", setExecutionPolicy)),
			reads("Get-ExecutionPolicy", getExecutionPolicy),
			changes("Start-Sleep", startSleep),
			reads("Get-MlnxPCIDeviceSriovSetting", getPCIDeviceSriov),
			asksFirst(changes("Set-MlnxPCIDeviceSriovSetting", setPCIDeviceSriov)),
			reads("Get-MlnxFirmwareIdentity", getFirmwareIdentity),
			reads("Get-MlnxDriverCoreSetting", getDriverCore),
			changes("Set-MlnxDriverCoreSetting", setDriverCore),
			reads("Get-NetAdapterVPort", getNetAdapterVPort),
			reads("Get-NetAdapterRdma", getNetAdapterRdma),
			reads("Get-NetAdapterVmq", getNetAdapterVmq),
			reads("Get-NetAdapterBinding", getNetAdapterBinding),
			reads("Get-NetAdapterPacketDirect", getNetAdapterPacketDirect),
			interrupts("Enable-NetAdapterVmq", switchVmq(true)),
			interrupts("Disable-NetAdapterVmq", switchVmq(false)),
			interrupts("Enable-NetAdapterRdma", switchFeature(virtualization.FeatureRdma, true)),
			interrupts("Disable-NetAdapterRdma", switchFeature(virtualization.FeatureRdma, false)),
			interrupts("Enable-NetAdapterPacketDirect", switchFeature(virtualization.FeaturePacketDirect, true)),
			interrupts("Disable-NetAdapterPacketDirect", switchFeature(virtualization.FeaturePacketDirect, false)),
			interrupts("Enable-NetAdapterBinding", switchFeature(virtualization.FeatureNetworkVirtualization, true)),
			interrupts("Disable-NetAdapterBinding", switchFeature(virtualization.FeatureNetworkVirtualization, false)),
			reads("Get-VMSwitch", getVMSwitch),
			interrupts("New-VMSwitch", bound(newVMSwitch)),
			interrupts("Set-VMSwitch", bound(setVMSwitch)),
			reads("Get-VMSwitchTeam", getVMSwitchTeam),
			changes("Set-VMSwitchTeam", bound(setVMSwitchTeam)),
			interrupts("Remove-VMSwitch", bound(removeVMSwitch)),
			interrupts("Enable-VMSwitchExtension", switchExtension(true)),
			changes("Disable-VMSwitchExtension", switchExtension(false)),
			reads("Get-VMHost", getVMHost),
			reads("Get-CimInstance", getCimInstance),
			reads("Get-VM", getVM),
			changes("New-VM", bound(newVM)),
			interrupts("Remove-VM", bound(removeVM)),
			changes("Start-VM", setVM(virtualization.VMRunning)),
			interrupts("Stop-VM", setVM(virtualization.VMOff)),
			interrupts("Suspend-VM", setVM(virtualization.VMPaused)),
			interrupts("Save-VM", setVM(virtualization.VMSaved)),
			reads("Get-VMNetworkAdapter", getVMNetworkAdapter),
			changes("Add-VMNetworkAdapter", addVMNetworkAdapter),
			interrupts("Remove-VMNetworkAdapter", onGuests("Remove-VMNetworkAdapter")),
			interrupts("Set-VMNetworkAdapter", onGuests("Set-VMNetworkAdapter")),
			interrupts("Set-VMNetworkAdapterVlan", onGuests("Set-VMNetworkAdapterVlan")),
			reads("Get-VMNetworkAdapterTeamMapping", getTeamMapping),
			changes("Set-VMNetworkAdapterTeamMapping", onGuests("Set-VMNetworkAdapterTeamMapping")),
			changes("Remove-VMNetworkAdapterTeamMapping", onGuests("Remove-VMNetworkAdapterTeamMapping")),
			changes("Set-VMNetworkAdapterRdma", onGuests("Set-VMNetworkAdapterRdma")),
			reads("Get-VMNetworkAdapterRdma", getVMNetworkAdapterRdma),
			changes("Connect-VMNetworkAdapter", onGuests("Connect-VMNetworkAdapter")),
			interrupts("Disconnect-VMNetworkAdapter", onGuests("Disconnect-VMNetworkAdapter")),
			reads("Get-NetAdapter", getNetAdapter),
			reads("Get-NetAdapterAdvancedProperty", getProperties),
			reads("Get-NetAdapterHardwareInfo", getHardwareInfo),
		}, recordCmdlets(), []exec.Command{
			interrupts("Restart-NetAdapter", adapterCmdlet(exec.RestartAdapter)),
			changes("Enable-NetAdapter", adapterCmdlet(exec.EnableAdapter)),
			interrupts("Disable-NetAdapter", adapterCmdlet(exec.DisableAdapter)),
			interrupts("Set-NetAdapter", bound(setNetAdapter)),
			interrupts("Set-NetAdapterAdvancedProperty", setProperty),
			interrupts("New-NetAdapterAdvancedProperty", setProperty),
			interrupts("Remove-NetAdapterAdvancedProperty", removeProperty),
			changes("Rename-NetAdapter", bound(renameNetAdapter)),
			changes("New-ItemProperty", newItemProperty),
			changes("Remove-ItemProperty", removeItemProperty),
			interrupts("Restart-Computer", restartComputer),
			interrupts("Install-WindowsFeature", switchWindowsFeature(true)),
			interrupts("Uninstall-WindowsFeature", switchWindowsFeature(false)),
			reads("Get-WindowsFeature", getWindowsFeature),
			{Name: "Get-WinEvent", Max: exec.Any, Run: readHashTable(cmdletHandler("Get-WinEvent", getWinEvent))},
			reads("Get-Service", getService),
			changes("New-Service", bound(newService)),
			changes("Set-Service", bound(setService)),
			changes("Start-Service", serviceCmdlet(func(name string) driver.Operation { return services.Start{Name: name} })),
			changes("Stop-Service", serviceCmdlet(func(name string) driver.Operation { return services.Stop{Name: name} })),
			changes("Restart-Service", restartService),
			reads("Import-Module", importModule),
			reads("Get-NetQosPolicy", getNetQosPolicy),
			changes("New-NetQosPolicy", bound(newNetQosPolicy)),
			changes("Set-NetQosPolicy", bound(setNetQosPolicy)),
			changes("Remove-NetQosPolicy", removeNetQosPolicy),
			reads("Get-NetQosTrafficClass", getNetQosTrafficClass),
			changes("New-NetQosTrafficClass", bound(newNetQosTrafficClass)),
			changes("Set-NetQosTrafficClass", bound(setNetQosTrafficClass)),
			changes("Remove-NetQosTrafficClass", removeNetQosTrafficClass),
			reads("Get-NetQosFlowControl", getNetQosFlowControl),
			changes("Enable-NetQosFlowControl", switchFlowControl(true)),
			changes("Disable-NetQosFlowControl", switchFlowControl(false)),
			reads("Get-NetQosDcbxSetting", getNetQosDcbxSetting),
			changes("Set-NetQosDcbxSetting", bound(setNetQosDcbxSetting)),
			reads("Get-SmbClientConfiguration", getSmb(stack.ClientSide)),
			changes("Set-SmbClientConfiguration", bound(setSmb(stack.ClientSide))),
			reads("Get-SmbClientNetworkInterface", getSmbInterfaces(stack.ClientSide)),
			reads("Get-SmbServerConfiguration", getSmb(stack.ServerSide)),
			changes("Set-SmbServerConfiguration", bound(setSmb(stack.ServerSide))),
			reads("Get-SmbServerNetworkInterface", getSmbInterfaces(stack.ServerSide)),
			reads("Get-SmbConnection", getSmbConnection),
			reads("Get-SmbMultichannelConnection", getSmbMultichannelConnection),
			reads("Get-NetOffloadGlobalSetting", getNetOffloadGlobalSetting),
			changes("Set-NetOffloadGlobalSetting", setNetOffloadGlobalSetting),
			reads("Get-NetIPAddress", getNetIPAddress),
			changes("New-NetIPAddress", bound(newNetIPAddress)),
			changes("Remove-NetIPAddress", bound(removeNetIPAddress)),
			changes("Set-NetIPInterface", bound(setNetIPInterface)),
			changes("Set-DnsClientServerAddress", bound(setDNSClientServerAddress)),
			reads("Get-NetAdapterQos", getNetAdapterQos),
			changes("Set-NetAdapterQos", bound(setNetAdapterQos)),
			changes("Enable-NetAdapterQos", switchAdapterQos(true)),
			changes("Disable-NetAdapterQos", switchAdapterQos(false)),
			{Name: "Get-PnpDevice", Max: exec.Any, Pipes: true, Changes: true, Interrupts: true, Run: reloadByDevices},
			{Name: exec.PowerShell, Min: 1, Max: exec.Any, NoHost: true, Run: powerShell},
			{Name: "netsh int tcp show global", Run: netshShowGlobal},
			{Name: "netsh int tcp set global", Max: exec.Any, Changes: true, Run: netshRSS},
		}),
	}
}

// recordCmdlets returns the cmdlets for NVGRE records: New, Remove and Get for each kind.
func recordCmdlets() (list []exec.Command) {
	for _, kind := range recordKinds() {
		noun := "NetVirtualization" + kind
		list = append(list, changes("New-"+noun, newRecord(kind)), changes("Remove-"+noun, removeRecords(kind)),
			reads("Get-"+noun, getRecords(kind)))
	}
	return list
}

// reads, changes and interrupts return the row of a cmdlet: one that only reads, one that changes the host, and one that also
// stops traffic.
func reads(name string, run func(*invocation) (exec.Answer, error)) exec.Command {
	return exec.Command{Name: name, Max: exec.Any, Run: cmdletHandler(name, run)}
}

func changes(name string, run func(*invocation) (exec.Answer, error)) exec.Command {
	c := reads(name, run)
	c.Changes = true
	return c
}

func interrupts(name string, run func(*invocation) (exec.Answer, error)) exec.Command {
	c := changes(name, run)
	c.Interrupts = true
	return c
}

// asksFirst returns the row of a command that asks before it changes the host.
func asksFirst(c exec.Command) exec.Command {
	c.Asks = true
	return c
}
