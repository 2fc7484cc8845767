package exec

// hostCommands are those for the host as a whole: its time, what it counts and what was done to it.
func hostCommands() []Command {
	return []Command{
		{
			Name: "advance", Arguments: "DURATION", Help: "let time pass", least: 1, most: 1, Changes: true, run: advance,
			About: []string{"The time of the host passes only when it is told to: 500ms, 10s, 1m30s, 2h; at most 24 hours at " +
				"a time. In the console it passes by itself."},
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
			About: []string{`A PATTERN is a path as Performance Monitor writes it, \Set(instance)\Counter, with * for any ` +
				"text. Without one, the throughput and drops of all ports are printed.",
				"Without --interval the host's time stands still: counters are printed as they are, and rates as they will be " +
					"in the coming second."},
			Examples: []Example{
				{`counters '\Network Interface(*)\Bytes Total/sec' --interval 1s`, "one second of the host's time"},
				{`counters '\Mellanox WinOF-2 Port QoS(*)\*Pause*' --list`, "which counters there are"},
			},
			Result: []Field{
				{"samples", "a list: each as cxdeck counters --format json prints it"},
				{"samples.schema, samples.host", "version of the schema of cxdeck counters, and the host's name"},
				{"samples.time", "the host's time, RFC 3339, UTC"},
				{"samples.counters", "a list: set, instance, counter, kind, and the value in a field named for its unit; null " +
					"for none"},
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
			Flags: []Flag{{"last", "N", "at most the newest N (default 100)"}},
			Result: append([]Field{{"changes", "a list, oldest first; each as follows"}}, entryFields("changes",
				Field{"undoes", "the number of the change that it took back; left out when it took none back"},
				Field{"undone", "true when it was taken back; left out when it was not"},
				Field{"error", "why it was rolled back; left out when it was applied"},
				Field{"unread", "why it can't be read, when it was saved by a version that others can't read; it is kept as it is, " +
					"and only what could be found of it is told; left out when it was read"})...),
		},
		{
			Name: "undo", Arguments: "[NUMBER]", Help: "take a change back", most: 1, Changes: true, run: undo,
			Flags: []Flag{{"yes", "", "do it without a question"}},
			About: []string{"The newest change, or the one that journal prints with this number. Changes that leave nothing " +
				"behind, such as a restart, are passed over.",
				"It asks first when taking the change back interrupts or removes something, and when another run made the " +
					"change; where nobody can be asked it fails, and says what it would do."},
			Examples: []Example{{"undo 3 --yes", "takes change 3 back, whatever that interrupts"}},
			Result:   changeFields(Field{"undoes", "the number of the change that it took back"}),
		},
		{
			Name: "lab export", Help: "print the description of the lab", run: labExport, hostless: true,
			Examples: []Example{{"cxdeck exec lab export > my.toml", "to change it and start with --lab my.toml"}},
			Result:   []Field{{"toml", "the text of the file"}},
		},
		{
			Name: "lab reset", Help: "begin with a new host", run: labReset, Changes: true,
			Flags: []Flag{{"yes", "", "do it; without, the answer says what would be forgotten"}},
			About: []string{"The host as it is is forgotten: what is stored in its registry, cables, workloads, time, " +
				"events, and the journal, so that nothing of it can be undone. Sessions that were recorded of it stay in the " +
				"history. The new host is that of the lab description and seed of this run; those of others stay as they are. " +
				"In the console it is refused."},
			Examples: []Example{{"lab reset --yes", ""}},
			Result: []Field{
				{"forgotten_changes", "how many entries the journal had"}, {"now", "the new host's time, RFC 3339, UTC"},
			},
		},
		{
			Name: "help", Arguments: "[COMMAND]", Help: "explain a command", most: 4, run: help, hostless: true,
			Result: []Field{
				{"commands", "a list"}, {"commands.name", "one word or two"},
				{"commands.synopsis", "how it is written"}, {"commands.help", "what it does"},
				{"commands.changes", "whether it changes the host"},
			},
		},
	}
}
