package exec

// toolCommands are the vendor's own tools, as far as they are about keys. Their names may end in .exe, and case does
// not matter in them.
func toolCommands() []Command {
	regkeysAbout := []string{"NAME is that of an Ethernet connection of WinOF; without one all of them are shown. The " +
		"manual gives no text of the output; here it is a table."}
	tool := func(name, arguments, help string, least, most int, run func(*call) (answer, error), about []string) Command {
		return Command{
			Name: name, Arguments: arguments, Help: help, least: least, most: most, run: run, tool: true, About: about,
			Result: append([]Field{{"keys.connection", "whose it is"}}, keyFields("keys")...),
		}
	}
	return append(congestionCommands(), []Command{
		tool("mlxtool show regkeys config", "[NAME]", "show the values that the driver works with", 0, 1, regkeys("config"),
			regkeysAbout),
		tool("mlxtool show regkeys diff", "[NAME]", "show where the registry and the driver differ", 0, 1, regkeys("diff"),
			regkeysAbout),
		tool("mlxtool show regkeys info", "[NAME]", "show default, least and most of each key", 0, 1, regkeys("info"),
			regkeysAbout),
		tool("mlxtool show driverparams", "NAME", "show the parameters of a running driver", 1, 1, driverParameters,
			[]string{"NAME is that of a connection of WinOF. The registry does not keep these parameters, and nothing in the " +
				"lab changes them. The manual has their values in a figure alone: but for the limit of 128 packets they are " +
				"estimates of the lab."}),
		tool("mlx5cmd -RegKeys", "[-DynamicKeys] [-Name NAME] [| grep TEXT]",
			"show the keys that the driver of WinOF-2 knows", 0, 6,
			mlx5Keys,
			[]string{"-DynamicKeys leaves out those that do not count at once, -Name all connections but one. The manual " +
				"gives no text of the output; here it is a table."}),
		{
			Name: "mlxtool dbg nonrss-capture", Arguments: "NAME query|start|collect|stop [VALUE...]",
			Help:  "capture received packets that were not hashed",
			least: 2, most: 4, Changes: true, tool: true, run: capture,
			About: []string{"NAME is that of an Ethernet connection of WinOF, on which RssMonitoringEnabled must be 1. start " +
				"takes the number of packets in the buffer (1024 when left out) and of bytes that are kept of each (128). When " +
				"the buffer is full, the oldest packet makes way. collect takes a file (nonrss.pcap) and a VPort (0, the only " +
				"one of the lab), writes the packets in the format of libpcap, and empties the buffer; start and stop empty it, " +
				"too. The counters stay as they are. The manual gives no text of the output."},
			Examples: []Example{
				{`mlxtool dbg nonrss-capture "Ethernet 3" start 256 64`, ""}, {`mlxtool dbg nonrss-capture "Ethernet 3" query`, ""},
			},
			Result: append([]Field{
				{"capture.connection, capture.capturing", "whose it is, and whether it runs; of query and collect, which don't " +
					"have it without a capture"},
				{"capture.buffer_packets, capture.bytes_per_packet", "the sizes of the buffer"},
				{"capture.held_packets, capture.lost_packets", "packets in it, and packets that made way since it was last " +
					"emptied"},
				{"file", "where collect has put the packets"},
			}, changeFields()...),
		},
		{
			Name: "mlx5cmd -Features", Arguments: "[-Name NAME]", Help: "say whether virtual functions are watched", most: 2,
			tool: true, run: features,
			About: []string{"Enabled when VfCpuMonEnable is 1 on the connection, or without -Name on any. The manual gives " +
				"this line of the output alone; with -Name a line of the lab's own says why nothing is read all the same, for " +
				"want of a period or of virtual functions. It changes nothing."},
			Examples: []Example{{`mlx5cmd -Features -Name "Ethernet 7"`, ""}},
			Result: []Field{
				{"state", "Enabled or Disabled"}, {"connections", "a list"},
				{"connections.connection, connections.state", "which, and Enabled or Disabled"},
				{"connections.period_seconds", "time between two readings, 0 when nothing is read"},
				{"connections.why", "why nothing is read though it is enabled; left out otherwise"},
			},
		},
		{
			Name:      "mlx5cmd -dbg -ResourceDump",
			Arguments: "-Dump -Segment 0x5000 OPTION...",
			Help:      "write what virtual functions cost the firmware to a file", least: 1, most: -1, tool: true,
			run: resourceDump,
			About: []string{"Options are -Index1 N [-NumOfObj1 N] -Index2 1|2 [-Depth 1] [-Name NAME]. -Index1 is the number " +
				"of the first virtual function plus one, and -NumOfObj1 how many are wanted, 1 when it is left out; 0xffff and " +
				"0xfffe, all of them elsewhere, are refused here. -Index2 is 1 for FwCpuUsage, in percent, and 2 for Errors2FW, " +
				"a count. Without -Name it is of the first connection of WinOF-2 with virtual functions. Numbers are decimal, " +
				"or hexadecimal behind 0x.",
				"The dump goes to a new folder in the current one, which nobody else can read; the tool prints its name. The " +
					"host stays as it is."},
			Examples: []Example{{"mlx5cmd -dbg -ResourceDump -Dump -Segment 0x5000 -Index1 1 -Index2 1",
				"FwCpuUsage of VF 0"}},
			Result: []Field{
				{"folder, file", "where the dump is: the new folder, and the file in it"}, {"virtual_functions", "a list"},
				{"virtual_functions.connection, virtual_functions.virtual_function", "which"},
				{"virtual_functions.index1", "its index in the dump"},
				{"virtual_functions.counter, virtual_functions.value", "what was read"},
			},
		},
		{
			Name: "perf_tuning", Arguments: tuningSynopsis, Help: "tune connections as the vendor's tool does", least: 1,
			most: -1, Changes: true,
			tool: true, run: perfTuning,
			About: []string{"NAME is that of a connection of WinOF. The values are stored at once and count after a restart " +
				"of the adapter. A second connection with -s and -st is put back to the values of an installation. -b is the " +
				"first processor of RSS and -n their number, for -m alone. --draft puts the values in the draft instead of " +
				"storing them, so that they can be reviewed, and written as a script with plan export; the log of the tool is " +
				"then not left.", tuningHelp()},
			Examples: []Example{{`perf_tuning -s -c1 "Ethernet 3"`, ""}, {`perf_tuning -m -c1 "Ethernet 3" -b 2 -n 4`, ""}},
			Result: append([]Field{
				{"scenario", "its name"}, {"connections", "a list"},
				{"connections.connection, connections.restored", "which, and whether it was put back to the values of an " +
					"installation"},
				{"connections.settings", "a list: key, value, and what was stored before (null for none)"},
				{"connections.absent", "a list of keys that were left out, for the connection does not have them"},
				{"log.path, log.text", "where the tool leaves the values before on a real host, and what it leaves"},
				{"draft", "with --draft: what is in it then, and nothing of the rest"},
			}, changeFields()...),
		},
	}...)
}
