package exec

// planCommands are those for changes of the registry that are gathered, reviewed and applied together.
func planCommands() []Command {
	draft := Flag{"draft", "", "put it in the draft instead of applying it"}
	force := Flag{"force", "", "replace a file that is there"}
	return []Command{
		{
			Name: "reg diff", Arguments: "NAME [OTHER]", Help: "compare the stored values of two adapters", least: 1, most: 2,
			run: regDiff,
			Flags: []Flag{
				{"profile", "PROFILE", "compare with a profile"},
				{"before", "NUMBER", "compare with the values as they were before a change of the journal"},
			},
			About: []string{cardHelp + " OTHER is another one; without it the values are compared with the defaults. A " +
				"connection is compared by its own keys, a card by those that its ports share."},
			Examples: []Example{{`reg diff "Ethernet 7" "Ethernet 8"`, ""},
				{`reg diff "Ethernet 7" --before 3`, "what has changed since"}},
			Result: []Field{
				{"with", "what it is compared with"}, {"differences", "a list"},
				{"differences.key, differences.scope", "name and scope"},
				{"differences.stored, differences.other", "numbers or texts; null for none"},
			},
		},
		{
			Name: "reg explain", Arguments: "NAME KEY [VALUE]", Help: "tell all that is known of a key", least: 2, most: 3,
			run: regExplain,
			About: []string{"NAME and KEY are as for reg get. With VALUE the verdict is about that value, which is not " +
				"stored; without it about the one that is."},
			Examples: []Example{{`reg explain "Ethernet 7" *JumboPacket 9014`, "what the driver would make of it"}},
			Result: append(keyFields("key"),
				Field{"detail.effect, detail.constraint, detail.notes, detail.decision, detail.manual",
					"longer texts; empty for none"},
				Field{"detail.related, detail.counters", "lists: keys that it interacts with, and counters that it moves"},
				Field{"verdict.value", "the value that it is about; null for none"},
				Field{"verdict.verdict", "valid, pointless or risky, or invalid"},
				Field{"verdict.reasons", "a list of what speaks against it"},
				Field{"verdict.used", "what the driver works with; null for none"},
				Field{"verdict.remedy", "what it does about an invalid value: default, clamp, feature-off or no-start; else " +
					"empty"}),
		},
		{
			Name: "reg search", Arguments: "WORD...", Help: "find keys by what is known of them", least: 1, most: -1,
			run: regSearch, hostless: true,
			Flags: []Flag{{"scope", "SCOPE", "only keys of this scope"}, {"most", "N", "at most the N best (default 20)"}},
			About: []string{"All words must stand in the name, the summary or the details of a key. The best hits come " +
				"first. Scopes are as for reg list."},
			Examples: []Example{{"reg search interrupt moderation", ""}},
			Result: []Field{
				{"keys", "a list, the best first"}, {"keys.key, keys.scope, keys.summary", "as for reg get"},
				{"keys.driver", "mlx4 or mlx5"},
				{"keys.score", "higher for better hits"}, {"found", "how many were found"},
			},
		},
		{
			Name: "reg export", Arguments: "FILE [NAME...]", Help: "write the registry to a file for regedit", least: 1,
			most: -1, run: regExport,
			Flags:    []Flag{force},
			About:    []string{nameHelp + " Without one the whole registry is written. Only its owner can read the file."},
			Examples: []Example{{`reg export before.reg "Ethernet 7"`, ""}},
			Result: []Field{
				{"files", "a list"}, {"files.file, files.bytes", "name and size"}, {"values", "how many values are in it"},
			},
		},
		{
			Name: "reg import", Arguments: "FILE", Help: "put what a file of regedit changes in the draft", least: 1, most: 1,
			Changes: true,
			run:     regImport, Flags: []Flag{{"apply", "", "apply it at once"}},
			About: []string{"What the file has otherwise than the registry goes in the draft. Values that the console knows " +
				"nothing of are kept and named."},
			Examples: []Example{{"reg import before.reg", ""}},
			Result: append([]Field{
				{"import.file", "its name"}, {"import.changes, import.same", "how many values it changes, and how many are " +
					"stored as it has them"},
				{"import.unknown", "a list of values that no driver reads"},
				{"import.unknown.line, import.unknown.path, import.unknown.name, import.unknown.why",
					"where they stand, and what is not known; left out when there are none"},
				{"draft", "as for plan discard; left out when nothing went there"},
				{"draft.title, draft.operations", "left out when nothing went there"},
				{"change", "with --apply: as for undo; left out otherwise"},
			}, optional(entryFields("change"))...),
		},
		{
			Name: "reg restore", Arguments: "NAME [KEY...]", Help: "store the values of a fresh installation", least: 1,
			most: -1, Changes: true,
			run: regRestore, Flags: []Flag{{"before", "NUMBER", "the values as they were before a change of the journal " +
				"instead"}, draft},
			About:    []string{cardHelp + " Without KEY all keys are restored that reg diff lists."},
			Examples: []Example{{`reg restore "Ethernet 7" *JumboPacket`, ""}},
			Result:   draftedFields(),
		},
		{
			Name: "reg profile list", Help: "list the profiles", run: profileList,
			About: []string{"The scenarios of the tuning tool depend on the processors of a card, and are no profiles: " +
				"perf_tuning applies them."},
			Result: append([]Field{{"profiles", "a list"}}, profileFields("profiles")...),
		},
		{
			Name: "reg profile show", Arguments: "PROFILE", Help: "show the values of a profile", least: 1, most: 1,
			run:    profileShow,
			Result: profileFields("profile"),
		},
		{
			Name: "reg profile save", Arguments: "PROFILE NAME [KEY...]", Help: "keep values of a connection as a profile",
			least: 2, most: -1,
			Changes: true, run: profileSave, Flags: []Flag{{"force", "", "replace a profile of that name"}},
			About: []string{nameHelp + " Without KEY the profile has all values that are not those of a fresh installation. " +
				"Undo does not take it back; reg profile delete does."},
			Examples: []Example{{`reg profile save storage "Ethernet 7"`, ""}}, Result: profileFields("profile"),
		},
		{
			Name: "reg profile apply", Arguments: "PROFILE NAME...", Help: "store the values of a profile", least: 2, most: -1,
			Changes: true,
			run:     profileApply, Flags: []Flag{draft},
			About: []string{nameHelp + " Keys that a connection does not have are left out and named. PROFILE may be a " +
				"scenario of the tuning tool, too: " + scenarioNames() + "."},
			Examples: []Example{{`reg profile apply multicast "Ethernet 3" --draft`, ""},
				{`reg profile apply storage "Ethernet 7" "Ethernet 8" --draft`, ""}},
			Result: draftedFields(),
		},
		{
			Name: "reg profile delete", Arguments: "PROFILE", Help: "forget a profile", least: 1, most: 1, Changes: true,
			run:   profileDelete,
			About: []string{"Adapters keep their values."}, Result: profileFields("profile"),
		},
		{
			Name: "reg profile export", Arguments: "PROFILE FILE", Help: "write a profile to a file", least: 2, most: 2,
			run:   profileExport,
			Flags: []Flag{force}, About: []string{"The file is JSON, which reg profile import reads. Only its owner can " +
				"read it."},
			Result: []Field{{"files", "a list"}, {"files.file, files.bytes", "name and size"}},
		},
		{
			Name: "reg profile import", Arguments: "FILE", Help: "keep a profile that is in a file", least: 1, most: 1,
			Changes: true,
			run:     profileImport, Flags: []Flag{{"force", "", "replace a profile of that name"}},
			Result: profileFields("profile"),
		},
		{
			Name: "plan show", Help: "review the draft", run: planShow,
			About: []string{"The draft is the one that the Registry screen keeps. The review says what it would change, " +
				"which restarts the values need and what these interrupt, and what speaks against it."},
			Result: reviewFields(),
		},
		{
			Name: "plan apply", Help: "apply the draft", Changes: true, Interrupts: true, run: planApply,
			Flags: []Flag{
				{"confirm-within", "TIME", "take it back unless plan confirm comes within this time, 1s to 10m by the " +
					"machine's clock"},
				{"no-restart", "", "leave out the restarts that the values need"},
				{"force", "", "apply it also when it stores invalid values, or may cut your own session"},
			},
			About: []string{"It is applied wholly or not at all, with the restarts that its values need, and each value is " +
				"read back. While a plan waits for its confirmation nothing else can be changed. exec does not wait: the plan " +
				"is taken back when cxdeck starts next after the time."},
			Examples: []Example{{"plan apply --confirm-within 30s", ""}},
			Result: append(changeFields(), Field{"values", "a list"}, Field{"values.target, values.key", "where it was stored"},
				Field{"values.wanted, values.actual", "as the plan wanted it, and as it was read back; null for none"},
				Field{"confirm_within_seconds", "how long there is for plan confirm; left out when it needs none"}),
		},
		{
			Name: "plan confirm", Help: "keep a plan that waits for it", Changes: true, run: planConfirm,
			Result: []Field{{"confirmed.sequence, confirmed.title", "the number of the change in the journal, and what it " +
				"was for"}},
		},
		{
			Name: "plan revert", Help: "take back a plan that waits for its confirmation", Changes: true, Interrupts: true,
			run:    planRevert,
			Result: changeFields(Field{"undoes", "the number of the change that it took back"}),
		},
		{
			Name: "plan discard", Arguments: "[NAME KEY]", Help: "empty the draft, or take one value out of it", most: 2,
			Changes: true,
			run:     planDiscard, About: []string{"NAME and KEY are as for reg get."},
			Result: []Field{
				{"discarded, draft", "what was taken out, and what is left"},
				{"discarded.title, draft.title", "what it is for"},
				{"discarded.operations, draft.operations", "lists: kind, target, and what each does"},
			},
		},
		{
			Name: "plan forecast", Help: "rehearse the draft on a copy of the host", run: planForecast,
			Flags: []Flag{
				{"span", "TIME", "how much of the host's time is compared, 1s to 10m (default 1m)"},
				{"most", "N", "at most the N counters that differ most (default 20)"},
			},
			About: []string{"Two copies of the host run for the same time, one of them with the plan. Neither the host nor " +
				"its time changes."},
			Result: []Field{
				{"span_seconds, settled_seconds", "how long was compared, and how long the restarts took before that"},
				{"found", "how many counters differ"}, {"counters", "a list, the most telling first"},
				{"found_meanwhile, meanwhile", "the same for the time of the restarts, in which what counts nothing is 0"},
				{"counters.counter, counters.per_second", "its path, and whether the values are a second"},
				{"counters.before, counters.after, counters.change", "without the plan and with it, and the part by which that " +
					"differs; null for none"},
				{"events", "a list of events that only the plan brings, each as events prints it"},
			},
		},
		{
			Name: "plan export", Arguments: "FILE", Help: "write the draft for a real host", least: 1, most: 1, run: planExport,
			Flags: []Flag{force},
			About: []string{"The end of the name says as what: .ps1 is a PowerShell script with the one that takes it back " +
				"beside it, .reg a registry file, .txt text for a change ticket. Only its owner can read the file."},
			Examples: []Example{{"plan export change.ps1", "and change-undo.ps1"}},
			Result: []Field{
				{"files", "a list"}, {"files.file, files.bytes", "name and size"},
				{"left", "a list of what a registry file can't do"},
			},
		},
	}
}

// reviewFields are those of a review.
func reviewFields() []Field {
	var fields []Field
	for _, f := range []Field{
		{"title", "what it is for"}, {"operations", "a list: kind, target, and what each does; empty without a draft"},
		{"refusal", "why it can't be applied; left out when it can"},
		{"changes", "a list of values"}, {"changes.target, changes.key, changes.scope", "whose, and which"},
		{"changes.stored, changes.planned", "now and after it; null for none"},
		{"changes.effective, changes.next", "what the driver works with now, and will; null for none"},
		{"changes.applies, changes.counts", "when it counts, and whether it does after the plan"},
		{"changes.verdict, changes.reasons", "valid, pointless or risky, or invalid, and why"},
		{"steps", "a list of what it does beside"},
		{"restarts", "a list"}, {"restarts.does, restarts.needed", "what it does, and whether the values need it"},
		{"restarts.connections, restarts.down_seconds, restarts.back", "what goes down, how long, and whether it comes back"},
		{"restarts.interrupted_bits_per_second, restarts.workloads, restarts.virtual_functions", "what that interrupts"},
		{"restarts.management", "whether your own session goes through it"},
		{"unreceived", "a list: traffic of now that will find no receiver, the most first"},
		{"unreceived.target, unreceived.vlan", "where, and the VLAN when that is why, else left out"},
		{"unreceived.why, unreceived.bits_per_second, unreceived.workloads", "why, how much, and of what"},
		{"warnings", "a list, the worst first"},
		{"warnings.severity, warnings.target, warnings.key, warnings.text", "what speaks against it, and where"},
		{"management", "what it does to your own session: connection, touched, lost, down_seconds and why"},
	} {
		fields = append(fields, f.under("plan"))
	}
	return fields
}

// draftedFields are those of a change that may go in the draft instead.
func draftedFields() []Field {
	return append([]Field{
		{"draft", "with --draft: what is in it then; left out otherwise"},
		{"draft.title, draft.operations", "what it is for, and a list: kind, target, and what each does; left out " +
			"without --draft"},
		{"change", "without --draft: what was done; left out otherwise"},
	}, optional(entryFields("change"))...)
}

// optional says of fields that they may be left out.
func optional(fields []Field) []Field {
	for i := range fields {
		fields[i].Meaning += "; left out with the change"
	}
	return fields
}

// profileFields are those of a profile.
func profileFields(name string) []Field {
	var fields []Field
	for _, f := range []Field{
		{"name, about", "what it is called, and what it is for"}, {"values", "a list"},
		{"values.key, values.value", "the key with its scope, and the value as it is typed; null for a key that is to be " +
			"absent"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}
