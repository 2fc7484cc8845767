package exec

// adapterCommands are those that watch adapters, and stop and start them.
func adapterCommands() []Command {
	return []Command{
		{
			Name: "adapter list", Help: "list adapters and ports", run: adapterList,
			Result: append(adapterFields("adapters"), virtualFields("a list of the adapters of teams, VLANs and virtual "+
				"IPoIB ports")...),
		},
		{
			Name: "adapter show", Arguments: "NAME", Help: "show an adapter or a port", least: 1, most: 1, run: adapterShow,
			About:    []string{cardHelp},
			Examples: []Example{{`adapter show "Ethernet 7"`, "the port and the card it is on"}},
			Result: append(adapterFields("adapter"),
				virtualFields("instead of adapter for that of a team, of a VLAN or of a virtual IPoIB port")...),
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
			Name: "adapter reset", Arguments: "NAME", Help: "reset a card with its firmware", least: 1, most: 1, Changes: true,
			Interrupts: true, run: adapterReset,
			About: []string{"NAME is the name of a card or of a connection on it. " + afterName + " All counters of the card " +
				"begin anew, and the drivers of its ports start again. Undo has nothing to take back."},
			Examples: []Example{{`adapter reset "ConnectX-5 Ex"`, ""}}, Result: changeFields(),
		},
		{
			Name: "statistics reset", Arguments: "NAME [receive|send|all]", Help: "clear the statistics of the rings", least: 1,
			most:    2,
			Changes: true, run: statisticsReset,
			About: []string{nameHelp + " Only the tool of WinOF does it. All other counters stay. Undo has nothing to " +
				"take back."},
			Examples: []Example{{`statistics reset "Ethernet 3" receive`, ""}}, Result: changeFields(),
		},
		{
			Name: "dropless set", Arguments: "NAME on|off", Help: "let packets wait for receive descriptors, or no longer",
			least: 2, most: 2,
			Changes: true, run: droplessSet,
			About: []string{nameHelp + " How long packets may wait is what DelayDropTimeout says. Each start of the " +
				"driver ends the mode; on WinOF-2, a DelayDropTimeout that is stored and is not 0 enters it again."},
			Examples: []Example{{`dropless set "Ethernet 7" on`, ""}}, Result: changeFields(),
		},
		{
			Name: "management set", Arguments: "NAME|none", Help: "say which way your own session takes", least: 1, most: 1,
			Changes: true,
			run:     managementSet,
			About: []string{nameHelp + " What could cut that way is warned of, and a plan that does is applied with a " +
				"confirmation."},
			Examples: []Example{{`management set "Ethernet 7"`, ""}}, Result: changeFields(),
		},
		{
			Name: "driver reload", Arguments: "mlx4|mlx5", Help: "unload a driver and load it again", least: 1, most: 1,
			Changes:    true,
			Interrupts: true, run: driverReload,
			About: []string{"All adapters of the driver go and come back, which takes four seconds of the host's time. What " +
				"waits for a reload takes effect. Undo has nothing to take back."},
			Examples: []Example{{"driver reload mlx4", ""}}, Result: changeFields(),
		},
		{
			Name: "host reboot", Help: "start the host anew", Changes: true, Interrupts: true, run: hostReboot,
			About: []string{"All adapters go and come back, which takes about a minute of the host's time. What waits for a " +
				"reboot takes effect, and the counters of the cards begin anew. Undo has nothing to take back."},
			Result: changeFields(),
		},
	}
}
