package exec

// lbfoCommands are those of PowerShell for the teams of Windows Server, which adapters of WinOF-2 are in.
func lbfoCommands() []Command {
	const (
		team    = "Names of parameters may be shortened, and left out in the order shown. "
		confirm = "-Confirm:$false is taken, and nobody is asked."
		kinds   = "MODE Static is the type SLA of team list, Lacp 3AD; SwitchIndependent is ALB with Dynamic (which it is " +
			"when left out) or HyperVPort, and SLB with TransportPorts, IPAddresses or MacAddresses. With a member that " +
			"stands by it is AFT. The algorithm is kept as it was typed, whatever the mode. -LacpTimer changes nothing in a lab. "
		modes = "[-TeamingMode MODE] [-LoadBalancingAlgorithm WORD]"
	)
	one := func(name string) psParameter { return psParameter{name: name} }
	many := func(name string) psParameter { return psParameter{name: name, list: true} }
	command := func(name, arguments, help string, about []string, example string, parameters []psParameter,
		do func(*lbfo) (answer, error)) Command {
		return Command{
			Name: name, Arguments: arguments, Help: help, About: about, Examples: []Example{{example, ""}}, most: -1, tool: true,
			Changes: true, Interrupts: true, Result: triedFields(), run: onLbfo(name, parameters, do),
		}
	}
	get := command("Get-NetLbfoTeam", "[[-Name] TEAM]", "list the teams of Windows Server",
		[]string{"Those of the WinOF driver are not among them."},
		"Get-NetLbfoTeam", []psParameter{one("Name")}, getLbfoTeam)
	get.Changes, get.Interrupts = false, false
	get.Result = []Field{
		{"teams", "a list"}, {"teams.name, teams.members, teams.team_nics",
			"its name, its connections, and its adapters: the team's and those of VLANs"},
		{"teams.teaming_mode, teams.load_balancing_algorithm", "as Windows has them"}, {"teams.status",
			"Up, Degraded or Down"},
		{"teams.standby", "a list: the members that wait for another to fail"},
	}
	getMember := Command{
		Name: "Get-NetLbfoTeamMember", Arguments: "[[-Name] NAME,...] [[-Team] TEAM,...]",
		Help: "list the adapters in teams of Windows Server", most: -1, tool: true,
		About: []string{"NAME and TEAM may have * and ? in them. OperationalStatus is Active, Standby or Failed, and " +
			"FailureReason says why a member is not active."},
		Examples: []Example{{"Get-NetLbfoTeamMember -Team Storage", ""}},
		Result: []Field{
			{"members", "a list"}, {"members.name, members.interface_description, members.team",
				"its connection, its adapter and its team"},
			{"members.administrative_mode, members.operational_status", "Active or Standby, and Active, Standby or Failed"},
			{"members.transmit_link_speed_gbps, members.receive_link_speed_gbps", "0 while its link is down"},
			{"members.failure_reason", "NoFailure, AdministrativeDecision, PhysicalMediaDisconnected, " +
				"LacpNegotiationIssue or WaitingForStableConnectivity"},
		},
		run: onCmdlet("Get-NetLbfoTeamMember", []psParameter{psAlso(psNames("Name"), "InterfaceAlias"), psNames("Team")},
			getLbfoTeamMember),
	}
	getNic := Command{
		Name: "Get-NetLbfoTeamNic", Arguments: "[[-Name] NAME,...] [[-Team] TEAM,...]",
		Help: "list the interfaces of teams of Windows Server", most: -1, tool: true,
		About: []string{"NAME and TEAM may have * and ? in them. The interface that came with the team is Primary, and in " +
			"Default mode it has no VlanID; the others are its VLANs."},
		Examples: []Example{{"Get-NetLbfoTeamNic -Name *VLAN* -Team S*", ""}},
		Result: []Field{
			{"team_nics", "a list"}, {"team_nics.name, team_nics.interface_description, team_nics.team",
				"its name, what the device manager calls it, and its team"},
			{"team_nics.vlan_id", "null for the team's own"}, {"team_nics.primary, team_nics.default",
				"whether it came with the team, and takes frames without a VLAN"},
			{"team_nics.transmit_link_speed_gbps, team_nics.receive_link_speed_gbps", "the sum over active members"},
		},
		run: onCmdlet("Get-NetLbfoTeamNic", []psParameter{psAlso(psNames("Name"), "InterfaceAlias"), psNames("Team")},
			getLbfoTeamNic),
	}
	newTeam := command("New-NetLbfoTeam", "[-Name] TEAM [-TeamMembers] NAME,... [PARAMETER...]",
		"create a team of Windows Server",
		[]string{team + confirm + " A NAME is a connection of WinOF-2. Parameters are " + modes +
			" [-TeamNicName NAME], the name of the " +
			"team, and [-LacpTimer WORD].", kinds}, `New-NetLbfoTeam -Name Storage -TeamMembers "Ethernet 7","Ethernet 8"`,
		[]psParameter{one("Name"), many("TeamMembers"), one("TeamNicName"), psAlso(one("TeamingMode"), "tm"),
			psAlso(one("LoadBalancingAlgorithm"), "lba"), one("LacpTimer")}, newLbfoTeam)
	addNic := command("Add-NetLbfoTeamNic", "[-Team] TEAM [-VlanID] ID [[-Name] NAME]",
		"add a VLAN to a team of Windows Server",
		[]string{team + confirm, "Its adapter is called TEAM - VLAN ID without a name."},
		"Add-NetLbfoTeamNic -Team Storage -VlanID 70",
		[]psParameter{one("Team"), one("VlanID"), one("Name")}, addLbfoTeamNic)
	addNic.Interrupts = false
	return []Command{
		newTeam, get, getMember, getNic,
		command("Set-NetLbfoTeam", "[-Name] TEAM "+modes, "change how a team of Windows Server works", []string{team +
			confirm, kinds},
			"Set-NetLbfoTeam -Name Storage -TeamingMode Lacp",
			[]psParameter{one("Name"), psAlso(one("TeamingMode"), "tm"), psAlso(one("LoadBalancingAlgorithm"), "lba"), one("LacpTimer")}, setLbfoTeam),
		command("Rename-NetLbfoTeam", "[-Name] TEAM [-NewName] NAME", "rename a team of Windows Server", []string{team +
			confirm},
			"Rename-NetLbfoTeam Storage Backup", []psParameter{one("Name"), one("NewName")}, renameLbfoTeam),
		command("Remove-NetLbfoTeam", "[-Name] TEAM", "remove a team of Windows Server", []string{team + confirm},
			"Remove-NetLbfoTeam -Name Storage", []psParameter{one("Name")}, removeLbfoTeam),
		command("Add-NetLbfoTeamMember", "[-Name] NAME,NAME... [-Team] TEAM [[-AdministrativeMode] Active|Standby]",
			"add members to a team of Windows Server", []string{team + confirm},
			`Add-NetLbfoTeamMember -Name "Ethernet 9" -Team Storage`,
			[]psParameter{many("Name"), one("Team"), one("AdministrativeMode")}, addLbfoTeamMember),
		command("Set-NetLbfoTeamMember", "[-Name] NAME [-AdministrativeMode] Active|Standby",
			"let a member of a team stand by, or no longer",
			[]string{team + confirm, "A team with a member that stands by has one active member; without one it spreads " +
				"what is sent."},
			`Set-NetLbfoTeamMember -Name "Ethernet 8" -AdministrativeMode Standby`, []psParameter{one("Name"),
				one("AdministrativeMode")}, setLbfoTeamMember),
		command("Remove-NetLbfoTeamMember", "[-Name] NAME,NAME... [-Team] TEAM",
			"take members out of a team of Windows Server", []string{team + confirm},
			`Remove-NetLbfoTeamMember -Name "Ethernet 8" -Team Storage`, []psParameter{many("Name"), one("Team")},
			removeLbfoTeamMember),
		addNic,
		command("Set-NetLbfoTeamNic", "[-Team] TEAM [-Name] NAME [-VlanID] ID",
			"change the id of a VLAN of a team of Windows Server",
			[]string{team + confirm}, `Set-NetLbfoTeamNic -Team Storage -Name "Storage - VLAN 70" -VlanID 71`,
			[]psParameter{one("Team"), one("Name"), one("VlanID")}, setLbfoTeamNic),
		command("Remove-NetLbfoTeamNic", "[-Team] TEAM [-VlanID] ID", "remove a VLAN from a team of Windows Server",
			[]string{team + confirm},
			"Remove-NetLbfoTeamNic -Team Storage -VlanID 70", []psParameter{one("Team"), one("VlanID"), one("Name")},
			removeLbfoTeamNic),
	}
}
