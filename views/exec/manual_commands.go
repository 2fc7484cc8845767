package exec

import (
	"slices"
	"strings"
)

// manualCommand returns the name of a command of the manuals that the lab does not take, if a line begins with one; empty
// otherwise. A line of one that is here is no mistake: it is said that it does not exist.
func manualCommand(words []string) string {
	name := strings.TrimSuffix(strings.ToLower(words[0]), ".exe")
	for _, prefix := range []string{"mlnx_vpi_winof-", "mlnx_winof2-", "mellanox.msi"} {
		if strings.HasPrefix(name, prefix) {
			return "the setup program"
		}
	}
	line := strings.TrimSpace(name + " " + strings.ToLower(strings.Join(words[1:], " ")))
	longest := ""
	switch {
	case line == "mlxtool": // which prints its own help
		longest = line
	case name == "flint" && slices.Contains(words, "b"):
		longest = "flint b"
	}
	for _, command := range ManualCommands() {
		lower := strings.ToLower(command)
		if (line == lower || strings.HasPrefix(line, lower+" ")) && len(command) > len(longest) {
			longest = command
		}
	}
	return longest
}

// ManualCommands returns the commands of the manuals without a row in the table. A row wins over one of these, so that
// a command that comes later needs no change here; a test finds the entries that have a row.
func ManualCommands() []string {
	return []string{
		// Tools of the driver packages.
		"mlxtool help", "mlxtool dbg sw-reset", "mlxtool dbg mstdump", "mlxtool dbg oid-stats", "mlxtool dbg cmd-stats",
		"mlxtool dbg ipoib-ep", "mlxtool dbg get-state", "mlxtool dbg restart", "mlxtool dbg pddrinfo", "mlxtool dbg dump-me-now",
		"mlxtool show packet-filter", "mlxtool show nd", "mlxtool show ports", "mlxtool show devices",
		"mlxtool show vxlan", "mlxtool show selfhealing", "mlxburn", "mlx5cmd -stat", "MlxStat", "vstat", "ibstat", "ndinstall", "MLNX_System_Snapshot", "sdk",
		"rping", "nd_rping", "nd_write_bw", "nd_write_lat", "nd_read_bw", "nd_read_lat", "nd_send_bw", "nd_send_lat", "NTttcp",
		"ndrping", "ndping", "ndrpingpong", "ndpingpong",
		"ibdiagnet", "ibportstate", "ibroute", "ibdump", "smpquery", "perfquery", "ibping", "ibnetdiscover", "ibtracert",
		"sminfo", "ibclearerrors", "osmtest", "ibaddr", "ibcacheedit", "iblinkinfo", "ibqueryerrors", "ibsysstat", "saquery",
		"smpdump", "opensm", "smpd", "mpiexec", "imagex",
		// Windows.
		"sc", "start", "xcopy", "netstat", "netsh", "logman", "ipconfig", "echo", "dism", "RUNDLL32", "netcfg", "devmgmt.msc",
		"eventvwr", "gpedit.msc",
		"Get-MlnxFirmwareIdentity",
		"Get-NetAdapterHardwareInfo",

		"Get-NetOffloadGlobalSetting",
		"Get-SmbClientConfiguration", "Get-SmbClientNetworkInterface", "Get-SmbServerConfiguration",
		"Get-SmbServerNetworkInterface", "Get-SmbConnection", "Get-SmbMultichannelConnection", "Get-WinEvent",
		"Set-NetIPInterface", "Remove-NetIPAddress", "New-NetIPAddress", "Set-DnsClientServerAddress", "New-Service",
		"Start-Service",
		// Switches.
		"show interface", "show ib", "system profile", "interface", "speed", "enable", "config terminal", "ib sm", "no ib",
		"configuration write", "switchport", "dcbx", "channel-group", "load-interval", "priority-flow-control", "flowcontrol",
	}
}

// notHereError says of a command of the manuals that it is not in the lab.
type notHereError struct{ command string }

// Error names it.
func (e *notHereError) Error() string {
	return e.command + " is in the manuals, but cxdeck does not support it; help lists the commands that it supports"
}
