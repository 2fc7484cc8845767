package exec

import "strings"

// nameHelp is what is said of a NAME wherever one is taken.
const nameHelp = "NAME is the name of a connection, as adapter list prints it; upper and lower case are alike, and one with spaces " +
	"stands in quotes."

// Commands is the table of commands, in the order of help.
func Commands() []Command {
	return []Command{
		{
			Name: "adapter list", Help: "list adapters and ports", run: adapterList,
			Result: adapterFields("adapters"),
		},
		{
			Name: "adapter show", Arguments: "NAME", Help: "show an adapter or a port", least: 1, most: 1, run: adapterShow,
			About:    []string{"NAME is the name of a connection or of a card. " + afterName},
			Examples: []Example{{`adapter show "Ethernet 7"`, "the port and the card it is on"}},
			Result:   adapterFields("adapter"),
		},
		{
			Name: "adapter restart", Arguments: "NAME...", Help: "stop the driver and start it again", least: 1, most: -1,
			Changes: true, Interrupts: true, run: change(restartAdapter),
			About: []string{"What waits for a restart takes effect. " + nameHelp,
				"It takes two seconds of the host's time: advance 2s lets them pass. Undo has nothing to take back."},
			Examples: []Example{{`adapter restart "Ethernet 7"`, ""}},
			Result:   changeFields(),
		},
		{
			Name: "adapter enable", Arguments: "NAME...", Help: "start the driver", least: 1, most: -1, Changes: true,
			run: change(enableAdapter), About: []string{nameHelp}, Result: changeFields(),
		},
		{
			Name: "adapter disable", Arguments: "NAME...", Help: "stop the driver until it is enabled", least: 1, most: -1,
			Changes: true, Interrupts: true, run: change(disableAdapter), About: []string{nameHelp}, Result: changeFields(),
		},
		{
			Name: "reg list", Arguments: "NAME [TEXT]", Help: "list registry keys", least: 1, most: 2, run: regList,
			Flags: []Flag{{"changed", "", "only those that are not at their default, or wait"}},
			About: []string{"NAME is the name of a connection or of a card. " + afterName + " TEXT is a part of the names wanted.",
				"A key has three values: what is stored, what is in effect since the driver read it, and the default."},
			Examples: []Example{{`reg list "Ethernet 7" rss`, "what has to do with receive side scaling"}},
			Result:   keyFields("keys"),
		},
		{
			Name: "reg get", Arguments: "NAME KEY", Help: "explain a registry key and its values", least: 2, most: 2, run: regGet,
			About: []string{"NAME is the name of a connection or of a card. " + afterName + " In KEY neither case nor the asterisk at " +
				"the front matter; bus-driver/LogNumQP names the scope, too."},
			Examples: []Example{{`reg get "Ethernet 7" *JumboPacket`, ""}},
			Result:   keyFields("key"),
		},
		{
			Name: "reg set", Arguments: "NAME KEY VALUE", Help: "store a value in the registry", least: 3, most: 3, Changes: true,
			run: regSet,
			About: []string{"NAME and KEY are as for reg get. VALUE is a number (9014, 0x2336) or a text, as the key takes. A value out of " +
				"range is stored all the same, as on a real host: the answer says what the driver will make of it, and when."},
			Examples: []Example{{`reg set "Ethernet 7" *JumboPacket 9014`, ""}},
			Result:   append(changeFields(), keyFields("key")...),
		},
		{
			Name: "reg unset", Arguments: "NAME KEY", Help: "remove a value from the registry", least: 2, most: 2, Changes: true,
			run: regUnset, About: []string{"NAME and KEY are as for reg get. The driver does without the value, mostly with its default."},
			Result: append(changeFields(), keyFields("key")...),
		},
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
				{"workloads.priority", "0 to 7, null for untagged frames"}, {"workloads.flows", "how many it stands for"},
				{"workloads.scale", "what its demand is multiplied with: 1 as described, 0 stopped"},
				{"workloads.receive_demand_bits_per_second, workloads.send_demand_bits_per_second", "what it wants to move now"},
				{"workloads.received_bits_per_second, workloads.sent_bits_per_second", "what it moves"},
			},
		},
		{
			Name: "workload scale", Arguments: "NAME SCALE", Help: "let a workload want more or less", least: 2, most: 2, Changes: true,
			run: workloadScale, About: []string{"SCALE is 0 to stop it, 1 as described, 10 the most."},
			Examples: []Example{{`workload scale "Web front end" 0.5`, "half of it"}}, Result: changeFields(),
		},
		{
			Name: "scene list", Help: "list the ready scenes", run: sceneList, Result: sceneFields("scenes"),
		},
		{
			Name: "scene run", Arguments: "SCENE [NAME]", Help: "set a scene", least: 1, most: 2, Changes: true, Interrupts: true, run: sceneRun,
			About: []string{"It is set at the connection NAME, or where it shows best. The answer says what to look for; undo takes all of " +
				"it back."},
			Examples: []Example{{"scene run pause-storm", ""}}, Result: append(changeFields(), sceneFields("scene")...),
		},
		{
			Name: "switch show", Arguments: "[NAME]", Help: "show the switch ports that ports are cabled to", most: 1, run: switchShow,
			About: []string{nameHelp},
			Result: []Field{
				{"switch_ports", "a list"}, {"switch_ports.connection, switch_ports.switch_port", "names of both ends"},
				{"switch_ports.speed_bits_per_second", "line rate"},
				{"switch_ports.max_frame_bytes", "largest frame, with header, without FCS"},
				{"switch_ports.flow_control", "off, global or pfc"},
				{"switch_ports.lossless_priorities", "a list: those with PFC"},
				{"switch_ports.mark_least_bytes, switch_ports.mark_most_bytes", "queue between which RDMA frames are marked"},
				{"switch_ports.mark_probability", "share at the upper one"},
				{"switch_ports.pause_share, switch_ports.pause_priority", "part of the time in which it stops the host, and the priority"},
			},
		},
		{
			Name: "switch set", Arguments: "NAME SETTING=VALUE...", Help: "set up the switch port of a connection", least: 2, most: -1,
			Changes: true, Interrupts: true, run: switchSet, About: []string{nameHelp, settingsHelp()},
			Examples: []Example{{`switch set "Ethernet 7" max-frame=1514 flow-control=off`, ""}}, Result: changeFields(),
		},
		{
			Name: "slot set", Arguments: "NAME GENERATION LANES", Help: "move a card to another PCI Express slot", least: 3, most: 3,
			Changes: true, Interrupts: true, run: slotSet,
			About:    []string{"NAME is the name of a card or of a connection on it. GENERATION is 1 to 4, LANES 1, 2, 4, 8 or 16."},
			Examples: []Example{{`slot set "ConnectX-5 Ex" 3 x4`, ""}}, Result: changeFields(),
		},
		{
			Name: "processors set", Arguments: "NAME PERCENT", Help: "slow the processors down for a connection", least: 2, most: 2,
			Changes: true, run: processorsSet, About: []string{nameHelp + " PERCENT is the part of their speed that is left, 1% to 100%."},
			Examples: []Example{{`processors set "Ethernet 7" 20%`, "a receiver that is too slow"}}, Result: changeFields(),
		},
		{
			Name: "advance", Arguments: "DURATION", Help: "let time pass", least: 1, most: 1, Changes: true, run: advance,
			About: []string{"The time of the host passes only when it is told to: 500ms, 10s, 1m30s, 2h; at most 24 hours at a time. " +
				"In the console it passes by itself."},
			Examples: []Example{{"advance 10s", ""}},
			Result: []Field{
				{"passed_seconds", "how much time passed"}, {"now", "the host's time, RFC 3339, UTC"},
			},
		},
		{
			Name: "counters", Arguments: "[PATTERN...]", Help: "print counters", most: -1, run: counters,
			Flags: []Flag{
				{"interval", "TIME", "let so much of the host's time pass and print what that brought, 100ms to 60s"},
				{"count", "N", "so many samples, an interval apart (default 1)"},
				{"list", "", "list the counters that match, and print no values"},
			},
			About: []string{`A PATTERN is a path as Performance Monitor writes it, \Set(instance)\Counter, with * for any text. ` +
				"Without one, the throughput and drops of all ports are printed.",
				"Without --interval the host's time stands still: counters are printed as they are, and rates as they will be in the " +
					"coming second."},
			Examples: []Example{
				{`counters '\Network Interface(*)\Bytes Total/sec' --interval 1s`, "one second of the host's time"},
				{`counters '\Mellanox WinOF-2 Port QoS(*)\*Pause*' --list`, "which counters there are"},
			},
			Result: []Field{
				{"samples", "a list: each as cxdeck counters --format json prints it"},
				{"samples.time", "the host's time, RFC 3339, UTC"},
				{"samples.counters", "a list: set, instance, counter, kind, and the value in a field named for its unit; null for none"},
				{"counters", "with --list instead of samples: the paths"},
			},
		},
		{
			Name: "events", Arguments: "[NAME]", Help: "print the event log", most: 1, run: events,
			Flags: []Flag{
				{"after", "N", "only events numbered above N"},
				{"last", "N", "at most the newest N (default 100)"},
				{"severity", "WORD", "only warning and worse, or only error"},
			},
			About: []string{nameHelp},
			Result: []Field{
				{"events", "a list, oldest first"}, {"events.sequence", "its number in the log"},
				{"events.time", "the host's time, RFC 3339, UTC"},
				{"events.key", "its row in the event catalogue; left out when it has none"},
				{"events.id", "its number in the manuals; left out when they give none"},
				{"events.source, events.channel", "as Windows has them"},
				{"events.severity", "information, warning or error"},
				{"events.adapter", "the connection it is about; left out when it is about none"},
				{"events.message", "its text"},
			},
		},
		{
			Name: "journal", Help: "print the changes", run: journal,
			Flags:  []Flag{{"last", "N", "at most the newest N (default 100)"}},
			Result: append([]Field{{"changes", "a list, oldest first; each as follows"}}, entryFields("changes")...),
		},
		{
			Name: "undo", Arguments: "[NUMBER]", Help: "take a change back", most: 1, Changes: true, run: undo,
			About: []string{"The newest change, or the one that journal prints with this number. Changes that leave nothing behind, such as " +
				"a restart, are passed over."},
			Result: changeFields(),
		},
		{
			Name: "lab export", Help: "print the description of the lab", run: labExport, hostless: true,
			Examples: []Example{{"cxdeck exec lab export > my.toml", "to change it and start with --lab my.toml"}},
			Result:   []Field{{"toml", "the text of the file"}},
		},
		{
			Name: "help", Arguments: "[COMMAND]", Help: "explain a command", most: 2, run: help, hostless: true,
			Result: []Field{
				{"commands", "a list"}, {"commands.name", "one word or two"},
				{"commands.synopsis", "how it is written"}, {"commands.help", "what it does"},
				{"commands.changes", "whether it changes the host"},
			},
		},
	}
}

const afterName = "Upper and lower case are alike, and a name with spaces stands in quotes."

// adapterFields are those of a card; name is the field that it stands in.
func adapterFields(name string) []Field {
	fields := []Field{{name, "a list with a row for each card"}}
	if name == "adapter" {
		fields[0].Meaning = "the card"
	}
	for _, f := range []Field{
		{"name, family, driver, package, driver_version, firmware, psid", "as Windows and the card give them"},
		{"pci, numa_node, pcie_generation, pcie_lanes", "where it is plugged in"},
		{"state", "running, stopped, restarting or failed: the worst of its ports"},
		{"ports", "a list"},
		{"ports.connection, ports.device, ports.mac", "names of the port"},
		{"ports.link", "ethernet or infiniband"},
		{"ports.state", "of its driver"},
		{"ports.cabled, ports.up", "whether the cable is in, and whether there is a link"},
		{"ports.rate_bits_per_second", "line rate, also while there is no link"},
		{"ports.pending", "which change waits for a restart; left out when none does"},
		{"ports.switch_port", "what it is cabled to"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

func changeFields() []Field {
	return append([]Field{{"change", "what was done"}}, entryFields("change")...)
}

// entryFields are those of an entry of the journal.
func entryFields(name string) []Field {
	var fields []Field
	for _, f := range []Field{
		{"sequence", "its number in the journal"},
		{"time", "the host's time, RFC 3339, UTC"},
		{"title", "what it is for"},
		{"operations", "a list: kind, target, and what it does"},
		{"commands", "what would be typed on a real host; left out when nothing is"},
		{"undoes", "the number of the change that it took back; left out when it took none back"},
		{"undone", "true when it was taken back"},
		{"error", "why it was rolled back; left out when it was applied"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// keyFields are those of a registry key.
func keyFields(name string) []Field {
	meaning := "the key"
	if name == "keys" {
		meaning = "a list; choices, path and summary are left out in it"
	}
	fields := []Field{{name, meaning}}
	for _, f := range []Field{
		{"key, scope, type", "its name, whose it is, and REG_DWORD or REG_SZ"},
		{"stored, effective, default", "numbers or texts; null for none"},
		{"least, most, unit", "its range on this port; left out where the manuals give none"},
		{"applies", "when a stored value counts: dynamic, adapter-restart, driver-reload or reboot"},
		{"pending", "true when what is stored does not count yet"},
		{"why", "why what is stored does not count as it is"},
		{"choices", "a list: value and label"},
		{"path, summary", "where it is, and what it is for"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// sceneFields are those of a scene.
func sceneFields(name string) []Field {
	var fields []Field
	for _, f := range []Field{
		{"name, title", "what it is called by"}, {"story, look_for", "what happens, and what is to be seen"},
		{"connection", "where it is set, or shows best; left out when nowhere"},
		{"counters, events", "lists: paths of counters that move, and keys of events that are written"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// under is a field within another; it may be several names with commas between them.
func (f Field) under(name string) Field {
	return Field{name + "." + strings.ReplaceAll(f.Name, ", ", ", "+name+"."), f.Meaning}
}
