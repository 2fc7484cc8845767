package winof

import (
	_ "embed"

	"cxdeck/driver/packages"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var winofTexts string

// Family returns the tools of the WinOF driver: mlxtool, perf_tuning, vlan_config and part_man.
func Family() *exec.Family {
	return &exec.Family{
		Texts: winofTexts,
		Tools: true, Product: packages.WinOF,
		Phrases: map[string]func() string{
			"team-types": exec.TeamTypesHelp, "tuning-flags": tuningHelp, "tuning-synopsis": func() string { return tuningSynopsis },
		},
		Respell: func(words []string) []string { return partManVerbFirst(respellRegkeys(helpFirst(words))) },
		Commands: []exec.Command{
			{Name: "mlxtool help", Max: 3, NoHost: true, Run: mlxtoolHelp},
			{Name: "mlxtool show regkeys config", Max: 1, Run: regkeys("config")},
			{Name: "mlxtool show regkeys diff", Max: 1, Run: regkeys("diff")},
			{Name: "mlxtool show regkeys info", Max: 1, Run: regkeys("info")},
			{Name: "mlxtool show driverparams", Min: 1, Max: 1, Run: driverParameters},
			{Name: "mlxtool dbg nonrss-capture", Min: 2, Max: 4, Run: capturePackets},
			{Name: "perf_tuning", Min: 1, Max: exec.Any, Changes: true, Run: perfTuning},
			{Name: "mlxtool show perfstats", Min: 2, Max: 3, Run: ringStatistics},
			{Name: "vlan_config --help", NoHost: true, Run: vlanConfigHelp},
			{Name: "vlan_config showlist", Max: 1, Run: exec.Bound(vlanConfigShowList)},
			{Name: "vlan_config create team", Min: 2, Max: 4, Changes: true, Run: exec.Bound(vlanConfigCreate)},
			{Name: "vlan_config attach team", Min: 2, Max: 4, Changes: true, Interrupts: true, Run: exec.Bound(vlanConfigAttach)},
			{Name: "vlan_config detach team", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: exec.Bound(vlanConfigDetach)},
			{Name: "vlan_config removeteam", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: exec.Bound(vlanConfigRemoveTeam)},
			{Name: "vlan_config queryteam", Min: 1, Max: 1, Run: exec.Bound(vlanConfigQueryTeam)},
			{Name: "vlan_config modifyteam", Min: 3, Max: 3, Changes: true, Interrupts: true, Run: exec.Bound(vlanConfigModifyTeam)},
			{Name: "vlan_config addvlan", Min: 4, Max: 4, Changes: true, Run: exec.Bound(vlanConfigAddVLAN)},
			{Name: "vlan_config removevlan", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: exec.Bound(vlanConfigRemoveVLAN)},
			{Name: "vlan_config queryvlan", Min: 2, Max: 2, Run: exec.Bound(vlanConfigQueryVLAN)},
			{Name: "vlan_config modifyvlan", Min: 5, Max: 5, Changes: true, Interrupts: true, Run: exec.Bound(vlanConfigModifyVLAN)},
			{Name: "mlxtool dbg pkeys", Max: 1, Run: pkeysOfPorts},
			{Name: "part_man -help", NoHost: true, Run: partManHelp},
			{Name: "part_man add", Min: 1, Max: 4, Changes: true, Run: partManAdd},
			{Name: "part_man rem", Min: 1, Max: 4, Changes: true, Interrupts: true, Run: partManRemove},
			{Name: "part_man remall", Max: 1, Changes: true, Interrupts: true, Run: partManRemoveAll},
			{Name: "part_man show", Max: 1, Run: partManShow},
			{Name: "mlxtool show qos", Max: 3, Run: exec.OnView(showQoS)},
			{Name: "mlxtool show packet-filter", Max: 1, Run: showPacketFilter},
			{Name: "mlxtool show nd connections", Max: exec.Any, Run: showNDConnections},
			{Name: "mlxtool show selfhealing port", Max: 1, Run: showSelfHealing},
			{Name: "mlxtool dbg sw-reset", Min: 3, Max: 3, Changes: true, Interrupts: true, Run: exec.OnView(resetDevice)},
			{Name: "mlxtool dbg restart", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: restartInterface},
			{Name: "mlxtool dbg get-state", Max: 3, Run: exec.OnView(getState)},
			{Name: "mlxtool dbg oid-stats", Run: oidStats},
			{Name: "mlxtool dbg cmd-stats", Max: 3, Run: exec.OnView(cmdStats)},
			{Name: "mlxtool dbg ipoib-ep", Max: 4, Run: ipoibEndPoints},
			{Name: "mlxtool dbg pddrinfo", Max: 4, Run: exec.OnView(pddrInfo)},
			{Name: "mlxtool show ports", Run: exec.OnView(showPorts)},
			{Name: "mlxtool show devices", Run: exec.OnView(showDevices)},
			{Name: "mlxtool show vxlan", Max: 1, Run: showVXLAN},
			{Name: "vstat", Run: exec.OnView(vstat)},
			{Name: "ibstat", Run: exec.OnView(ibstat)},
			{Name: "opensm -h", NoHost: true, Run: openSMHelp},
			{Name: "opensm", Max: exec.Any, Changes: true, Run: openSM},
			{Name: "mlxtool modify tc-bw", Min: 3, Max: exec.Any, Changes: true, Run: limitClasses},
			{Name: "MLNX_System_Snapshot", Max: 1, Run: systemSnapshot},
			{Name: "ibdump", Max: exec.Any, Run: dumpTraffic},
			{Name: "mlxtool dbg dump-me-now", Min: 3, Max: 3, Changes: true, Run: exec.OnView(dumpMeNow)},
			{Name: "mlxtool dbg mstdump", Min: 3, Max: 3, Changes: true, Run: exec.OnView(mstDump)},
			{Name: "mlxtool dbg resources", Max: 3, Run: exec.OnView(dbgResources)},
		},
	}
}
