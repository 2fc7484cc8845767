package exec

// muxCommands are the tools of WinOF for teams, VLANs and virtual ports of IPoIB. They print what the manual's
// transcripts show.
func muxCommands() []Command {
	const adapters = "GUID is that of an adapter, as vlan_config showlist prints it, with or without its braces. "
	const renews = "The adapter is stopped and started, which takes two seconds of the host's time."
	about := func(texts ...string) []string {
		return append(texts, "Verbs and switches may be in upper or lower case. Teams of Windows Server are not seen.")
	}
	tool := func(c Command) Command {
		c.tool, c.Name = true, "vlan_config "+c.Name
		return c
	}
	commands := []Command{
		tool(Command{
			Name: "--help", Help: "print how the tool is used", run: vlanConfigHelp, hostless: true,
			Result: []Field{{"usage", "the text"}},
		}),
		tool(Command{
			Name: "showlist", Arguments: "[IPoIB]", Help: "list adapters of WinOF and their teams", most: 1,
			run:   vlanConfigShowList,
			About: about("IPoIB lists ports of InfiniBand and their teams instead of those of Ethernet."),
			Result: append([]Field{
				{"adapters", "a list"}, {"adapters.guid, adapters.device, adapters.connection", "names of the adapter"},
			}, teamFields("teams")...),
		}),
		tool(Command{
			Name: "create team", Arguments: "TYPE TEAM [NoFailBackToPrimary] [IPoIB]", Help: "create a team without members",
			least: 2, most: 4,
			Changes: true, run: vlanConfigCreate, About: about(teamTypesHelp()),
			Examples: []Example{{"vlan_config create team AFT MyTeam", ""}}, Result: changeFields(),
		}),
		tool(Command{
			Name: "attach team", Arguments: "TEAM GUID [primary] [SetTeamMacAddress]",
			Help: "make an adapter a member of a team", least: 2, most: 4,
			Changes: true, Interrupts: true, run: vlanConfigAttach, About: about(adapters + renews),
			Examples: []Example{{"vlan_config attach team MyTeam {30C354DB-62E9-41CB-B709-11063FAF4E95} primary", ""}},
			Result:   changeFields(),
		}),
		tool(Command{
			Name: "detach team", Arguments: "TEAM GUID", Help: "take an adapter out of a team", least: 2, most: 2,
			Changes: true, Interrupts: true,
			run: vlanConfigDetach, About: about(adapters + renews), Result: changeFields(),
		}),
		tool(Command{
			Name: "removeteam", Arguments: "TEAM", Help: "remove a team with its members and VLANs", least: 1, most: 1,
			Changes: true, Interrupts: true, run: vlanConfigRemoveTeam, About: about(), Result: changeFields(),
		}),
		tool(Command{
			Name: "queryteam", Arguments: "TEAM", Help: "show a team", least: 1, most: 1, run: vlanConfigQueryTeam,
			About:  about(),
			Result: teamFields("team"),
		}),
		tool(Command{
			Name: "modifyteam", Arguments: "TEAM NAME TYPE", Help: "change name and type of a team", least: 3, most: 3,
			Changes: true, Interrupts: true, run: vlanConfigModifyTeam, About: about(teamTypesHelp()),
			Examples: []Example{{"vlan_config modifyteam MyTeam NewTeam SFT", ""}}, Result: changeFields(),
		}),
		tool(Command{
			Name: "addvlan", Arguments: "TEAM VLAN ID PRIORITY", Help: "add a VLAN to a team", least: 4, most: 4,
			Changes: true, run: vlanConfigAddVLAN,
			About: about("ID is 1 to 4094, PRIORITY 0 to 7."), Examples: []Example{{"vlan_config addvlan MyTeam MyVlan 1 1",
				""}}, Result: changeFields(),
		}),
		tool(Command{
			Name: "removevlan", Arguments: "TEAM VLAN", Help: "remove a VLAN of a team", least: 2, most: 2, Changes: true,
			Interrupts: true,
			run:        vlanConfigRemoveVLAN, About: about(), Result: changeFields(),
		}),
		tool(Command{
			Name: "queryvlan", Arguments: "TEAM VLAN", Help: "show a VLAN of a team", least: 2, most: 2,
			run: vlanConfigQueryVLAN, About: about(),
			Result: vlanFields("vlan"),
		}),
		tool(Command{
			Name: "modifyvlan", Arguments: "TEAM VLAN NAME ID PRIORITY", Help: "change name, id and priority of a VLAN",
			least: 5, most: 5,
			Changes: true, Interrupts: true, run: vlanConfigModifyVLAN, About: about("ID is 1 to 4094, PRIORITY 0 to 7."),
			Result: changeFields(),
		}),
	}
	return append(commands, partitionCommands()...)
}

// partitionCommands are the verbs of part_man.
func partitionCommands() []Command {
	const verbose = "-v says more; it stands before the verb or behind it."
	return []Command{
		pkeysCommand(),
		{
			Name: "part_man -help", Help: "print how the tool is used", run: partManHelp, hostless: true, tool: true,
			Result: []Field{{"usage", "the text"}},
		},
		{
			Name: "part_man add", Arguments: "[-v] NAME [INAME] [PKEY]", Help: "make a virtual IPoIB port", least: 1, most: 4,
			Changes: true, tool: true,
			run: partManAdd,
			About: []string{"NAME is the connection of an InfiniBand port. INAME begins with an i, and has no space and none " +
				"of : , ; -; without one the tool makes one up. PKEY is four hexadecimal digits, FFFF when left out; with its " +
				"top bit off the port is a partial member, unless the subnet manager gives the full membership. A port has at " +
				"most 32 virtual ones, the host 64.",
				"A port whose PKey the subnet manager does not know stays disconnected, and the answer says so; switch set NAME " +
					"pkeys=F123 makes it known. " + verbose},
			Examples: []Example{{`part_man add "Ethernet 5" ipoib_5_1 F123`, ""}},
			Result:   append(changeFields(), partitionFields("port")...),
		},
		{
			Name: "part_man rem", Arguments: "[-v] NAME [INAME] [PKEY]", Help: "remove a virtual IPoIB port", least: 1,
			most: 4, Changes: true, Interrupts: true, tool: true, run: partManRemove,
			About: []string{"NAME is the connection of the virtual port, as part_man show prints it; INAME and PKEY " +
				"must be its own. " + verbose},
			Examples: []Example{{`part_man rem "Ethernet 6"`, ""}}, Result: changeFields(),
		},
		{
			Name: "part_man remall", Arguments: "[-v]", Help: "remove all virtual IPoIB ports", most: 1, Changes: true,
			Interrupts: true, tool: true,
			run: partManRemoveAll, Result: changeFields(),
		},
		{
			Name: "part_man show", Arguments: "[-v]", Help: "list the virtual IPoIB ports", most: 1, tool: true,
			run:   partManShow,
			About: []string{"Each line has the connection, the name and the PKey. " + verbose}, Result: partitionFields("ports"),
		},
	}
}

// pkeysCommand shows the partitions of ports.
func pkeysCommand() Command {
	return Command{
		Name: "mlxtool dbg pkeys", Arguments: "[NAME]", Help: "show the partitions of IPoIB interfaces", most: 1,
		tool: true, run: pkeysOfPorts,
		About: []string{"NAME is that of an IPoIB interface of WinOF, which may be a virtual port of part_man; without " +
			"one all are shown. The table has the PKeys that the subnet manager gives the port."},
		Examples: []Example{{`mlxtool dbg pkeys "Ethernet 5"`, ""}},
		Result: []Field{{"ports", "a list"}, {"ports.connection, ports.pkeys",
			"the interface, and a list of its PKeys by their index"}},
	}
}

// partitionFields are those of a virtual port of IPoIB; name is the field that it stands in.
func partitionFields(name string) []Field {
	fields := []Field{{name, "a list"}}
	if name == "port" {
		fields[0].Meaning = "the virtual port"
	}
	for _, f := range []Field{
		{"connection, name", "its connection, and the name that part_man knows it by"}, {"on",
			"the connection that it is on"},
		{"device, guid", "what the device manager calls it, and its GUID in braces"},
		{"pkey", "the PKey that was asked for"},
		{"used_pkey", "the one that it works with; left out when the subnet manager gives neither"},
		{"up, rate_bits_per_second", "whether it has a link, and its rate"}, {"why", "why it is not up; left out when it is"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}
