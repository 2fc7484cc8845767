package exec

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
			Name: "undo", Help: "take the newest change back", Changes: true, run: undo,
			About:  []string{"Changes that leave nothing behind, such as a restart, are passed over."},
			Result: changeFields(),
		},
		{
			Name: "lab export", Help: "print the description of the lab", run: labExport,
			Examples: []Example{{"cxdeck exec lab export > my.toml", "to change it and start with --lab my.toml"}},
			Result:   []Field{{"toml", "the text of the file"}},
		},
		{
			Name: "help", Arguments: "[COMMAND]", Help: "explain a command", most: 2, run: help,
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
		fields = append(fields, Field{name + "." + f.Name, f.Meaning})
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
		fields = append(fields, Field{name + "." + f.Name, f.Meaning})
	}
	return fields
}
