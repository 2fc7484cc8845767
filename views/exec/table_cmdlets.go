package exec

import (
	"slices"
	"strings"

	"cxdeck/driver"
)

// cmdlets are the commands of PowerShell for SR-IOV, Hyper-V and NVGRE.
func cmdlets() []Command {
	return slices.Concat(sriovCmdlets(), switchCmdlets(), machineCmdlets(), recordCmdlets())
}

// cmdletRow makes a command of PowerShell.
func cmdletRow(c Command, parameters []psParameter, do func(*cmdlet) (answer, error)) Command {
	c.tool, c.most = true, -1
	if c.run == nil {
		c.run = onCmdlet(c.Name, parameters, do)
	}
	return c
}

// changing makes one that changes the host.
func changing(name, arguments, help string, interrupts bool, about []string, example string, parameters []psParameter,
	do func(*cmdlet) (answer, error)) Command {
	c := Command{
		Name: name, Arguments: arguments, Help: help, Changes: true, Interrupts: interrupts,
		About: append(slices.Clone(about), psChange), Result: triedFields(),
	}
	if example != "" {
		c.Examples = []Example{{example, ""}}
	}
	return cmdletRow(c, parameters, do)
}

// also is a command with more fields in its result.
func (c Command) also(fields ...Field) Command {
	c.Result = slices.Concat(c.Result, fields)
	return c
}

// What is said of parameters, of changes and of names.
const (
	psHelp      = "Names of parameters may be shortened, in any case. -Confirm:$false is taken."
	psChange    = "-WhatIf says what would be done, and does not do it. Undo takes the change back."
	psNamesHelp = "A NAME may have * and ? in it, for any text and for one character. "
)

// sriovCmdlets are those for adapters and the computer.
func sriovCmdlets() []Command {
	name := []psParameter{psAlso(psNames("Name"), "InterfaceAlias")}
	support := []Field{{"iov_support, iov_support_reasons", "whether the host supports SR-IOV, and a list of reasons"}}
	feature := func(verb, noun, help string, which driver.AdapterFeature, on bool, about string) Command {
		parameters, arguments := name, "[-Name] NAME"
		if which == driver.FeatureNetworkVirtualization {
			parameters, arguments = append(slices.Clone(name), psNamed("ComponentID")), arguments+" -ComponentID ms_netwnv"
		}
		return changing(verb+"-NetAdapter"+noun, arguments, help, true, []string{about + psHelp}, "", parameters,
			switchFeature(which, on))
	}
	vmq := func(verb, help string, on bool, about string) Command {
		return changing(verb+"-NetAdapterVmq", "[-Name] NAME [-NoRestart]", help, true, []string{about + "It sets the key *VMQ, " +
			"and restarts the adapter unless there is -NoRestart. " + psHelp}, verb+`-NetAdapterVmq "Ethernet 8"`,
			append(slices.Clone(name), psFlag("NoRestart")), switchVmq(on))
	}
	const (
		direct  = "NAME is an Ethernet connection. A virtual switch is made with PacketDirect after that. "
		network = "NAME is a connection. Windows Server 2012 needs it for NVGRE. "
		rdma    = "NAME is an adapter of the host at a virtual switch, or a connection, whose key *NetworkDirect it sets. "
	)
	return []Command{
		{
			Name: "(Get-VmHost).IovSupport", Help: "say whether the host supports SR-IOV", tool: true, run: iovSupport(false),
			Result: support,
		},
		{
			Name: "(Get-VmHost).IovSupportReasons", Help: "say why the host supports SR-IOV or does not", tool: true,
			run: iovSupport(true), Result: support,
		},
		cmdletRow(Command{
			Name: "Get-NetAdapterSriov", Arguments: "[[-Name] NAME]", Help: "show SR-IOV of adapters", About: []string{psHelp},
			Result: []Field{
				{"adapters", "a list"}, {"adapters.name, adapters.interface_description", "names of the connection"},
				{"adapters.enabled, adapters.sriov_support, adapters.num_vfs", "as Windows has them"},
				{"adapters.switch_name", "the switch in the card, which Windows calls Default Switch; left out where there is " +
					"none"},
			},
		}, name, getNetAdapterSriov),
		changing("Set-NetAdapterSriov", "[-Name] NAME -NumVFs N", "say how many virtual functions Windows may use", true,
			[]string{psHelp},
			`Set-NetAdapterSriov -Name "Ethernet 7" -NumVFs 8`, append(slices.Clone(name), psNamed("NumVFs")),
			setNetAdapterSriov),
		{
			Name: "Set-ExecutionPolicy", Arguments: "[-ExecutionPolicy] POLICY [-Force]", tool: true, most: -1, Asks: true,
			Help: "rehearse the first step of the manual before its own commands", run: setExecutionPolicy,
			About: []string{"POLICY is " + strings.Join(executionPolicies(), ", ") + ". It asks first, unless there is " +
				"-Force; where nobody can be asked, the answer is yes. The lab runs no scripts: nothing is changed, and there " +
				"is nothing to take back. " + psHelp},
			Examples: []Example{{"Set-ExecutionPolicy AllSigned", ""}},
			Result:   []Field{{"policy", "as Windows writes it"}},
		},
		cmdletRow(Command{
			Name: "Get-MlnxPCIDeviceSriovSetting", Arguments: "[[-Name] CARD]", Help: "show how WinOF cards share virtual " +
				"functions among their ports",
			About: []string{"CARD is HCA 0, HCA 1 and so on. Cards without virtual functions in their firmware are not " +
				"listed. " + psHelp},
			Result: []Field{
				{"devices", "a list"}, {"devices.name, devices.description, devices.instance_id, devices.system_name",
					"as Windows has them"},
				{"devices.sriov_port_mode", "0 all to port 1, 1 all to port 2, 2 by the counts"},
				{"devices.sriov_port1_num_vfs, devices.sriov_port2_num_vfs", "the counts"},
			},
		}, []psParameter{psOne("Name")}, getPCIDeviceSriov),
		func() Command {
			c := changing("Set-MlnxPCIDeviceSriovSetting", "[-Name] CARD PARAMETER N...",
				"share the virtual functions of a WinOF card among its ports", false,
				[]string{"CARD is one that Get-MlnxPCIDeviceSriovSetting lists. Parameters are -SriovPortMode, which is 0 (all " +
					"to port 1), 1 (all to port 2) or 2 (by the counts), and the counts -SriovPort1NumVFs and -SriovPort2NumVFs. " +
					"It asks first, unless there is -Confirm:$false; where nobody can be asked, the answer is yes. It counts from " +
					"the next driver reload on."},
				`Set-MlnxPCIDeviceSriovSetting "HCA 0" -SriovPortMode 0 -Confirm:$false`,
				[]psParameter{psOne("Name"), psNamed("SriovPortMode"), psNamed("SriovPort1NumVFs"), psNamed("SriovPort2NumVFs"),
					psFlag(psConfirm)},
				setPCIDeviceSriov)
			c.Asks = true
			return c
		}(),
		cmdletRow(Command{
			Name: "Get-MlnxDriverCoreSetting", Help: "show what the WinOF driver has for all cards",
			Result: []Field{{"setting.caption, setting.description, setting.system_name", "as Windows has them"},
				{"setting.roce_mode", "0 off, 1 RoCE v1, 2 RoCE v2"}},
		}, nil, getDriverCore),
		changing("Set-MlnxDriverCoreSetting", "-RoceMode 0|1|2", "set the RoCE mode of the WinOF driver for all cards", false,
			[]string{"0 switches RoCE off, 1 is RoCE v1 and 2 RoCE v2; the registry counts otherwise. A card whose firmware " +
				"has not the mode works with the highest that it has. It counts after a restart of each adapter. " + psHelp},
			"Set-MlnxDriverCoreSetting -RoceMode 2", []psParameter{psNamed("RoceMode")},
			setDriverCore).also(keyFields("key")...),
		cmdletRow(Command{
			Name: "Get-NetAdapterVPort", Arguments: "[[-Name] NAME,...] [PARAMETER VALUE]...",
			Help: "list the virtual ports of cards, with their queues",
			About: []string{"Parameters are -VPortID N,..., which shows these with all that is known, -FunctionID N,... for " +
				"virtual functions, -PhysicalFunction for what is not theirs, and -SwitchID N,..., of which there is 0 alone. " +
				"VID is the VLAN, ProcMask the group of processors with a bit for each that serves the port's queues, FID the " +
				"function, ITR the interrupt moderation, QPairs how many queue pairs were granted. RSS, which the lab adds, says " +
				"on which processors of the host packets are spread: those of a virtual function are spread inside of the " +
				"virtual machine. " + psNamesHelp + psHelp},
			Examples: []Example{{`Get-NetAdapterVPort -Name "Ethernet 7" -VPortID 0`, ""}},
			Result: []Field{
				{"vports", "a list"}, {"vports.connection, vports.vport_id", "the port, and the number there; 0 is the " +
					"default one"},
				{"vports.switch_id, vports.state", "0 and Activated, as Windows lists them"},
				{"vports.virtual_function", "its number, null for the physical function"},
				{"vports.mac, vports.vlan", "what is received there"},
				{"vports.interrupt_moderation", "Adaptive or Off"},
				{"vports.processor, vports.queue_pairs", "the first processor that serves it, and how many queue pairs it has"},
				{"vports.rss, vports.processors", "whether packets are spread over several queues, and a list of the processors " +
					"of the host that serve these; empty for a virtual function"},
				{"vports.vm, vports.adapter", "whose it is; left out for the default one"},
			},
		}, vportParameters(), getNetAdapterVPort),
		cmdletRow(Command{
			Name: "Get-NetAdapterRdma", Arguments: "[[-Name] NAME]", Help: "show RDMA of connections, and of the host's " +
				"adapters at virtual switches", About: []string{psHelp},
			Result: []Field{{"adapters", "a list"}, {"adapters.name, adapters.interface_description, adapters.enabled",
				"as Windows has them"}},
		}, name, getNetAdapterRdma),
		cmdletRow(Command{
			Name: "Get-NetAdapterVmq", Arguments: "[[-Name] NAME]", Help: "show VMQ of connections", About: []string{psHelp},
			Result: []Field{{"adapters", "a list"}, {"adapters.name, adapters.interface_description, adapters.enabled, " +
				"adapters.base_vmq_processor, adapters.max_processors, adapters.number_of_receive_queues",
				"as Windows has them"}},
		}, name, getNetAdapterVmq),
		vmq("Enable", "switch VMQ on", true, "It takes a virtual switch without SR-IOV on the connection. "),
		vmq("Disable", "switch VMQ off", false, ""),
		feature("Enable", "Rdma", "switch RDMA on", driver.FeatureRdma, true, rdma),
		feature("Disable", "Rdma", "switch RDMA off", driver.FeatureRdma, false, rdma),
		feature("Enable", "PacketDirect", "switch PacketDirect on", driver.FeaturePacketDirect, true, direct),
		feature("Disable", "PacketDirect", "switch PacketDirect off", driver.FeaturePacketDirect, false, direct),
		feature("Enable", "Binding", "bind network virtualization to a connection", driver.FeatureNetworkVirtualization,
			true, network),
		feature("Disable", "Binding", "unbind network virtualization from a connection",
			driver.FeatureNetworkVirtualization, false, network),
	}
}

// switchCmdlets are those for virtual switches.
func switchCmdlets() []Command {
	extension := func(verb, help string, on bool) Command {
		return changing(verb+"-VMSwitchExtension", "[-VMSwitchName] SWITCH [-Name] NAME", help, on,
			[]string{"NAME is that of the filter platform, Windows Azure VFP Switch Extension or Microsoft Azure VFP Switch " +
				"Extension. Without rules it blocks all virtual machines, until vfpctrl takes their ports out."}, "",
			[]psParameter{psOne("VMSwitchName"), psOne("Name")}, switchExtension(on))
	}
	return []Command{
		cmdletRow(Command{Name: "Get-VMSwitch", Arguments: "[[-Name] SWITCH]", Help: "list virtual switches",
			Result: vswitchFields()},
			[]psParameter{psOne("Name")}, getVMSwitch),
		changing("New-VMSwitch", "[-Name] SWITCH -NetAdapterName NAME [PARAMETER $true|$false]...",
			"make a virtual switch", true, []string{"NAME is a connection or a team. Parameters are -EnableIov, which can't " +
				"be changed later, -EnablePacketDirect and -AllowManagementOS, which is $true when it is left out. " + psHelp},
			`New-VMSwitch -Name Lab -NetAdapterName "Ethernet 9" -EnableIov $true`,
			[]psParameter{psOne("Name"), psNamed("NetAdapterName"), psNamed("EnableIov"), psNamed("EnablePacketDirect"),
				psNamed("AllowManagementOS")},
			newVMSwitch),
		changing("Set-VMSwitch", "[-Name] SWITCH -AllowManagementOS $true|$false", "give the host an adapter at a "+
			"virtual switch, or take it away",
			true, []string{psHelp}, "", []psParameter{psOne("Name"), psNamed("AllowManagementOS")}, setVMSwitch),
		changing("Remove-VMSwitch", "[-Name] SWITCH [-Force]", "remove a virtual switch", true, []string{psHelp}, "",
			[]psParameter{psOne("Name"), psFlag("Force")}, removeVMSwitch),
		extension("Enable", "enable the filter platform of a virtual switch", true),
		extension("Disable", "disable the filter platform of a virtual switch", false),
	}
}

// machineCmdlets are those for virtual machines and their network adapters.
func machineCmdlets() []Command {
	vms := []psParameter{psAlso(psParameter{name: "Name", list: true}, "VMName"), psFlag("Force")}
	state := func(verb, help string, to driver.VMState, interrupts bool) Command {
		return changing(verb+"-VM", "[-Name] VM,... [-Force]", help, interrupts, []string{psHelp}, "", vms, setVM(to))
	}
	named := psAlso(psNamed("Name"), "VMNetworkAdapterName")
	const (
		meant = "Without -Name all adapters of the virtual machine are meant; -ManagementOS means those of the host. "
		whom  = "[-VMName] VM|-ManagementOS [-Name NAME]"
	)
	with := func(more ...psParameter) []psParameter { return append(whose(named), more...) }
	get := cmdletRow(Command{
		Name: "Get-VMNetworkAdapter", Arguments: "[[-VMName] VM|-ManagementOS|-All] [-Name NAME]",
		Help: "list network adapters of virtual machines",
		About: []string{meant + "As in the manual, | where {$_.MacAddress -eq MAC} chooses among them, and | " +
			"Set-VMNetworkAdapter or | Remove-VMNetworkAdapter changes those that are left. " + psHelp},
		Examples: []Example{{"Get-VMNetworkAdapter -VMName vm001", ""}}, Result: append(guestFields("adapters"),
			triedFields()...), run: getVMNetworkAdapter,
	}, nil, nil)
	return []Command{
		cmdletRow(Command{Name: "Get-VM", Arguments: "[[-Name] VM]", Help: "list virtual machines",
			Result: machineFields("vms")},
			[]psParameter{psAlso(psNames("Name"), "VMName")}, getVM),
		changing("New-VM", "[-Name] VM [-SwitchName SWITCH] [-MemoryStartupBytes SIZE]", "make a virtual machine", false,
			[]string{"SIZE is one such as 8GB or 512MB, and 4096MB without it. Generation and disks are taken, and change " +
				"nothing in a lab. " + psHelp}, "New-VM -Name web1 -MemoryStartupBytes 8GB",
			[]psParameter{psAlso(psOne("Name"), "VMName"), psNamed("SwitchName"), psNamed("Generation"),
				psNamed("MemoryStartupBytes"), psFlag("NoVHD")}, newVM),
		changing("Remove-VM", "[-Name] VM [-Force]", "remove a virtual machine", true, []string{psHelp}, "",
			[]psParameter{psAlso(psOne("Name"), "VMName"), psFlag("Force")}, removeVM),
		state("Start", "start virtual machines", driver.VMRunning, false),
		state("Stop", "shut virtual machines down", driver.VMOff, true),
		state("Suspend", "let virtual machines stand still", driver.VMPaused, true),
		state("Save", "write virtual machines to the disk", driver.VMSaved, true),
		get,
		changing("Add-VMNetworkAdapter", "[-VMName] VM|-ManagementOS [PARAMETER VALUE]...",
			"give a virtual machine or the host a network adapter", false,
			[]string{"Parameters are -Name, -SwitchName and -StaticMacAddress. The host needs a switch. " + psHelp},
			"Add-VMNetworkAdapter -VMName vm001 -Name Backup",
			with(psNamed("SwitchName"), psNamed("StaticMacAddress")), addVMNetworkAdapter),
		changing("Remove-VMNetworkAdapter", whom, "remove a network adapter", true, []string{meant + psHelp}, "", with(),
			onGuests("Remove-VMNetworkAdapter")),
		changing("Set-VMNetworkAdapter", whom+" [PARAMETER VALUE]...", "set up a network adapter", true,
			[]string{meant + "Parameters are -IovWeight, -VmqWeight (0 to 100), -IovQueuePairsRequested, -VmmqEnabled " +
				"$true|$false, -VmmqQueuePairs, -StaticMacAddress MAC, -DynamicMacAddress and -VirtualSubnetId (0 for none). " +
				psHelp},
			"Set-VMNetworkAdapter -VMName vm001 -IovWeight 0", with(adapterSettings()...), onGuests("Set-VMNetworkAdapter")),
		changing("Set-VMNetworkAdapterVlan", whom+" -Access -VlanId ID|-Untagged", "put a network adapter into a VLAN",
			true, []string{meant + psHelp}, "",
			with(psFlag("Access"), psFlag("Untagged"), psNamed("VlanId")), onGuests("Set-VMNetworkAdapterVlan")),
		changing("Set-VMNetworkAdapterRdma", whom+" -RdmaWeight 0|100", "allow RDMA in a virtual machine, or no longer",
			false, []string{meant + psHelp}, "",
			with(psNamed("RdmaWeight")), onGuests("Set-VMNetworkAdapterRdma")),
		cmdletRow(Command{
			Name: "Get-VMNetworkAdapterRdma", Arguments: "[[-VMName] VM|-ManagementOS] [-Name NAME]",
			Help:  "show whether RDMA is allowed",
			About: []string{meant + psHelp}, Result: guestFields("adapters"),
		}, with(), getVMNetworkAdapterRdma),
		changing("Connect-VMNetworkAdapter", whom+" -SwitchName SWITCH", "connect a network adapter to a virtual switch",
			false,
			[]string{meant + psHelp}, "", with(psNamed("SwitchName")), onGuests("Connect-VMNetworkAdapter")),
		changing("Disconnect-VMNetworkAdapter", whom, "disconnect a network adapter from its virtual switch", true,
			[]string{meant + psHelp}, "", with(), onGuests("Disconnect-VMNetworkAdapter")),
	}
}

// recordCmdlets are those for the records of NVGRE.
func recordCmdlets() []Command {
	commands := []Command{
		cmdletRow(Command{
			Name: "Get-NetAdapter", Arguments: "[[-Name] NAME]", Help: "list connections with their interface indexes",
			About: []string{psHelp},
			Result: []Field{{"adapters", "a list"}, {"adapters.name, adapters.interface_description, " +
				"adapters.interface_index, adapters.status, adapters.mac",
				"as Windows has them"}},
		}, []psParameter{psNames("Name")}, getNetAdapter),
		{
			Name: "$NIC", Arguments: "= Get-NetAdapter NAME", Help: "say what -InterfaceIndex $NIC.InterfaceIndex means in " +
				"the lines that follow",
			most: -1, tool: true, run: setNIC, Result: []Field{{"nic", "the connection"}},
		},
	}
	words := map[string]string{
		lookupRecord: "-CustomerAddress IP, -ProviderAddress IP, -VirtualSubnetID ID, -MACAddress MAC and -Rule " +
			"TranslationMethodEncap",
		customerRoute:   "-RoutingDomainID GUID, -VirtualSubnetID ID, -DestinationPrefix IP/N, -NextHop IP and -Metric N",
		providerAddress: "-InterfaceIndex N or -InterfaceAlias NAME, -ProviderAddress IP and -PrefixLength N",
		providerRoute:   "-InterfaceIndex N or -InterfaceAlias NAME, -DestinationPrefix IP/N and -NextHop IP",
	}
	names := map[string]string{
		lookupRecord: "address mapping", customerRoute: "route of a virtual network", providerAddress: "provider address",
		providerRoute: "provider route",
	}
	for _, kind := range recordKinds() {
		noun := "NetVirtualization" + kind
		selects := []string{"The parameters of New-" + noun + " choose among them; without any, all are meant. " + psHelp}
		commands = append(commands,
			changing("New-"+noun, "PARAMETER VALUE...", "add an NVGRE "+names[kind], false,
				[]string{"Parameters are " + words[kind] + ". It is not kept over a reboot of a real host. " + psHelp}, "",
				recordParameters(kind), newRecord(kind)),
			changing("Remove-"+noun, "[PARAMETER VALUE]...", "remove NVGRE records of this kind", false, selects, "",
				recordParameters(kind),
				removeRecords(kind)),
			cmdletRow(Command{
				Name: "Get-" + noun, Arguments: "[PARAMETER VALUE]...", Help: "list NVGRE records of this kind", About: selects,
				Result: []Field{{"records", "lists by kind: lookups, customer_routes, provider_addresses or provider_routes; " +
					"those that are empty are left out"}},
			}, recordParameters(kind), getRecords(kind)),
		)
	}
	return commands
}
