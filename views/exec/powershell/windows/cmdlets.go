package windows

import (
	"cxdeck/driver"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Scripting returns the cmdlets for the execution policy and for pauses of scripts.
func Scripting() []exec.Command {
	return []exec.Command{
		powershell.AsksFirst(powershell.Changes("Set-ExecutionPolicy", setExecutionPolicy)),
		powershell.Reads("Get-ExecutionPolicy", getExecutionPolicy),
		powershell.Changes("Start-Sleep", startSleep),
	}
}

// Classes returns the cmdlet for the classes of the host in CIM.
func Classes() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-CimInstance", getCimInstance),
	}
}

// System returns the cmdlets for registry values, the computer, features, the event log and services.
func System() []exec.Command {
	return []exec.Command{
		powershell.Changes("New-ItemProperty", newItemProperty),
		powershell.Changes("Remove-ItemProperty", removeItemProperty),
		powershell.Interrupts("Restart-Computer", restartComputer),
		powershell.Interrupts("Install-WindowsFeature", switchWindowsFeature(true)),
		powershell.Interrupts("Uninstall-WindowsFeature", switchWindowsFeature(false)),
		powershell.Reads("Get-WindowsFeature", getWindowsFeature),
		{Name: "Get-WinEvent", Max: exec.Any, Run: readHashTable(powershell.Handler("Get-WinEvent", getWinEvent))},
		powershell.Reads("Get-Service", getService),
		powershell.Changes("New-Service", powershell.Bound(newService)),
		powershell.Changes("Set-Service", powershell.Bound(setService)),
		powershell.Changes("Start-Service", serviceCmdlet(func(name string) driver.Operation { return services.Start{Name: name} })),
		powershell.Changes("Stop-Service", serviceCmdlet(func(name string) driver.Operation { return services.Stop{Name: name} })),
		powershell.Changes("Restart-Service", restartService),
	}
}

// Network returns the cmdlets for SMB, offloads of the network stack, and IP addresses.
func Network() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-SmbClientConfiguration", getSmb(stack.ClientSide)),
		powershell.Changes("Set-SmbClientConfiguration", powershell.Bound(setSmb(stack.ClientSide))),
		powershell.Reads("Get-SmbClientNetworkInterface", getSmbInterfaces(stack.ClientSide)),
		powershell.Reads("Get-SmbServerConfiguration", getSmb(stack.ServerSide)),
		powershell.Changes("Set-SmbServerConfiguration", powershell.Bound(setSmb(stack.ServerSide))),
		powershell.Reads("Get-SmbServerNetworkInterface", getSmbInterfaces(stack.ServerSide)),
		powershell.Reads("Get-SmbConnection", getSmbConnection),
		powershell.Reads("Get-SmbMultichannelConnection", getSmbMultichannelConnection),
		powershell.Reads("Get-NetOffloadGlobalSetting", getNetOffloadGlobalSetting),
		powershell.Changes("Set-NetOffloadGlobalSetting", setNetOffloadGlobalSetting),
		powershell.Reads("Get-NetIPAddress", getNetIPAddress),
		powershell.Changes("New-NetIPAddress", powershell.Bound(newNetIPAddress)),
		powershell.Changes("Remove-NetIPAddress", powershell.Bound(removeNetIPAddress)),
		powershell.Changes("Set-NetIPInterface", powershell.Bound(setNetIPInterface)),
		powershell.Changes("Set-DnsClientServerAddress", powershell.Bound(setDNSClientServerAddress)),
	}
}

// Reload returns the line with Get-PnpDevice that reloads a driver.
func Reload() exec.Command {
	return exec.Command{Name: "Get-PnpDevice", Max: exec.Any, Pipes: true, Changes: true, Interrupts: true, Run: reloadByDevices}
}

// Netsh returns the commands of netsh for the TCP stack.
func Netsh() []exec.Command {
	return []exec.Command{
		{Name: "netsh int tcp show global", Run: netshShowGlobal},
		{Name: "netsh int tcp set global", Max: exec.Any, Changes: true, Run: netshRSS},
	}
}
