package exec

// fabricCommands are those for what the adapters are put into: cables, switches, slots, traffic, and what goes wrong.
func fabricCommands() []Command {
	return []Command{
		{
			Name: "cable pull", Arguments: "NAME...", Help: "pull the cable of a port", least: 1, most: -1, Changes: true,
			Interrupts: true, run: change(pullCable), About: []string{nameHelp},
			Examples: []Example{{`cable pull "Ethernet 7" "Ethernet 8"`, "both at once, or none when one can't be"}},
			Result:   changeFields(),
		},
		{
			Name: "cable plug", Arguments: "NAME...", Help: "plug the cable of a port in", least: 1, most: -1, Changes: true,
			run: change(plugCable), About: []string{nameHelp}, Result: changeFields(),
		},
		{
			Name: "workload list", Help: "list the workloads of the lab", run: workloadList,
			Result: []Field{
				{"workloads", "a list"}, {"workloads.name, workloads.connection", "its name, and the port that it goes through"},
				{"workloads.protocol", "tcp, udp, rdma, ipoib, ip or other"},
				{"workloads.application", "what one of rdma belongs to: smb-direct, ndspi or verbs, with uc or ud behind it " +
					"for unreliable transports"},
				{"workloads.priority", "0 to 7, null for untagged frames"}, {"workloads.flows", "how many it stands for"},
				{"workloads.scale", "what its demand is multiplied with: 1 as described, 0 stopped"},
				{"workloads.receive_demand_bits_per_second, workloads.send_demand_bits_per_second", "what it wants to move now"},
				{"workloads.received_bits_per_second, workloads.sent_bits_per_second", "what it moves"},
			},
		},
		{
			Name: "workload scale", Arguments: "NAME SCALE", Help: "let a workload want more or less", least: 2, most: 2,
			Changes: true,
			run:     workloadScale, About: []string{"SCALE is 0 to stop it, 1 as described, 10 the most."},
			Examples: []Example{{`workload scale "Web front end" 0.5`, "half of it"}}, Result: changeFields(),
		},
		{
			Name: "scene list", Help: "list the ready scenes", run: sceneList, Result: sceneFields("scenes"),
		},
		{
			Name: "scene run", Arguments: "SCENE [NAME]", Help: "set a scene", least: 1, most: 2, Changes: true,
			Interrupts: true, run: sceneRun,
			About: []string{"It is set at the connection NAME, or where it shows best. The answer says what to look for; " +
				"undo takes all of it back."},
			Examples: []Example{{"scene run pause-storm", ""}}, Result: append(changeFields(), sceneFields("scene")...),
		},
		{
			Name: "switch show", Arguments: "[NAME]", Help: "show the switch ports that ports are cabled to", most: 1,
			run:   switchShow,
			About: []string{nameHelp},
			Result: append([]Field{
				{"switch_ports", "a list"}, {"switch_ports.connection, switch_ports.switch_port", "names of both ends"},
				{"switch_ports.speed_bits_per_second", "line rate"},
				{"switch_ports.max_frame_bytes", "largest frame, with header, without FCS"},
				{"switch_ports.flow_control", "off, global or pfc"},
				{"switch_ports.lossless_priorities", "a list: those with PFC"},
				{"switch_ports.mark_least_bytes, switch_ports.mark_most_bytes", "queue between which RDMA frames are marked"},
				{"switch_ports.mark_probability", "share at the upper one"},
				{"switch_ports.pause_share, switch_ports.pause_priority", "part of the time in which it stops the host, and " +
					"the priority"},
				{"switch_ports.aggregation", "number of its aggregation group, 0 for none"},
				{"switch_ports.trunk, switch_ports.vlans", "whether it forwards frames of VLANs, and the ids, or all"},
				{"switch_ports.subnet_manager", "up, down or absent; left out for Ethernet"},
				{"switch_ports.pkeys", "a list: the partitions of an InfiniBand port beside the default one; left out when " +
					"there is none"},
			}, farFields("switch_ports")...),
		},
		{
			Name: "switch counters", Arguments: "[NAME]", Help: "show what the switch ports have counted", most: 1,
			run: switchCounters,
			About: []string{nameHelp + " IN is from the host, OUT to it. What one end of a cable sends arrives at the other, " +
				"unless the cable damages it. In JSON it is what switch show says."},
			Result: []Field{{"switch_ports", "a list as that of switch show"}},
		},
		{
			Name: "switch set", Arguments: "NAME SETTING=VALUE...", Help: "set up the switch port of a connection", least: 2,
			most:    -1,
			Changes: true, Interrupts: true, run: switchSet, About: []string{nameHelp, settingsHelp()},
			Examples: []Example{{`switch set "Ethernet 7" max-frame=1514 flow-control=off`, ""}}, Result: changeFields(),
		},
		{
			Name: "slot set", Arguments: "NAME GENERATION LANES", Help: "move a card to another PCI Express slot", least: 3,
			most:    3,
			Changes: true, Interrupts: true, run: slotSet,
			About: []string{"NAME is the name of a card or of a connection on it. GENERATION is 1 to 4, LANES 1, 2, 4, 8 " +
				"or 16."},
			Examples: []Example{{`slot set "ConnectX-5 Ex" 3 x4`, ""}}, Result: changeFields(),
		},
		{
			Name: "processors set", Arguments: "NAME PERCENT", Help: "slow the processors down for a connection", least: 2,
			most:    2,
			Changes: true, run: processorsSet, About: []string{nameHelp + " PERCENT is the part of their speed that is " +
				"left, 1% to 100%."},
			Examples: []Example{{`processors set "Ethernet 7" 20%`, "a receiver that is too slow"}}, Result: changeFields(),
		},
		{
			Name: "fault list", Arguments: "[NAME]", Help: "list what was made to go wrong", most: 1, run: faultList,
			Flags: []Flag{{"all", "", "list those that can be made, too"}}, About: []string{nameHelp + " What the lab's own " +
				"schedules do is not in the list."},
			Result: []Field{
				{"faults", "a list"}, {"faults.connection", "where"}, {"faults.fault", "its word, as fault set takes it"},
				{"faults.what", "what goes wrong, in words"}, {"faults.share", "how bad it is, 0 to 1"},
				{"faults.virtual_function", "number of the virtual function that misbehaves; only of these faults"},
			},
		},
		{
			Name: "fault set", Arguments: "NAME FAULT [SHARE]", Help: "make something go wrong at a port", least: 2, most: 3,
			Changes:    true,
			Interrupts: true, run: faultSet,
			About: []string{nameHelp + " SHARE is how bad it is, up to 1 (which it is when left out); some faults are " +
				"there or not.", faultsHelp()},
			Examples: []Example{{`fault set "Ethernet 7" bad-cable 0.01`, "one frame in a hundred arrives damaged"}},
			Result:   changeFields(),
		},
		{
			Name: "fault clear", Arguments: "NAME FAULT", Help: "put right what was made to go wrong", least: 2, most: 2,
			Changes: true,
			run:     faultClear, About: []string{nameHelp}, Examples: []Example{{`fault clear "Ethernet 7" bad-cable`, ""}},
			Result: changeFields(),
		},
	}
}
