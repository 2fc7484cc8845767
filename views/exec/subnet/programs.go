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
		{name: "ibqueryerrors", summary: "Report ports whose error counters are above their thresholds", own: queryerrorsOptions, without: "cDGKLnRrSs", run: runQueryerrors,
			examples: []string{"", "-s PortXmitWait", "--counters", "-k"}},
	}
}
