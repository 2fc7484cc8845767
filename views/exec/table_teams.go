package exec

// The names that commands for teams and VLANs take.
const (
	teamHelp = "TEAM is the name of a team, as team list prints it; upper and lower case are alike, and one with " +
		"spaces stands in quotes."
	ownerHelp = "NAME is the name of a team or of a connection. " + afterName
)

// teamCommands are those for teams and VLANs, for both drivers.
func teamCommands() []Command {
	return []Command{
		{
			Name: "team list", Help: "list the teams", run: teamList, Result: teamFields("teams"),
		},
		{
			Name: "team show", Arguments: "TEAM", Help: "show a team with its members and VLANs", least: 1, most: 1,
			run: teamShow, About: []string{teamHelp}, Result: teamFields("team"),
		},
		{
			Name: "team create", Arguments: "TEAM TYPE [MEMBER...]", Help: "create a team with its members", least: 2,
			most: -1, Changes: true, Interrupts: true, run: teamCreate,
			Flags: []Flag{
				{"primary", "MEMBER", "the member that carries traffic first"},
				{"mac", "MEMBER", "the member whose MAC address the team gets"},
				{"no-failback", "", "leave traffic where it is when the primary member comes back"},
				{"guid", "GUID", "that of the team, instead of one from the seed"},
				{"family", "FAMILY", "winof or winof-2, of a team without members"},
				{"ipoib", "", "for ports of IPoIB; those of members say it by themselves"},
			},
			About: []string{teamTypesHelp(), "A MEMBER is a connection; all have one driver and one kind of link. Each is " +
				"stopped and started, which takes two seconds of the host's time. It is done wholly or not at all."},
			Examples: []Example{{`team create Storage SLB "Ethernet 7" "Ethernet 8" --primary "Ethernet 7"`, ""}},
			Result:   changeFields(),
		},
		{
			Name: "team modify", Arguments: "TEAM", Help: "change name, type or failback of a team", least: 1, most: 1,
			Changes: true, Interrupts: true, run: teamModify,
			Flags: []Flag{{"name", "NAME", "the new name"}, {"type", "TYPE", "the new type"}, {"failback", "on|off",
				"whether the primary takes over when it is back"}},
			About: []string{teamHelp, teamTypesHelp()}, Examples: []Example{{"team modify Storage --type 3AD", ""}},
			Result: changeFields(),
		},
		{
			Name: "team remove", Arguments: "TEAM...", Help: "remove teams with their members and VLANs", least: 1, most: -1,
			Changes: true, Interrupts: true, run: teamRemove, About: []string{teamHelp}, Result: changeFields(),
		},
		{
			Name: "team attach", Arguments: "TEAM MEMBER", Help: "make a connection a member of a team", least: 2, most: 2,
			Changes: true, Interrupts: true, run: teamAttach,
			Flags: []Flag{{"primary", "", "make it the primary member"}, {"mac", "", "give its MAC address to the team"}},
			About: []string{teamHelp, nameHelp}, Result: changeFields(),
		},
		{
			Name: "team detach", Arguments: "TEAM MEMBER", Help: "take a connection out of a team", least: 2, most: 2,
			Changes:    true,
			Interrupts: true, run: teamDetach, About: []string{teamHelp, nameHelp}, Result: changeFields(),
		},
		{
			Name: "team primary", Arguments: "TEAM MEMBER|none", Help: "name the primary member of a team", least: 2, most: 2,
			Changes: true, Interrupts: true, run: teamPrimary,
			About: []string{teamHelp + " With none the member that was attached first stands in."}, Result: changeFields(),
		},
		{
			Name: "team drill", Arguments: "TEAM [MEMBER] [SECONDS]", Help: "pull a member's cable and tell what that cost",
			least: 1, most: 3,
			Changes: true, Interrupts: true, run: teamDrill,
			About: []string{teamHelp + " Without MEMBER it is one that carries traffic. The cable is out for so many seconds " +
				"of the host's time (5 when left out); then it is plugged in, and time passes until its link is up. In the " +
				"console, where time passes by itself, the Teams screen has a drill."},
			Examples: []Example{{`team drill Storage "Ethernet 7" 10`, ""}},
			Result: []Field{
				{"drill.team, drill.member", "what was drilled"},
				{"drill.active_before, drill.active_during, drill.active_after", "lists: the members that carried traffic"},
				{"drill.cable_out_seconds, drill.link_back_seconds", "how long the cable was out, and how long the link took " +
					"after it was plugged in"},
				{"drill.outage_seconds", "for how long traffic went into a dead link"},
				{"drill.lost_received_frames, drill.lost_sent_frames", "what of it was lost"},
				{"drill.discarded_received_frames, drill.discarded_sent_frames", "what found nobody in the team meanwhile, such as " +
					"frames of a VLAN that it has no adapter for"},
				{"drill.failovers", "a list, each as for team show"},
			},
		},
		{
			Name: "vlan list", Arguments: "[NAME]", Help: "list the VLANs", most: 1, run: vlanList, About: []string{ownerHelp},
			Result: vlanFields("vlans"),
		},
		{
			Name: "vlan add", Arguments: "NAME VLAN ID", Help: "add a VLAN to a team or a connection", least: 3, most: 3,
			Changes: true, run: vlanAdd,
			Flags: []Flag{{"priority", "N", "of its frames, 0 to 7 (default 0)"}, {"guid", "GUID",
				"that of its adapter, instead of one from the seed"}},
			About: []string{ownerHelp + " VLAN is the name of the new one; ID is 1 to 4094. A member's VLANs stand on " +
				"its team."},
			Examples: []Example{{"vlan add Storage backup 70 --priority 3", ""}}, Result: changeFields(),
		},
		{
			Name: "vlan modify", Arguments: "NAME VLAN", Help: "change name, id or priority of a VLAN", least: 2, most: 2,
			Changes: true, Interrupts: true, run: vlanModify,
			Flags: []Flag{{"name", "NAME", "the new name"}, {"id", "ID", "the new id, 1 to 4094"}, {"priority", "N",
				"the new priority, 0 to 7"}},
			About: []string{ownerHelp}, Examples: []Example{{"vlan modify Storage backup --id 71", ""}}, Result: changeFields(),
		},
		{
			Name: "vlan remove", Arguments: "NAME VLAN", Help: "remove a VLAN", least: 2, most: 2, Changes: true,
			Interrupts: true,
			run:        vlanRemove, About: []string{ownerHelp}, Result: changeFields(),
		},
	}
}

// teamFields are those of a team; name is the field that it stands in.
func teamFields(name string) []Field {
	fields := []Field{{name, "a list"}}
	if name == "team" {
		fields[0].Meaning = "the team"
	}
	for _, f := range []Field{
		{"name, guid, device", "what it is called: its name, the GUID of its adapter in braces, and what the device " +
			"manager calls that"},
		{"family", "winof for a team of the multiplexer, winof-2 for one of Windows Server"},
		{"type, type_number", "its type, and the number that vlan_config prints for it"},
		{"ipoib, failback", "whether it is for ports of IPoIB, and whether its primary member takes over when it is back"},
		{"primary", "the connection that was named as the primary member; empty for none"},
		{"mac", "its address; left out without members"},
		{"connected", "whether it carries traffic"}, {"why", "why it does not, or only in part; left out when all is well"},
		{"members", "a list, in the order of their attachment"}, {"members.connection, members.guid", "names of the member"},
		{"members.role, members.status", "active or backup; connected, disconnected or disabled"},
		{"members.receive_share, members.send_share", "part of the team's flows that it carries, 0 to 1"},
		{"members.why", "why it carries none; left out when it does"},
		{"vlans", "a list, each as vlan list prints it"},
		{"failovers", "a list of the newest few, the newest last"},
		{"failovers.time, failovers.from, failovers.to", "when, and which members carried traffic before and after; " +
			"left out without any"},
		{"failovers.kind", "failover; down when no other member took over; stopped when the drivers of all " +
			"were stopped; left out without any"},
		{"failovers.outage_seconds", "for how long traffic went into a dead member; left out without any"},
		{"failovers.lost_received_frames, failovers.lost_sent_frames", "what of it was lost; left out without any"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// vlanFields are those of a list of VLANs.
func vlanFields(name string) []Field {
	fields := []Field{{name, "a list"}}
	if name == "vlan" {
		fields[0].Meaning = "the VLAN"
	}
	for _, f := range []Field{
		{"team, connection", "what it is on; one of them is left out"}, {"name, id, priority", "as its frames are tagged"},
		{"guid, device", "the GUID of its adapter in braces, and what the device manager calls that"},
		{"why", "why it carries nothing; left out when it can"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}
