package subnet

// programs are the programs, by name.
var programs []program

func init() {
	programs = []program{
		{name: "ibnetdiscover", operands: "[topology-file]", summary: "Discover the subnet and write its topology", own: netdiscoverOptions, without: "DGKLs", run: runNetdiscover,
			examples: []string{"", "-p", "--cache before.cache", "--diff before.cache"}},
		{name: "iblinkinfo", summary: "Write the links of all ports, node by node", own: linkinfoOptions, without: "aDdGgKLlnpRS", run: runLinkinfo,
			examples: []string{"", "--down", "-S 0x2c90300a00010", "-l --switches-only"}},
		{name: "ibroute", operands: "[<dest dr_path|lid|guid> [<startlid> [<endlid>]]]", summary: "Write the forwarding table of a switch", own: ibrouteOptions, without: "K",
			run: runRoute, examples: []string{"4", "-a 4", "-n 4 0x10 0x20", "-D 0,1", "-M 4"}},
		{name: "ibtracert", operands: "<src-addr> <dest-addr>", summary: "Trace the path between two ports", own: tracertOptions, without: "DK", run: runTracert,
			examples: []string{"4 16", "-n 4 16", "-m 0xc000 4 16"}},
		{name: "smpquery", operands: smpqueryOperands(), summary: "Ask a node for an attribute of subnet management", own: smpqueryOptions, run: runSmpquery,
			examples: []string{"portinfo 3 1", "-D nodeinfo 0,1", "-c nodeinfo 6 0,12"}},
		{name: "smpdump", operands: "<dlid|dr_path> <attr> [mod]", summary: "Dump an attribute of subnet management", own: smpdumpOptions, without: "GKs", run: runSmpdump,
			examples: []string{"3 0x15 2", "-D 0,1,2 0x11"}},
		{name: "perfquery", operands: "[<lid|guid> [[port(s)] [reset_mask]]]", summary: "Read and reset counters of ports", own: perfqueryOptions, without: "DK", run: runPerfquery,
			examples: []string{"", "32 1", "-x 32 1", "-a 32", "-R 0x20 1", "-l 32 1-10"}},
		{name: "sminfo", operands: "<sm_lid|sm_dr_path> [modifier]", summary: "Show a subnet manager", own: sminfoOptions, without: "sK", run: runSminfo},
		{name: "ibaddr", operands: "[<lid|dr_path|guid>]", summary: "Show the LIDs and the GID of a port", own: ibaddrOptions, without: "KL", run: runAddr,
			examples: []string{"", "32", "-l 32"}},
		{name: "ibportstate", operands: "<dest dr_path|lid|guid> <portnum> [<op>]", summary: "Show or change the state of a port", run: runPortstate,
			examples: []string{"3 1 disable", "-D 0 1", "3 1 speed 1", "3 1 width 1"}},
		{name: "ibhosts", operands: "[<topology-file>]", summary: "List the channel adapters", own: listOptions, without: "zDLGsKdev", run: listNodes("Ca"), examples: []string{""}},
		{name: "ibswitches", operands: "[<topology-file>]", summary: "List the switches", own: listOptions, without: "zDLGsKdev", run: listNodes("Switch"), examples: []string{""}},
		{name: "ibrouters", operands: "[<topology-file>]", summary: "List the routers", own: listOptions, without: "zDLGsKdev", run: listNodes("Rt"), examples: []string{""}},
		{name: "ibnodes", operands: "[<topology-file>]", summary: "List the channel adapters and the switches", own: listOptions, without: "zDLGsKdev", run: listNodes("Ca", "Switch"),
			examples: []string{""}},
		{name: "ibclearerrors", operands: "[<topology-file>]", summary: "Clear the error counters of all ports", own: clearOptions, without: "zDLGsKydev", run: clearNodes(0xfff, "-k"),
			examples: []string{""}},
		{name: "ibclearcounters", operands: "[<topology-file>]", summary: "Clear all counters of all ports", own: clearOptions, without: "zDLGsKydev", run: clearNodes(0x1ffff, "-K"),
			examples: []string{""}},
		{name: "ibping", operands: "<dest lid|guid>", summary: "Ping a host with datagrams of management", own: pingOptions, without: "DKy", run: runPing, examples: []string{"-c 3 4"}},
		{name: "ibsysstat", operands: "<dest lid|guid> [ping|host|cpu]", summary: "Ask a host for its name and processors", own: sysstatOptions, without: "DKy", run: runSysstat,
			examples: []string{"4 host"}},
		{name: "ibcacheedit", operands: "<orig.cache> <new.cache>", summary: "Edit a saved discovery", own: cacheeditOptions, without: "CDdeGKLPstvyz", run: runCacheedit,
			examples: []string{"--caguid 0x2c90300b00010:0x2c90300b00990 old.cache new.cache"}},
		{name: "osmtest", summary: "Test the subnet manager and administration", own: osmtestOptions, without: "zCPDLGtsKyevdhV", run: runOsmtest, examples: []string{"-f c", "-f a"}},
		{name: "ibdiagnet", summary: "Check the whole subnet", own: diagnetOptions, without: "zCPDLGtsKyevdhV", run: runDiagnet, examples: []string{"", "-r", "--pc", "--ls 14 --lw 4x"}},
		{name: "saquery", operands: saqueryOperands(), summary: "Ask the subnet administration for records", own: saqueryOptions, without: "DGLsy", run: runSaquery,
			examples: []string{"", "-g", "-m 0xC000", "--src-to-dst 1:4", "LinkRecord 3", "PIR 3/1"}},
		{name: "ibqueryerrors", summary: "Report ports whose error counters are above their thresholds", own: queryerrorsOptions, without: "cDGKLnRrSs", run: runQueryerrors,
			examples: []string{"", "-s PortXmitWait", "--counters", "-k"}},
	}
}
