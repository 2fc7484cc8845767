package exec

// vfHelp says how an adapter of a virtual machine is named.
const vfHelp = "VM is the name of a virtual machine, or VM/ADAPTER where it has several network adapters. "

// sriovCommands are those for virtual functions.
func sriovCommands() []Command {
	vf := func(name string) []Field {
		var fields []Field
		for _, f := range []Field{
			{"connection, virtual_function", "the port, and its number there"},
			{"state", "free, attached (it carries the traffic of its adapter), or idle (the traffic goes the synthetic way)"},
			{"vm, adapter, mac", "whose it is; left out for a free one"}, {"vlan", "id of its VLAN, 0 for none"},
			{"queue_pairs, pages, page_limit", "what it has: queue pairs, host memory in pages of 4 KB, and their limit, 0 " +
				"for none"},
			{"faults", "a list: what was made go wrong with it"}, {"gids", "how many it has of an InfiniBand port's; left " +
				"out for Ethernet"},
			{"counters", "what it has counted: received_bytes, received_packets, sent_bytes, sent_packets, dropped_packets, " +
				"wrong_address_packets, barred_type_packets, firmware_cpu_usage, errors_to_firmware"},
		} {
			fields = append(fields, f.under(name))
		}
		return fields
	}
	return []Command{
		{
			Name: "sriov show", Arguments: "[NAME]", Help: "show what SR-IOV has and lacks at ports", most: 1, run: sriovShow,
			About: []string{cardHelp + " MISSING names what is not as SR-IOV needs it; with a NAME each check stands with " +
				"its reason."},
			Result: []Field{
				{"ports", "a list"}, {"ports.connection, ports.device", "names of the port"},
				{"ports.support", "as Get-NetAdapterSriov says it: Supported, NoVfBarSpace"},
				{"ports.enabled", "whether firmware and driver have it switched on"},
				{"ports.burnt, ports.allowed, ports.num_vfs", "virtual functions that the firmware has, that the driver opens " +
					"of these, and that Windows may use"},
				{"ports.open, ports.attached, ports.free", "those that are there, those with virtual machines, and the rest"},
				{"ports.advised_queue_pairs", "IovQueuePairsRequested for the speed of the port"},
				{"ports.pf_gids, ports.gids_why", "how many GIDs of an InfiniBand port the physical function has, and why there are " +
					"none to share; left out for Ethernet"},
				{"ports.promiscuous", "whether the physical function takes what is not for it"},
				{"ports.dhcp_to_pf", "whether DHCP of virtual functions goes to the physical one"},
				{"ports.dhcp_why", "what keeps it from that though RedirectVfDHCPToPF is 1; left out when nothing does"},
				{"ports.virtual_switch", "the virtual switch on it; left out without one"},
				{"ports.why", "why there are none, or fewer than asked for; left out when all is well"},
				{"ports.checks", "a list: name, ok"}, {"ports.checks.name, ports.checks.ok", "what SR-IOV needs, and whether " +
					"it is so"},
				{"ports.checks.why", "what is wrong and what to do; left out when it is well"},
			},
		},
		{
			Name: "sriov promiscuous", Arguments: "NAME on|off", Help: "let a physical function take what is not for it, or " +
				"no longer",
			least: 2, most: 2, Changes: true, run: sriovPromiscuous,
			About: []string{
				nameHelp + " It is what RedirectVfDHCPToPF needs beside its value of 1: then DHCP packets that virtual " +
					"functions send and are sent go to the physical one. sriov show says what of it is missing.",
				"On a real host it is not a setting: a program that captures on the adapter makes it promiscuous for as long as " +
					"it runs, and there is no command. In the lab it holds until it is switched off, also beyond a start of the host.",
			},
			Examples: []Example{{`sriov promiscuous "Ethernet 7" on`, "before the redirection of DHCP"}}, Result: changeFields(),
		},
		{
			Name: "vf list", Arguments: "[NAME]", Help: "list virtual functions", most: 1, run: vfList,
			About:  []string{cardHelp},
			Result: append([]Field{{"virtual_functions", "a list"}}, vf("virtual_functions")...),
		},
		{
			Name: "vf show", Arguments: "NAME NUMBER", Help: "show a virtual function", least: 2, most: 2, run: vfShow,
			About:    []string{nameHelp},
			Examples: []Example{{`vf show "Ethernet 7" 0`, ""}},
			Result:   append([]Field{{"virtual_function", "the virtual function"}}, vf("virtual_function")...),
		},
		{
			Name: "vf attach", Arguments: "VM[/ADAPTER]", Help: "give an adapter a virtual function", least: 1, most: 1,
			Changes: true,
			run:     attach(100),
			About: []string{vfHelp + "It is given one when its switch, its port and its driver have one; vm show says " +
				"why it has none."},
			Examples: []Example{{"vf attach vm001", ""}}, Result: changeFields(),
		},
		{
			Name: "vf detach", Arguments: "VM[/ADAPTER]", Help: "take the virtual function of an adapter away", least: 1,
			most: 1, Changes: true,
			run: attach(0), About: []string{vfHelp + "Its traffic goes through the virtual switch then."},
			Result: changeFields(),
		},
		{
			Name: "vf set", Arguments: "VM[/ADAPTER] SETTING=VALUE...", Help: "set up an adapter of a virtual machine",
			least: 2, most: -1,
			Changes: true, Interrupts: true, run: vfSet, About: []string{vfHelp, guestHelp()},
			Examples: []Example{{"vf set vm001 vlan=70 queue-pairs=8", ""}}, Result: changeFields(),
		},
		{
			Name: "vf reset", Arguments: "NAME NUMBER", Help: "reset a virtual function", least: 2, most: 2, Changes: true,
			Interrupts: true,
			run:        vfReset, About: []string{nameHelp + " Its counters begin anew. Undo has nothing to take back."},
			Result: changeFields(),
		},
		{
			Name: "vf quarantine", Arguments: "VM[/ADAPTER] REASON...", Help: "take an adapter of a virtual machine off " +
				"the network", least: 2,
			most: -1, Changes: true, Interrupts: true, run: vfQuarantine, About: []string{vfHelp + "The reason is kept, " +
				"and shown with it."},
			Examples: []Example{{"vf quarantine vm001 sends with foreign addresses", ""}}, Result: changeFields(),
		},
		{
			Name: "vf release", Arguments: "VM[/ADAPTER]", Help: "end the quarantine of an adapter", least: 1, most: 1,
			Changes: true, run: vfRelease,
			About: []string{vfHelp}, Result: changeFields(),
		},
		{
			Name: "vf fault", Arguments: "NAME NUMBER FAULT [SHARE]", Help: "let a virtual function misbehave", least: 3,
			most: 4, Changes: true,
			run: vfFault,
			About: []string{nameHelp + " FAULT is one of " + functionFaults() + ". SHARE is how bad it is, 1 when left " +
				"out; 0 puts it right."},
			Examples: []Example{{`vf fault "Ethernet 7" 0 vf-wrong-address 0.5`, ""}}, Result: changeFields(),
		},
		{
			Name: "mlxtool dbg resources", Arguments: "[BUS DEVICE FUNCTION]", Help: "show what the functions of WinOF " +
				"cards use", most: 3, tool: true,
			run: dbgResources,
			About: []string{"The three numbers say where one card is plugged in. The manual shows the output in a figure " +
				"only: quotas are those of the lab, and what is used follows from queue pairs."},
			Examples: []Example{{"mlxtool dbg resources 4 0 0", ""}},
			Result: []Field{
				{"resources", "a list"}, {"resources.adapter, resources.virtual_function", "the card, and the number of the " +
					"function, null for the physical one"},
				{"resources.resource", "QPs, CQs, SRQs, MPTs, MTTs or FS_RULEs"}, {"resources.quota, resources.used",
					"how many it may use, and uses"},
				{"resources.managed_by_pf", "true where the physical function gives them out; left out elsewhere"},
			},
		},
	}
}
