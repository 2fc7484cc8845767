package exec

// congestionCommands are those of mlx5cmd for congestion control and for the priority of frames without a tag.
func congestionCommands() []Command {
	result := append([]Field{
		{"connection", "whose they are; with -Get and -Defaults"},
		{"reaction_point, notification_point", "lists: the parameters of senders, and of receivers"},
		{"reaction_point.name, reaction_point.value", "a parameter with its number"},
		{"notification_point.name, notification_point.value", "a parameter with its number"},
	}, changeFields()...)
	about := []string{
		"NAME is that of an Ethernet connection of WinOF-2. VERB is -Get, -Defaults, -Enable [PRIORITY], -Disable " +
			"[PRIORITY], -Set -PARAMETER NUMBER... or -Restore. -Get prints the parameters of senders (RP) and of receivers " +
			"(NP) as they are, -Defaults as a card comes. -Enable and -Disable switch congestion control for one priority, 0 " +
			"to 7, or without one for all; both flags of the priority change together.",
		"-Set takes any of the parameters that -Get prints, each with its number, and -DcqcnEnablePrio0 to 7. Units: " +
			"rates in Mbit/s up to the line rate, times in microseconds, DcqcnRpgByteReset in 64 bytes, DcqcnDceTcpG and " +
			"DcqcnInitialAlphaValue in parts of 1024. Above the line rate the line rate is stored, and the command fails all " +
			"the same; any other value out of range changes nothing. -Restore takes back all that differs from the defaults.",
		"Changes count at once, and undo takes them back.",
	}
	return []Command{
		{
			Name: "mlx5cmd -Qosconfig -Dcqcn", tool: true, least: 1, most: -1, run: dcqcnConfig, Result: result, About: about,
			Arguments: "-Name NAME VERB [VALUE]...",
			Help:      "show congestion control of a connection, or set it up",
			Examples: []Example{
				{`mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 7" -Get`, ""},
				{`mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 7" -Enable 4`, ""},
				{`mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 7" -Set -DcqcnCnpDscp 3`, ""},
			},
		},
		{
			Name: "mlx5cmd -Dcqcn", Arguments: "-Name NAME -Restore", Help: "set congestion control of a connection to its " +
				"defaults", tool: true, least: 1, most: -1, run: dcqcnConfig, Result: result,
			About:    []string{"It is mlx5cmd -Qosconfig -Dcqcn, as the manual writes it in one place. Undo takes it back."},
			Examples: []Example{{`mlx5cmd -Dcqcn -Name "Ethernet 7" -Restore`, ""}},
		},
		{
			Name: "mlx5cmd -Qosconfig -DefaultUntaggedPriority", Arguments: "-Name NAME -Get|-Set PRIORITY", tool: true,
			Help: "show or set the priority of frames without a tag", least: 1, most: -1, run: untaggedPriority,
			About: []string{"NAME is that of an Ethernet connection of WinOF-2, PRIORITY is 0 to 7. It counts at once, and " +
				"undo takes it back. The manual gives no text of the output."},
			Examples: []Example{{`mlx5cmd -Qosconfig -DefaultUntaggedPriority -Name "Ethernet 7" -Set 3`, ""}},
			Result: append([]Field{{"default_untagged_priority", "the priority, with -Get; left out with -Set"}},
				changeFields()...),
		},
	}
}
