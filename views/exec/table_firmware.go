package exec

// firmwareCommands are those for what SR-IOV needs of the computer and of the firmware of its cards.
func firmwareCommands() []Command {
	const device = "DEVICE is the name that mst status prints; it stands before the verb or behind it. "
	tool := func(c Command) Command {
		c.tool, c.most = true, -1
		return c
	}
	settings := func(name string) []Field {
		var fields []Field
		for _, f := range []Field{
			{"device", "the card: device, device_type, adapter and pci"},
			{"settings", "a list"}, {"settings.name", "of the setting"},
			{"settings.current, settings.next", "what counts now, and from the next boot or reset of the card on; N/A for " +
				"one that was never set"},
			{"settings.default", "what the card does then"}, {"settings.least, settings.most", "its range"},
			{"settings.tool", "mlxconfig, or flint for one of the image's ini file"},
			{"settings.meaning", "what it is for; left out where the manuals do not say"},
		} {
			if name != "" {
				f = f.under(name)
			}
			fields = append(fields, f)
		}
		return fields
	}
	devices := []Field{
		{"devices", "a list"}, {"devices.device, devices.device_type", "its name, and what mlxconfig calls such a card"},
		{"devices.adapter, devices.pci", "the card's name, and where it is plugged in"},
	}
	return []Command{
		{
			Name: "bios show", Help: "show the switches of the computer that SR-IOV needs", run: biosShow,
			Result: []Field{
				{"switches", "a list: name, on, next (from the next boot on), meaning"},
				{"space_mb, used_mb", "address space for cards, and what virtual functions take of it"},
				{"iov_support, iov_support_reasons", "whether the host supports SR-IOV, and a list of reasons"},
			},
		},
		{
			Name: "bios set", Arguments: "SWITCH=on|off...", Help: "set switches of the computer", least: 1, most: 3,
			Changes: true, run: biosSet,
			About:    []string{"SWITCH is sriov, virtualization or above-4g. It counts from the next host reboot on."},
			Examples: []Example{{"bios set sriov=on virtualization=on", ""}}, Result: changeFields(),
		},
		{
			Name: "firmware show", Arguments: "[NAME]", Help: "show the settings in the flash of cards", most: 1,
			run:   firmwareShow,
			About: []string{cardHelp}, Result: append([]Field{{"cards", "a list"}}, settings("cards")...),
		},
		{
			Name: "firmware set", Arguments: "NAME SETTING=VALUE...", Help: "set what the firmware of a card does", least: 2,
			most:    -1,
			Changes: true, run: firmwareSet,
			About: []string{cardHelp + " The values are stored at once; they count from the next host reboot or adapter " +
				"reset on. N/A makes a setting one that was never set."},
			Examples: []Example{{`firmware set "ConnectX-5 Ex" SRIOV_EN=1 NUM_OF_VFS=16`, ""}}, Result: changeFields(),
		},
		tool(Command{
			Name: "mst status", Arguments: "[-v]", Help: "list the devices of the firmware tools", run: mstStatus,
			About: []string{"-v says where they are plugged in, too."}, Result: devices,
		}),
		tool(Command{
			Name: "mlxconfig q", Arguments: "-d DEVICE [-e] [SETTING...]", Help: "show the settings of a card's firmware",
			run: mlxconfigQuery,
			About: []string{device + "query is the same as q. The column Next Boot is there when something waits, and with " +
				"-e, which shows the defaults, too."},
			Examples: []Example{{"mlxconfig -d mt4121_pciconf0 q", ""}}, Result: settings(""),
		}),
		tool(Command{
			Name: "mlxconfig show_confs", Arguments: "-d DEVICE", Help: "list the settings that mlxconfig knows",
			run:   mlxconfigShow,
			About: []string{device}, Result: settings(""),
		}),
		tool(Command{
			Name: "mlxconfig set", Arguments: "-d DEVICE [-y] SETTING=VALUE...", Help: "set what the firmware of a card does",
			Changes: true,
			Asks:    true, run: mlxconfigSet,
			About: []string{device + "s is the same as set. It asks first, unless -y or --yes answers; where nobody can be " +
				"asked, the answer is no. What is set counts from the next host reboot or mlxfwreset on."},
			Examples: []Example{{"mlxconfig -d mt4121_pciconf0 -y set SRIOV_EN=1 NUM_OF_VFS=16", ""}}, Result: changeFields(),
		}),
		tool(Command{
			Name: "mlxconfig reset", Arguments: "-d DEVICE [-y] SETTING...", Help: "make settings as if never set",
			Changes: true, Asks: true, run: mlxconfigReset,
			About: []string{device + "It asks first, unless -y or --yes answers; where nobody can be asked, the answer is no. " +
				"It counts from the next host reboot or mlxfwreset on."},
			Examples: []Example{{"mlxconfig -d mt4121_pciconf0 -y reset NUM_OF_VFS", ""}}, Result: changeFields(),
		}),
		tool(Command{
			Name: "mlxfwreset r", Arguments: "-d DEVICE [--yes]", Help: "start the firmware of a card anew", Changes: true,
			Interrupts: true, Asks: true,
			run: mlxfwreset,
			About: []string{device + "It asks first, unless --yes or -y answers; where nobody can be asked, the answer is " +
				"no. What mlxconfig has set counts from then on. Undo has nothing to take back."},
			Examples: []Example{{"mlxfwreset -d mt4121_pciconf0 r --yes", ""}}, Result: changeFields(),
		}),
		tool(Command{
			Name: "flint dc", Arguments: "-d DEVICE [> FILE]", Help: "print what the image of a WinOF card says of virtual " +
				"functions", run: flintDump,
			About: []string{device + "A real dump has many more lines. firmware set changes these values, for which flint " +
				"burns another image on a real host."},
			Examples: []Example{{"flint -d mt4103_pciconf0 dc", ""}},
			Result: []Field{{"lines", "a list: those of the section HCA"}, {"file", "where they were put, too; left out " +
				"without > FILE"}},
		}),
	}
}
