package cmdlet

import (
	"slices"
	"strings"
	"sync"
)

// Cmdlet is a command of PowerShell.
type Cmdlet struct {
	Name       string
	Parameters []Parameter
}

// Parameter is a parameter of a command.
type Parameter struct {
	// Name has no dash; Alias is a second name, or empty.
	Name, Alias string
	Kind        Kind
	// List reports that it takes several values, separated by commas; Named that its value must follow its name.
	List, Named bool
}

// Kind is the kind of values that a parameter takes, and their quoting.
type Kind int

// Kinds of parameters: a text, a pattern in which * and ? represent other characters, a word that needs no quotes, or a
// switch without a value.
const (
	TextKind Kind = iota
	PatternKind
	WordKind
	SwitchKind
)

// Common parameters, which all commands take; commands that only read have no WhatIf.
const (
	Confirm = "Confirm"
	WhatIf  = "WhatIf"
)

// Parameters that several commands take.
const (
	names      = "Name:pattern...|InterfaceAlias"
	adapter    = "VMName... -Name|VMNetworkAdapterName -ManagementOS?"
	balance    = "TeamingMode:word|tm LoadBalancingAlgorithm:word|lba LacpTimer:word"
	property   = names + " -RegistryKeyword -RegistryValue -RegistryDataType:word -NoRestart?"
	item       = "Path -LiteralPath Name -Value -PropertyType:word|Type -Force?"
	machines   = "Name...|VMName"
	extension  = "VMSwitchName Name"
	lookup     = "-CustomerAddress -ProviderAddress -VirtualSubnetID -MACAddress -Rule"
	route      = "-RoutingDomainID -VirtualSubnetID -DestinationPrefix -NextHop -Metric"
	address    = "-InterfaceIndex -InterfaceAlias -ProviderAddress -PrefixLength"
	outerRoute = "-InterfaceIndex -InterfaceAlias -DestinationPrefix -NextHop"
	qosPolicy  = "Name -PolicyStore:word|store -Default? -SMB? -Cluster? -iSCSI? -LiveMigration? -NFS?" +
		" -IPProtocolMatchCondition:word|IPProtocol -IPPortMatchCondition|IPPort" +
		" -IPSrcPortMatchCondition|IPSrcPort -IPSrcPortStartMatchCondition|IPSrcPortStart -IPSrcPortEndMatchCondition|IPSrcPortEnd" +
		" -IPDstPortMatchCondition|IPDstPort -IPDstPortStartMatchCondition|IPDstPortStart -IPDstPortEndMatchCondition|IPDstPortEnd" +
		" -NetDirectPortMatchCondition|NetDirectPort -AppPathNameMatchCondition|AppPathName" +
		" -PriorityValue8021Action|PriorityValue -DSCPAction|DSCPValue"
	qosPolicies = "Name... -PolicyStore:word|store"
	qosClass    = "Name -Priority... -BandwidthPercentage|Bandwidth -Algorithm:word"
	qosPriority = "Priority... -InterfaceAlias..."
)

// rows returns the parameters of each command, with spaces between them: "Name" takes a value with or without its name,
// "-Name" only with it, "-Name?" is a switch; "Name:pattern" and "Name:word" are of these kinds, "Name..." takes a list;
// "|Alias" at the end is a second name.
func rows() [][2]string {
	return [][2]string{
		{"New-NetLbfoTeam", "Name TeamMembers:pattern... TeamNicName " + balance},
		{"Get-NetLbfoTeam", "Name"},
		{"Get-NetLbfoTeamMember", names + " Team..."},
		{"Get-NetLbfoTeamNic", names + " Team..."},
		{"Set-NetLbfoTeam", "Name:pattern " + balance},
		{"Rename-NetLbfoTeam", "Name:pattern NewName"},
		{"Remove-NetLbfoTeam", "Name:pattern"},
		{"Add-NetLbfoTeamMember", "Name:pattern... Team:pattern AdministrativeMode:word"},
		{"Set-NetLbfoTeamMember", "Name:pattern AdministrativeMode:word"},
		{"Remove-NetLbfoTeamMember", "Name:pattern... Team:pattern"},
		{"Add-NetLbfoTeamNic", "Team:pattern VlanID Name"},
		{"Set-NetLbfoTeamNic", "Team:pattern Name:pattern VlanID"},
		{"Remove-NetLbfoTeamNic", "Team:pattern VlanID Name:pattern"},
		{"Get-NetAdapterSriov", names},
		{"Set-NetAdapterSriov", names + " -NumVFs"},
		{"Set-ExecutionPolicy", "ExecutionPolicy Scope -Force?"},
		{"Get-ExecutionPolicy", "Scope -List?"},
		{"Start-Sleep", "Seconds|s:word -Milliseconds|m:word"},
		{"Get-MlnxPCIDeviceSriovSetting", "Name"},
		{"Set-MlnxPCIDeviceSriovSetting", "Name -SriovPortMode -SriovPort1NumVFs -SriovPort2NumVFs"},
		{"Get-MlnxFirmwareIdentity", "Name"},
		{"Get-MlnxDriverCoreSetting", ""},
		{"Set-MlnxDriverCoreSetting", "-RoceMode"},
		{"Get-NetAdapterVPort", names + " -VPortID... -SwitchID... -FunctionID... -PhysicalFunction? -IncludeHidden?"},
		{"Get-NetAdapterRdma", names},
		{"Get-NetAdapterVmq", names},
		{"Get-NetAdapterBinding", names + " -ComponentID..."},
		{"Get-NetAdapterPacketDirect", names},
		{"Enable-NetAdapterVmq", names + " -NoRestart?"},
		{"Disable-NetAdapterVmq", names + " -NoRestart?"},
		{"Enable-NetAdapterRdma", names},
		{"Disable-NetAdapterRdma", names},
		{"Enable-NetAdapterPacketDirect", names},
		{"Disable-NetAdapterPacketDirect", names},
		{"Enable-NetAdapterBinding", names + " -ComponentID:word"},
		{"Disable-NetAdapterBinding", names + " -ComponentID:word"},
		{"Get-VMSwitch", "Name"},
		{"New-VMSwitch", "Name -NetAdapterName... -EnableEmbeddedTeaming -EnableIov -EnablePacketDirect -AllowManagementOS"},
		{"Set-VMSwitch", "Name -AllowManagementOS"},
		{"Remove-VMSwitch", "Name -Force?"},
		{"Get-VMSwitchTeam", "Name"},
		{"Set-VMSwitchTeam", "Name -LoadBalancingAlgorithm:word"},
		{"Enable-VMSwitchExtension", extension},
		{"Disable-VMSwitchExtension", extension},
		{"Get-VMHost", ""},
		{"Get-CimInstance", "ClassName"},
		{"Get-VM", "Name...|VMName"},
		{"New-VM", "Name|VMName -SwitchName -Generation -MemoryStartupBytes:word -NoVHD? -VHDPath"},
		{"Remove-VM", "Name|VMName -Force?"},
		{"Start-VM", machines},
		{"Stop-VM", machines + " -Force?"},
		{"Suspend-VM", machines},
		{"Save-VM", machines},
		{"Get-VMNetworkAdapter", adapter + " -All?"},
		{"Add-VMNetworkAdapter", adapter + " -SwitchName -StaticMacAddress:word"},
		{"Remove-VMNetworkAdapter", adapter},
		{"Set-VMNetworkAdapter", adapter + " -IovWeight -IovQueuePairsRequested -VmqWeight -VmmqEnabled -VmmqQueuePairs" +
			" -StaticMacAddress:word -DynamicMacAddress? -VirtualSubnetId -IeeePriorityTag:word"},
		{"Get-VMNetworkAdapterTeamMapping", adapter},
		{"Set-VMNetworkAdapterTeamMapping", adapter + " -PhysicalNetAdapterName"},
		{"Remove-VMNetworkAdapterTeamMapping", adapter},
		{"Set-VMNetworkAdapterVlan", adapter + " -Access? -Untagged? -VlanId"},
		{"Set-VMNetworkAdapterRdma", adapter + " -RdmaWeight"},
		{"Get-VMNetworkAdapterRdma", adapter},
		{"Connect-VMNetworkAdapter", adapter + " -SwitchName"},
		{"Disconnect-VMNetworkAdapter", adapter},
		{"Get-NetAdapter", "Name:pattern..."},
		{"Get-NetAdapterAdvancedProperty", names + " -RegistryKeyword... -AllProperties?"},
		{"Get-NetAdapterHardwareInfo", names},
		{"Set-NetAdapter", "Name:pattern -MacAddress"},
		{"New-NetVirtualizationLookupRecord", lookup},
		{"Remove-NetVirtualizationLookupRecord", lookup},
		{"Get-NetVirtualizationLookupRecord", lookup},
		{"New-NetVirtualizationCustomerRoute", route},
		{"Remove-NetVirtualizationCustomerRoute", route},
		{"Get-NetVirtualizationCustomerRoute", route},
		{"New-NetVirtualizationProviderAddress", address},
		{"Remove-NetVirtualizationProviderAddress", address},
		{"Get-NetVirtualizationProviderAddress", address},
		{"New-NetVirtualizationProviderRoute", outerRoute},
		{"Remove-NetVirtualizationProviderRoute", outerRoute},
		{"Get-NetVirtualizationProviderRoute", outerRoute},
		{"Restart-NetAdapter", names},
		{"Enable-NetAdapter", names},
		{"Disable-NetAdapter", names},
		{"Set-NetAdapterAdvancedProperty", property},
		{"New-NetAdapterAdvancedProperty", property},
		{"Remove-NetAdapterAdvancedProperty", property},
		{"Rename-NetAdapter", "Name:pattern|InterfaceAlias NewName"},
		{"New-ItemProperty", item},
		{"Remove-ItemProperty", item},
		{"Restart-Computer", "ComputerName -Force?"},
		{"Install-WindowsFeature", "Name... -IncludeManagementTools? -Restart?"},
		{"Uninstall-WindowsFeature", "Name... -Restart?"},
		{"Get-WindowsFeature", "Name..."},
		{"Get-WinEvent", "LogName -MaxEvents -FilterHashtable -FilterXPath -Oldest?"},
		{"Get-Service", "Name...|ServiceName -DisplayName..."},
		{"New-Service", "Name|ServiceName BinaryPathName|Path -DisplayName -Description -StartupType:word"},
		{"Set-Service", "Name|ServiceName -DisplayName -Description -StartupType:word -Status:word"},
		{"Start-Service", "Name...|ServiceName -DisplayName..."},
		{"Stop-Service", "Name...|ServiceName -DisplayName... -Force?"},
		{"Restart-Service", "Name...|ServiceName -DisplayName... -Force?"},
		{"Import-Module", "Name... -Force?"},
		{"Get-NetQosPolicy", qosPolicies},
		{"New-NetQosPolicy", qosPolicy},
		{"Set-NetQosPolicy", qosPolicy},
		{"Remove-NetQosPolicy", qosPolicies},
		{"Get-NetQosTrafficClass", "Name..."},
		{"New-NetQosTrafficClass", qosClass},
		{"Set-NetQosTrafficClass", qosClass},
		{"Remove-NetQosTrafficClass", "Name..."},
		{"Get-NetQosFlowControl", qosPriority},
		{"Enable-NetQosFlowControl", qosPriority},
		{"Disable-NetQosFlowControl", qosPriority},
		{"Get-NetQosDcbxSetting", ""},
		{"Set-NetQosDcbxSetting", "Willing"},
		{"Get-SmbClientConfiguration", ""},
		{"Set-SmbClientConfiguration", "-EnableMultiChannel -RequireSecuritySignature -Force?"},
		{"Get-SmbClientNetworkInterface", ""},
		{"Get-SmbServerConfiguration", ""},
		{"Set-SmbServerConfiguration", "-EnableMultiChannel -RequireSecuritySignature -EncryptData -Force?"},
		{"Get-SmbServerNetworkInterface", ""},
		{"Get-SmbConnection", ""},
		{"Get-SmbMultichannelConnection", ""},
		{"Get-NetOffloadGlobalSetting", ""},
		{"Set-NetOffloadGlobalSetting", "-NetworkDirect:word"},
		{"Get-NetIPAddress", "-InterfaceAlias..."},
		{"New-NetIPAddress", "IPAddress -InterfaceAlias -PrefixLength -Type:word -AddressFamily:word"},
		{"Remove-NetIPAddress", "IPAddress -InterfaceAlias -AddressFamily:word"},
		{"Set-NetIPInterface", "InterfaceAlias -Dhcp:word"},
		{"Set-DnsClientServerAddress", "InterfaceAlias -ServerAddresses... -ResetServerAddresses?"},
		{"Get-NetAdapterQos", names},
		{"Set-NetAdapterQos", names + " -Enabled"},
		{"Enable-NetAdapterQos", names},
		{"Disable-NetAdapterQos", names},
	}
}

// All returns the commands of the table, in its order.
var All = sync.OnceValue(func() []Cmdlet {
	rows := rows()
	all := make([]Cmdlet, len(rows))
	for i, row := range rows {
		all[i] = Cmdlet{row[0], parseParameters(row[1])}
		all[i].Parameters = append(all[i].Parameters, Parameter{Name: Confirm, Kind: SwitchKind, Named: true})
		if !strings.HasPrefix(row[0], "Get-") && row[0] != "Start-Sleep" {
			all[i].Parameters = append(all[i].Parameters, Parameter{Name: WhatIf, Kind: SwitchKind, Named: true})
		}
	}
	return all
})

func parseParameters(text string) (list []Parameter) {
	for _, word := range strings.Fields(text) {
		var p Parameter
		word, p.Alias, _ = strings.Cut(word, "|")
		word, p.Named = strings.CutPrefix(word, "-")
		word, p.List = strings.CutSuffix(word, "...")
		name, kind, _ := strings.Cut(word, ":")
		p.Name, p.Kind = name, map[string]Kind{"pattern": PatternKind, "word": WordKind}[kind]
		if plain, toggles := strings.CutSuffix(name, "?"); toggles {
			p.Name, p.Kind = plain, SwitchKind
		}
		list = append(list, p)
	}
	return list
}

// Find returns the command with a name; nil when the table has none.
func Find(name string) *Cmdlet {
	all := All()
	if i := slices.IndexFunc(all, func(c Cmdlet) bool { return c.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// parameter returns the parameter with a name or an alias; nil without one.
func (c *Cmdlet) parameter(name string) *Parameter {
	i := slices.IndexFunc(c.Parameters, func(p Parameter) bool { return p.Name == name || name != "" && p.Alias == name })
	if i < 0 {
		return nil
	}
	return &c.Parameters[i]
}

// Parameters returns the parameters of a command as they are typed: "-Name", "-Name or -Alias"; nil for an unknown command.
func Parameters(command string) []string {
	c := Find(command)
	if c == nil {
		return nil
	}
	list := make([]string, len(c.Parameters))
	for i, p := range c.Parameters {
		if list[i] = "-" + p.Name; p.Alias != "" {
			list[i] += " or -" + p.Alias
		}
	}
	return list
}
