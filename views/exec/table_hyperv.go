package exec

import "cxdeck/driver"

// guestFields are those of a network adapter of a virtual machine; name is the field that it stands in.
func guestFields(name string) []Field {
	fields := []Field{{name, "a list"}}
	for _, f := range []Field{
		{"vm", "whose it is; left out for one of the host"}, {"name", "its own"}, {"switch", "the virtual switch; left " +
			"out for none"},
		{"mac, static_mac, vlan", "its address, whether that is static, and the id of its VLAN, 0 for none"},
		{"guest_device", "what the machine shows for its virtual function, also without a driver; left out for none"},
		{"path", "VF, synthetic or none: the way of its traffic"}, {"virtual_function", "its number, null for none"},
		{"iov_weight, iov_queue_pairs_requested, iov_queue_pairs", "what it asks of SR-IOV, and how many queue pairs it got"},
		{"vmq_weight, vmmq_enabled, vmmq_queue_pairs_requested, vmmq_queue_pairs", "what it asks of VMQ and VMMQ, and " +
			"how many it got"},
		{"queues, default_queue", "a list: the receive rings that serve it; whether it has none of its own"},
		{"rdma_weight, virtual_subnet", "RDMA and NVGRE"},
		{"encapsulated_to, longest_packet_bytes", "the provider address that its packets are encapsulated to, and the " +
			"longest IP packet that it can send so; left out when they are not"},
		{"plain_why", "why not, though it is in a virtual subnet; left out when they are"},
		{"quarantine", "why it was taken off the network; left out when it was not"},
		{"blocked", "whether the filter platform holds its port"}, {"why", "why it is not as it asks; left out when it is"},
		{"limits", "a list: what versions of Windows, drivers or firmware lack for what it asks; left out when nothing is"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// machineFields are those of a virtual machine.
func machineFields(name string) []Field {
	fields := []Field{{name, "a list"}}
	if name == "vm" {
		fields[0].Meaning = "the virtual machine"
	}
	for _, f := range append([]Field{
		{"name, state", "its name, and Off, Running, Paused or Saved"},
		{"guest_driver", "version of the adapter's driver inside of it; left out without one"},
		{"system, memory_mb", "the Windows inside of it, and its memory"},
	}, guestFields("adapters")...) {
		fields = append(fields, f.under(name))
	}
	return fields
}

// vswitchFields are those of a virtual switch.
func vswitchFields() []Field {
	fields := []Field{{"switches", "a list"}}
	for _, f := range []Field{
		{"name, guid, on", "its name and GUID, and the connection or team that it is on"},
		{"iov_enabled, iov_support", "whether it was made with SR-IOV, and whether its ports can have virtual functions now"},
		{"packet_direct_enabled, allow_management_os", "PacketDirect, and an adapter of the host"},
		{"extension", "the extension that is enabled; left out for none"}, {"adapters", "how many are connected"},
		{"why", "what is wrong with it; left out when nothing is"},
	} {
		fields = append(fields, f.under("switches"))
	}
	return fields
}

// hyperVCommands are those for virtual machines and virtual switches.
func hyperVCommands() []Command {
	const machine = "VM is the name of a virtual machine."
	state := func(verb, help string, to driver.VMState, interrupts bool) Command {
		return Command{
			Name: "vm " + verb, Arguments: "VM...", Help: help, least: 1, most: -1, Changes: true, Interrupts: interrupts,
			run:   vmState(to),
			About: []string{machine}, Result: changeFields(),
		}
	}
	return []Command{
		{Name: "vm list", Help: "list virtual machines with their adapters", run: vmList, Result: machineFields("vms")},
		{
			Name: "vm show", Arguments: "VM", Help: "show a virtual machine", least: 1, most: 1, run: vmShow,
			About:    []string{machine},
			Examples: []Example{{"vm show vm001", ""}}, Result: machineFields("vm"),
		},
		state("start", "start virtual machines", driver.VMRunning, false),
		state("stop", "shut virtual machines down", driver.VMOff, true),
		state("pause", "let virtual machines stand still", driver.VMPaused, true),
		state("save", "write virtual machines to the disk", driver.VMSaved, true),
		{
			Name: "vm create", Arguments: "VM", Help: "make a virtual machine", least: 1, most: 1, Changes: true, run: vmCreate,
			Flags: []Flag{
				{"switch", "SWITCH", "the virtual switch of its network adapter"}, {"vf", "", "ask for a virtual function"},
				{"guest-driver", "VERSION", "version of the adapter's driver inside of it"},
				{"guest-system", "SYSTEM", "the Windows inside of it, such as \"Windows Server 2019\"; without it that of the host"},
				{"memory", "SIZE", "its memory, such as 8GB or 512MB; 4096MB without it"},
				{"start", "", "start it at once"},
			},
			About:    []string{"It has one network adapter, and is off."},
			Examples: []Example{{"vm create web1 --vf --guest-driver 24.4.26429", ""}}, Result: changeFields(),
		},
		{
			Name: "vm remove", Arguments: "VM", Help: "remove a virtual machine", least: 1, most: 1, Changes: true,
			Interrupts: true, run: vmRemove,
			About: []string{machine}, Result: changeFields(),
		},
		{
			Name: "vm driver", Arguments: "VM VERSION|none", Help: "install the adapter's driver inside of a virtual machine",
			least: 2, most: 2,
			Changes: true, Interrupts: true, run: vmDriver, About: []string{machine + " Without the driver no virtual " +
				"function works there."},
			Examples: []Example{{"vm driver vm001 24.4.26429", ""}}, Result: changeFields(),
		},
		{Name: "vswitch list", Help: "list virtual switches", run: vswitchList, Result: vswitchFields()},
		{
			Name: "vswitch create", Arguments: "SWITCH NAME", Help: "make a virtual switch", least: 2, most: 2, Changes: true,
			Interrupts: true,
			run:        vswitchCreate,
			Flags: []Flag{
				{"iov", "", "with SR-IOV, which can't be added later"}, {"packet-direct", "", "with PacketDirect"},
				{"no-host", "", "without an adapter of the host"},
			},
			About:    []string{"NAME is a connection or a team."},
			Examples: []Example{{`vswitch create Lab "Ethernet 9" --iov`, ""}}, Result: changeFields(),
		},
		{
			Name: "vswitch remove", Arguments: "SWITCH", Help: "remove a virtual switch", least: 1, most: 1, Changes: true,
			Interrupts: true,
			run:        vswitchRemove, About: []string{"The adapters at it are disconnected."}, Result: changeFields(),
		},
		{
			Name: "vfpctrl /list-vmswitch-port", Help: "list the ports of virtual switches", tool: true, run: vfpList,
			Result: []Field{
				{"ports", "a list"}, {"ports.port_name, ports.port_id, ports.port_type", "its name, its number, and " +
					"Synthetic, SR-IOV or Internal"},
				{"ports.switch, ports.switch_id", "the switch, and its GUID"}, {"ports.vm", "whose adapter it is; left out " +
					"for one of the host"},
				{"ports.adapter, ports.nic_name, ports.mac", "the adapter, as it is called and by the GUIDs of machine and adapter, and its " +
					"address"},
				{"ports.vmq", "whether it has a receive queue of its own"}, {"ports.blocked", "whether the filter platform holds it"},
			},
		},
		{
			Name: "vfpctrl /disable-port", Arguments: "/port PORT", Help: "take a port out of the filter platform", most: -1,
			Changes: true, tool: true,
			run: vfpPort("disable-port", false),
			About: []string{"PORT is a name that vfpctrl /list-vmswitch-port prints. It holds until the virtual machine is " +
				"started again."}, Result: changeFields(),
		},
		{
			Name: "vfpctrl /enable-port", Arguments: "/port PORT", Help: "put a port back into the filter platform", most: -1,
			Changes: true, Interrupts: true, tool: true,
			run: vfpPort("enable-port", true), Result: changeFields(),
		},
	}
}
