package exec

import (
	_ "embed"
	"strings"

	"cxdeck/driver/virtualization"
)

//go:embed texts/host.toml
var hostTexts string

// hostFamily are the program's own commands.
func hostFamily() *Family {
	return &Family{
		Texts: hostTexts,
		Phrases: map[string]func() string{
			"switch-settings": settingsHelp, "faults": faultsHelp, "scopes": scopesHelp, "team-types": teamTypesHelp,
			"adapter-settings": guestHelp, "function-faults": functionFaults, "scenarios": scenarioNames,
		},
		Commands: []Command{
			{Name: "adapter list", Run: adapterList},
			{Name: "adapter show", Min: 1, Max: 1, Run: adapterShow},
			{Name: "adapter restart", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: change(restartAdapter)},
			{Name: "adapter enable", Min: 1, Max: Any, Changes: true, Run: change(enableAdapter)},
			{Name: "adapter disable", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: change(disableAdapter)},
			{Name: "adapter reset", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: adapterReset},
			{Name: "statistics reset", Min: 1, Max: 2, Changes: true, Run: statisticsReset},
			{Name: "dropless set", Min: 2, Max: 2, Changes: true, Run: droplessSet},
			{Name: "management set", Min: 1, Max: 1, Changes: true, Run: managementSet},
			{Name: "driver reload", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: driverReload},
			{Name: "host reboot", Changes: true, Interrupts: true, Run: hostReboot},
			{Name: "limits", Max: 1, Flags: flags("all"), Run: limitList},
			{Name: "reg list", Max: 2, Flags: flags("scope SCOPE", "changed"), Run: regList},
			{Name: "reg get", Min: 2, Max: 2, Run: regGet},
			{Name: "reg set", Min: 3, Max: 3, Changes: true, Flags: flags("draft", "force"), Run: regSet},
			{Name: "reg unset", Min: 2, Max: 2, Changes: true, Flags: flags("draft"), Run: regUnset},
			{Name: "reg diff", Min: 1, Max: 2, Flags: flags("profile PROFILE", "before NUMBER"), Run: regDiff},
			{Name: "reg explain", Min: 2, Max: 3, Run: regExplain},
			{Name: "reg search", Min: 1, Max: Any, NoHost: true, Flags: flags("scope SCOPE", "most N"), Run: regSearch},
			{Name: "reg export", Min: 1, Max: Any, Flags: flags("force"), Run: regExport},
			{Name: "reg import", Min: 1, Max: 1, Changes: true, Flags: flags("apply"), Run: regImport},
			{Name: "reg restore", Min: 1, Max: Any, Changes: true, Flags: flags("before NUMBER", "draft"), Run: regRestore},
			{Name: "reg profile list", Run: profileList},
			{Name: "reg profile show", Min: 1, Max: 1, Run: profileShow},
			{Name: "reg profile save", Min: 2, Max: Any, Changes: true, Flags: flags("force"), Run: profileSave},
			{Name: "reg profile apply", Min: 2, Max: Any, Changes: true, Flags: flags("draft"), Run: profileApply},
			{Name: "reg profile delete", Min: 1, Max: 1, Changes: true, Run: profileDelete},
			{Name: "reg profile export", Min: 2, Max: 2, Flags: flags("force"), Run: profileExport},
			{Name: "reg profile import", Min: 1, Max: 1, Changes: true, Flags: flags("force"), Run: profileImport},
			{Name: "plan show", Run: planShow},
			{Name: "plan apply", Changes: true, Interrupts: true, Flags: flags("confirm-within TIME", "no-restart", "force"), Run: planApply},
			{Name: "plan confirm", Changes: true, Run: planConfirm},
			{Name: "plan revert", Changes: true, Interrupts: true, Run: planRevert},
			{Name: "plan discard", Max: 2, Changes: true, Run: planDiscard},
			{Name: "plan forecast", Flags: flags("span TIME", "most N"), Run: planForecast},
			{Name: "plan export", Min: 1, Max: 1, Flags: flags("force"), Run: planExport},
			{Name: "team list", Run: teamList},
			{Name: "team show", Min: 1, Max: 1, Run: teamShow},
			{Name: "team create", Min: 2, Max: Any, Changes: true, Interrupts: true, Flags: flags("primary MEMBER", "mac MEMBER", "no-failback", "guid GUID", "family FAMILY", "ipoib"), Run: teamCreate},
			{Name: "team modify", Min: 1, Max: 1, Changes: true, Interrupts: true, Flags: flags("name NAME", "type TYPE", "failback on|off"), Run: teamModify},
			{Name: "team remove", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: teamRemove},
			{Name: "team attach", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: flags("primary", "mac"), Run: teamAttach},
			{Name: "team detach", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: teamDetach},
			{Name: "team primary", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: teamPrimary},
			{Name: "team drill", Min: 1, Max: 3, Changes: true, Interrupts: true, Run: teamDrill},
			{Name: "vlan list", Max: 1, Run: vlanList},
			{Name: "vlan add", Min: 3, Max: 3, Changes: true, Flags: flags("priority N", "guid GUID"), Run: vlanAdd},
			{Name: "vlan modify", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: flags("name NAME", "id ID", "priority N"), Run: vlanModify},
			{Name: "vlan remove", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: vlanRemove},
			{Name: "bios show", Run: biosShow},
			{Name: "bios set", Min: 1, Max: 3, Changes: true, Run: biosSet},
			{Name: "firmware show", Max: 1, Run: firmwareShow},
			{Name: "firmware set", Min: 2, Max: Any, Changes: true, Run: firmwareSet},
			{Name: "sriov show", Max: 1, Run: sriovShow},
			{Name: "sriov promiscuous", Min: 2, Max: 2, Changes: true, Run: sriovPromiscuous},
			{Name: "vf list", Max: 1, Run: vfList},
			{Name: "vf show", Min: 2, Max: 2, Run: vfShow},
			{Name: "vf attach", Min: 1, Max: 1, Changes: true, Run: attach(100)},
			{Name: "vf detach", Min: 1, Max: 1, Changes: true, Run: attach(0)},
			{Name: "vf set", Min: 2, Max: Any, Changes: true, Interrupts: true, Run: vfSet},
			{Name: "vf reset", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: vfReset},
			{Name: "vf quarantine", Min: 2, Max: Any, Changes: true, Interrupts: true, Run: vfQuarantine},
			{Name: "vf release", Min: 1, Max: 1, Changes: true, Run: vfRelease},
			{Name: "vf fault", Min: 3, Max: 4, Changes: true, Run: vfFault},
			{Name: "vm list", Run: vmList},
			{Name: "vm show", Min: 1, Max: 1, Run: vmShow},
			{Name: "vm start", Min: 1, Max: Any, Changes: true, Run: vmState(virtualization.VMRunning)},
			{Name: "vm stop", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: vmState(virtualization.VMOff)},
			{Name: "vm pause", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: vmState(virtualization.VMPaused)},
			{Name: "vm save", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: vmState(virtualization.VMSaved)},
			{Name: "vm create", Min: 1, Max: 1, Changes: true, Flags: flags("switch SWITCH", "vf", "guest-driver VERSION", "guest-system SYSTEM", "memory SIZE", "start"), Run: vmCreate},
			{Name: "vm remove", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: vmRemove},
			{Name: "vm driver", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: vmDriver},
			{Name: "vswitch list", Run: vswitchList},
			{Name: "vswitch create", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: flags("iov", "packet-direct", "no-host"), Run: vswitchCreate},
			{Name: "vswitch remove", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: vswitchRemove},
			{Name: "cable pull", Min: 1, Max: Any, Changes: true, Interrupts: true, Run: change(pullCable)},
			{Name: "cable plug", Min: 1, Max: Any, Changes: true, Run: change(plugCable)},
			{Name: "workload list", Run: workloadList},
			{Name: "workload scale", Min: 2, Max: 2, Changes: true, Run: workloadScale},
			{Name: "scene list", Run: sceneList},
			{Name: "scene run", Min: 1, Max: 2, Changes: true, Interrupts: true, Run: sceneRun},
			{Name: "switch show", Max: 1, Run: switchShow},
			{Name: "switch counters", Max: 1, Run: switchCounters},
			{Name: "switch set", Min: 2, Max: Any, Changes: true, Interrupts: true, Run: switchSet},
			{Name: "slot set", Min: 3, Max: 3, Changes: true, Interrupts: true, Run: slotSet},
			{Name: "processors set", Min: 2, Max: 2, Changes: true, Run: processorsSet},
			{Name: "fault list", Max: 1, Flags: flags("all"), Run: faultList},
			{Name: "fault set", Min: 2, Max: 3, Changes: true, Interrupts: true, Run: faultSet},
			{Name: "fault clear", Min: 2, Max: 2, Changes: true, Run: faultClear},
			{Name: "advance", Min: 1, Max: 1, Changes: true, Run: advance},
			{Name: "counters", Max: Any, Flags: flags("interval TIME", "count N", "list"), Run: counters},
			{Name: "events", Max: 1, Flags: flags("after N", "last N", "severity WORD"), Run: events},
			{Name: "journal", Flags: flags("last N"), Run: journal},
			{Name: "undo", Max: 1, Changes: true, Flags: flags("yes"), Run: undo},
			{Name: "lab export", NoHost: true, Run: labExport},
			{Name: "lab reset", Changes: true, Flags: flags("yes"), Run: labReset},
			{Name: "help", Max: 4, NoHost: true, Run: help},
		},
	}
}

// flags are flags with their values: "draft", "interval TIME".
func flags(list ...string) []Flag {
	all := make([]Flag, len(list))
	for i, one := range list {
		all[i].Name, all[i].Value, _ = strings.Cut(one, " ")
	}
	return all
}
