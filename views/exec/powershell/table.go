package powershell

import (
	_ "embed"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var powershellTexts string

// Parameters that several commands take.
const (
	namesOf  = "Name...|InterfaceAlias"
	whose    = "VMName... -Name|VMNetworkAdapterName -ManagementOS?"
	property = namesOf + " -RegistryKeyword -RegistryValue -RegistryDataType -NoRestart?"
	item     = "Path -LiteralPath Name -Value -PropertyType|Type -Force?"
	// adapterSettings are what Set-VMNetworkAdapter sets.
	adapterSettings = "-IovWeight -IovQueuePairsRequested -VmqWeight -VmmqEnabled -VmmqQueuePairs -StaticMacAddress " +
		"-DynamicMacAddress? -VirtualSubnetId"
)

// Family are the commands of Windows: the cmdlets for teams, SR-IOV, Hyper-V and NVGRE, the lines that the
// program prints for changes of adapters and the registry, and vfpctrl and netsh.
func Family() *exec.Family {
	return &exec.Family{
		Texts:   powershellTexts,
		Tools:   true,
		Phrases: map[string]func() string{"execution-policies": func() string { return strings.Join(executionPolicies(), ", ") }},
		Commands: slices.Concat([]exec.Command{
			interrupts("New-NetLbfoTeam", "Name TeamMembers... TeamNicName TeamingMode|tm LoadBalancingAlgorithm|lba LacpTimer", bound(newLbfoTeam)),
			reads("Get-NetLbfoTeam", "Name", bound(getLbfoTeam)),
			reads("Get-NetLbfoTeamMember", namesOf+" Team...", getLbfoTeamMember),
			reads("Get-NetLbfoTeamNic", namesOf+" Team...", getLbfoTeamNic),
			interrupts("Set-NetLbfoTeam", "Name TeamingMode|tm LoadBalancingAlgorithm|lba LacpTimer", bound(setLbfoTeam)),
			interrupts("Rename-NetLbfoTeam", "Name NewName", bound(renameLbfoTeam)),
			interrupts("Remove-NetLbfoTeam", "Name", bound(removeLbfoTeam)),
			interrupts("Add-NetLbfoTeamMember", "Name... Team AdministrativeMode", bound(addLbfoTeamMember)),
			interrupts("Set-NetLbfoTeamMember", "Name AdministrativeMode", bound(setLbfoTeamMember)),
			interrupts("Remove-NetLbfoTeamMember", "Name... Team", bound(removeLbfoTeamMember)),
			changes("Add-NetLbfoTeamNic", "Team VlanID Name", bound(addLbfoTeamNic)),
			interrupts("Set-NetLbfoTeamNic", "Team Name VlanID", bound(setLbfoTeamNic)),
			interrupts("Remove-NetLbfoTeamNic", "Team VlanID Name", bound(removeLbfoTeamNic)),
			{Name: "vfpctrl /list-vmswitch-port", Run: vfpList},
			{Name: "vfpctrl /disable-port", Max: exec.Any, Changes: true, Run: vfpPort("disable-port", false)},
			{Name: "vfpctrl /enable-port", Max: exec.Any, Changes: true, Interrupts: true, Run: vfpPort("enable-port", true)},
			{Name: "(Get-VmHost).IovSupport", Run: iovSupport(false)},
			{Name: "(Get-VmHost).IovSupportReasons", Run: iovSupport(true)},
			reads("Get-NetAdapterSriov", namesOf, getNetAdapterSriov),
			interrupts("Set-NetAdapterSriov", namesOf+" -NumVFs", bound(setNetAdapterSriov)),
			{Name: "Set-ExecutionPolicy", Max: exec.Any, Asks: true, Run: setExecutionPolicy},
			reads("Get-MlnxPCIDeviceSriovSetting", "Name", getPCIDeviceSriov),
			asks(changes("Set-MlnxPCIDeviceSriovSetting", "Name -SriovPortMode -SriovPort1NumVFs -SriovPort2NumVFs -Confirm?", setPCIDeviceSriov)),
			reads("Get-MlnxDriverCoreSetting", "", getDriverCore),
			changes("Set-MlnxDriverCoreSetting", "-RoceMode", setDriverCore),
			reads("Get-NetAdapterVPort", namesOf+" -VPortID... -SwitchID... -FunctionID... -PhysicalFunction? -IncludeHidden?", getNetAdapterVPort),
			reads("Get-NetAdapterRdma", namesOf, getNetAdapterRdma),
			reads("Get-NetAdapterVmq", namesOf, getNetAdapterVmq),
			interrupts("Enable-NetAdapterVmq", namesOf+" -NoRestart?", switchVmq(true)),
			interrupts("Disable-NetAdapterVmq", namesOf+" -NoRestart?", switchVmq(false)),
			interrupts("Enable-NetAdapterRdma", namesOf, switchFeature(driver.FeatureRdma, true)),
			interrupts("Disable-NetAdapterRdma", namesOf, switchFeature(driver.FeatureRdma, false)),
			interrupts("Enable-NetAdapterPacketDirect", namesOf, switchFeature(driver.FeaturePacketDirect, true)),
			interrupts("Disable-NetAdapterPacketDirect", namesOf, switchFeature(driver.FeaturePacketDirect, false)),
			interrupts("Enable-NetAdapterBinding", namesOf+" -ComponentID", switchFeature(driver.FeatureNetworkVirtualization, true)),
			interrupts("Disable-NetAdapterBinding", namesOf+" -ComponentID", switchFeature(driver.FeatureNetworkVirtualization, false)),
			reads("Get-VMSwitch", "Name", getVMSwitch),
			interrupts("New-VMSwitch", "Name -NetAdapterName -EnableIov -EnablePacketDirect -AllowManagementOS", bound(newVMSwitch)),
			interrupts("Set-VMSwitch", "Name -AllowManagementOS", bound(setVMSwitch)),
			interrupts("Remove-VMSwitch", "Name -Force?", bound(removeVMSwitch)),
			interrupts("Enable-VMSwitchExtension", "VMSwitchName Name", switchExtension(true)),
			changes("Disable-VMSwitchExtension", "VMSwitchName Name", switchExtension(false)),
			reads("Get-VM", "Name...|VMName", getVM),
			changes("New-VM", "Name|VMName -SwitchName -Generation -MemoryStartupBytes -NoVHD?", bound(newVM)),
			interrupts("Remove-VM", "Name|VMName -Force?", bound(removeVM)),
			changes("Start-VM", "Name...|VMName -Force?", setVM(virtualization.VMRunning)),
			interrupts("Stop-VM", "Name...|VMName -Force?", setVM(virtualization.VMOff)),
			interrupts("Suspend-VM", "Name...|VMName -Force?", setVM(virtualization.VMPaused)),
			interrupts("Save-VM", "Name...|VMName -Force?", setVM(virtualization.VMSaved)),
			{Name: "Get-VMNetworkAdapter", Max: exec.Any, Run: getVMNetworkAdapter},
			changes("Add-VMNetworkAdapter", whose+" -SwitchName -StaticMacAddress", addVMNetworkAdapter),
			interrupts("Remove-VMNetworkAdapter", whose, onGuests("Remove-VMNetworkAdapter")),
			interrupts("Set-VMNetworkAdapter", whose+" "+adapterSettings, onGuests("Set-VMNetworkAdapter")),
			interrupts("Set-VMNetworkAdapterVlan", whose+" -Access? -Untagged? -VlanId", onGuests("Set-VMNetworkAdapterVlan")),
			changes("Set-VMNetworkAdapterRdma", whose+" -RdmaWeight", onGuests("Set-VMNetworkAdapterRdma")),
			reads("Get-VMNetworkAdapterRdma", whose, getVMNetworkAdapterRdma),
			changes("Connect-VMNetworkAdapter", whose+" -SwitchName", onGuests("Connect-VMNetworkAdapter")),
			interrupts("Disconnect-VMNetworkAdapter", whose, onGuests("Disconnect-VMNetworkAdapter")),
			reads("Get-NetAdapter", "Name...", getNetAdapter),
			{Name: "$NIC", Max: exec.Any, Run: setNIC},
		}, recordCmdlets(), []exec.Command{
			interrupts("Restart-NetAdapter", namesOf, adapterCmdlet(exec.RestartAdapter)),
			changes("Enable-NetAdapter", namesOf, adapterCmdlet(exec.EnableAdapter)),
			interrupts("Disable-NetAdapter", namesOf, adapterCmdlet(exec.DisableAdapter)),
			interrupts("Set-NetAdapterAdvancedProperty", property, setProperty),
			interrupts("New-NetAdapterAdvancedProperty", property, setProperty),
			interrupts("Remove-NetAdapterAdvancedProperty", property, removeProperty),
			changes("Rename-NetAdapter", "Name|InterfaceAlias NewName", bound(renameNetAdapter)),
			changes("New-ItemProperty", item, newItemProperty),
			changes("Remove-ItemProperty", item, removeItemProperty),
			interrupts("Restart-Computer", "ComputerName -Force?", restartComputer),
			{Name: "Get-PnpDevice", Max: exec.Any, Changes: true, Interrupts: true, Run: reloadByDevices},
			{Name: "netsh int tcp set global", Max: exec.Any, Changes: true, Run: netshRSS},
		}),
	}
}

// recordCmdlets are the commands for the records of NVGRE, by their kinds.
func recordCmdlets() (list []exec.Command) {
	for _, kind := range recordKinds() {
		noun, parameters := "NetVirtualization"+kind, recordParameters(kind)
		list = append(list, changes("New-"+noun, parameters, newRecord(kind)),
			changes("Remove-"+noun, parameters, removeRecords(kind)), reads("Get-"+noun, parameters, getRecords(kind)))
	}
	return list
}

// reads is a command that shows, changes one that changes the host, interrupts one that stops traffic, too. See
// readParameters for the parameters.
func reads(name, parameters string, run func(*cmdlet) (exec.Answer, error)) exec.Command {
	return exec.Command{Name: name, Max: exec.Any, Run: onCmdlet(parameters, run)}
}

func changes(name, parameters string, run func(*cmdlet) (exec.Answer, error)) exec.Command {
	c := reads(name, parameters, run)
	c.Changes = true
	return c
}

func interrupts(name, parameters string, run func(*cmdlet) (exec.Answer, error)) exec.Command {
	c := changes(name, parameters, run)
	c.Interrupts = true
	return c
}

// asks is a command that asks before it changes the host.
func asks(c exec.Command) exec.Command {
	c.Asks = true
	return c
}
