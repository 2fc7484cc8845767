package exec

import "strings"

// examples are lines of the commands for SR-IOV and Hyper-V whose rows have none.
func examples() map[string]string {
	return map[string]string{
		"bios show": "bios show", "firmware show": `firmware show "ConnectX-5 Ex"`, "mst status": "mst status -v",
		"mlxconfig show_confs": "mlxconfig -d mt4121_pciconf0 show_confs", "sriov show": `sriov show "Ethernet 7"`,
		"vf list": `vf list "Ethernet 7"`, "vf detach": "vf detach vm001", "vf reset": `vf reset "Ethernet 7" 0`,
		"vf release": "vf release vm001", "vm list": "vm list", "vm start": "vm start vm001 vm002",
		"vm stop": "vm stop vm001", "vm pause": "vm pause vm001", "vm save": "vm save vm001", "vm remove": "vm remove vm004",
		"vswitch list": "vswitch list", "vswitch remove": "vswitch remove Lab",
		"vfpctrl /list-vmswitch-port":    "vfpctrl /list-vmswitch-port",
		"vfpctrl /disable-port":          "vfpctrl /disable-port /port 5D3970A6-289D-4158-AD61-48250D5D9662",
		"vfpctrl /enable-port":           "vfpctrl /enable-port /port 5D3970A6-289D-4158-AD61-48250D5D9662",
		"(Get-VmHost).IovSupport":        "(Get-VmHost).IovSupport",
		"(Get-VmHost).IovSupportReasons": "(Get-VmHost).IovSupportReasons",
		"Get-NetAdapterSriov":            `Get-NetAdapterSriov "Ethernet 7","Ethernet 8"`,
		"Get-MlnxPCIDeviceSriovSetting":  `Get-MlnxPCIDeviceSriovSetting "HCA 0"`,
		"Get-MlnxDriverCoreSetting":      "Get-MlnxDriverCoreSetting",
		"Get-NetAdapterRdma":             "Get-NetAdapterRdma Ethernet*",
		"Get-NetAdapterVmq":              "Get-NetAdapterVmq Ethernet*",
		"Enable-NetAdapterRdma":          `Enable-NetAdapterRdma "Ethernet 7"`,
		"Disable-NetAdapterRdma":         `Disable-NetAdapterRdma "Ethernet 7" -WhatIf`,
		"Enable-NetAdapterPacketDirect":  `Enable-NetAdapterPacketDirect -Name "Ethernet 9"`,
		"Disable-NetAdapterPacketDirect": `Disable-NetAdapterPacketDirect -Name "Ethernet 9"`,
		"Enable-NetAdapterBinding":       `Enable-NetAdapterBinding "Ethernet 7" -ComponentID ms_netwnv`,
		"Disable-NetAdapterBinding":      `Disable-NetAdapterBinding "Ethernet 7" -ComponentID ms_netwnv`,
		"Get-VMSwitch":                   "Get-VMSwitch Lab",
		"Set-VMSwitch":                   "Set-VMSwitch Lab -AllowManagementOS $false",
		"Remove-VMSwitch":                "Remove-VMSwitch -Name Lab -Force",
		"Enable-VMSwitchExtension":       `Enable-VMSwitchExtension Lab "Windows Azure VFP Switch Extension"`,
		"Disable-VMSwitchExtension":      `Disable-VMSwitchExtension Lab "Windows Azure VFP Switch Extension"`,
		"Get-VM":                         "Get-VM vm*",
		"Remove-VM":                      "Remove-VM -Name vm004 -Force",
		"Start-VM":                       "Start-VM -Name vm001",
		"Stop-VM":                        "Stop-VM -Name vm001,vm002 -Force",
		"Suspend-VM":                     "Suspend-VM -Name vm001",
		"Save-VM":                        "Save-VM -Name vm001",
		"Remove-VMNetworkAdapter":        `Remove-VMNetworkAdapter -VMName vm001 -Name Backup`,
		"Set-VMNetworkAdapterVlan":       "Set-VMNetworkAdapterVlan -VMName vm001 -Access -VlanId 70",
		"Set-VMNetworkAdapterRdma":       "Set-VMNetworkAdapterRdma -VMName vm001 -RdmaWeight 100",
		"Get-VMNetworkAdapterRdma":       "Get-VMNetworkAdapterRdma -VMName vm001",
		"Connect-VMNetworkAdapter":       "Connect-VMNetworkAdapter -VMName vm001 -SwitchName Lab",
		"Disconnect-VMNetworkAdapter":    "Disconnect-VMNetworkAdapter -VMName vm001",
		"Get-NetAdapter":                 `Get-NetAdapter "Ethernet 7"`,
		"mlx5cmd -RegKeys":               "mlx5cmd -RegKeys -DynamicKeys | grep VfCpu",
	}
}

// exemplified are commands with an example for each that examples knows.
func exemplified(list []Command) []Command {
	lines := examples()
	for i := range list {
		if line, ok := lines[list[i].Name]; ok && len(list[i].Examples) == 0 {
			list[i].Examples = []Example{{line, ""}}
		}
	}
	return list
}

// undoable says of commands that change the host that their change can be taken back, unless they say more of it.
func undoable(list []Command) []Command {
	for i := range list {
		c := &list[i]
		if c.Changes && !strings.Contains(strings.Join(c.About, " "), "ndo ") {
			c.About = append(append([]string{}, c.About...), "Undo takes the change back.")
		}
	}
	return list
}
