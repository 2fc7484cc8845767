package exec

// registryCommands are those for single keys of the registry.
func registryCommands() []Command {
	return []Command{
		{
			Name: "reg list", Arguments: "[NAME [TEXT]]", Help: "list registry keys", most: 2, run: regList,
			Flags: []Flag{
				{"scope", "SCOPE", "only keys of this scope"},
				{"changed", "", "only those that are not at their default, or wait"},
			},
			About: []string{cardHelp + " TEXT is a part of the names wanted. Without NAME all keys of the drivers are " +
				"listed, with the connections that have them.",
				"A key has three values: what is stored, what is in effect since the driver read it, and the default.",
				scopesHelp()},
			Examples: []Example{
				{`reg list "Ethernet 7" rss`, "what has to do with receive side scaling"},
				{`reg list --scope firmware`, "what is set in firmware, and on which adapters"},
			},
			Result: append(keyFields("keys"),
				Field{"catalogue", "without NAME, instead of keys: a list of the keys of all drivers"},
				Field{"catalogue.key, catalogue.scope, catalogue.type, catalogue.applies, catalogue.summary",
					"as in keys, and for reg get"},
				Field{"catalogue.driver", "mlx4 or mlx5"},
				Field{"catalogue.adapters", "a list: the connections that have it"}),
		},
		{
			Name: "reg get", Arguments: "NAME KEY", Help: "explain a registry key and its values", least: 2, most: 2,
			run: regGet,
			About: []string{cardHelp + " In KEY neither case nor the asterisk at the front matter; bus-driver/LogNumQP names " +
				"the scope, too."},
			Examples: []Example{{`reg get "Ethernet 7" *JumboPacket`, ""}},
			Result:   keyFields("key"),
		},
		{
			Name: "reg set", Arguments: "NAME KEY VALUE", Help: "store a value in the registry", least: 3, most: 3,
			Changes: true,
			run:     regSet,
			About: []string{"NAME and KEY are as for reg get. VALUE is a number (9014, 0x2336) or a text, as the key takes. " +
				"A real registry takes a value that the driver can't use as well: --force stores it, and the answer says what " +
				"the driver will make of it."},
			Flags: []Flag{
				{"draft", "", "put it in the draft instead of storing it"},
				{"force", "", "store it although the driver can't use it"},
			},
			Examples: []Example{{`reg set "Ethernet 7" *JumboPacket 9014`, ""},
				{`reg set "Ethernet 7" *JumboPacket 9014 --draft`, "for plan apply"}},
			Result: append(draftedFields(), optional(keyFields("key"))...),
		},
		{
			Name: "reg unset", Arguments: "NAME KEY", Help: "remove a value from the registry", least: 2, most: 2, Changes: true,
			run: regUnset, Flags: []Flag{{"draft", "", "put it in the draft instead of removing it"}},
			About:  []string{"NAME and KEY are as for reg get. The driver does without the value, mostly with its default."},
			Result: append(draftedFields(), optional(keyFields("key"))...),
		},
	}
}
