package ports

import "cxdeck/views/exec/subnet"

// Programs returns the programs of the package.
func Programs() []subnet.Program {
	return []subnet.Program{
		{Name: "smpquery", Operands: smpqueryOperands(), Summary: "Ask a node for an attribute of subnet management", Own: smpqueryOptions, Main: runSmpquery,
			Examples: []string{"portinfo 3 1", "-D nodeinfo 0,1", "-c nodeinfo 6 0,12"}},
		{Name: "smpdump", Operands: "<dlid|dr_path> <attr> [mod]", Summary: "Dump an attribute of subnet management", Own: smpdumpOptions, Without: "GKs", Main: runSmpdump,
			Examples: []string{"3 0x15 2", "-D 0,1,2 0x11"}},
		{Name: "perfquery", Operands: "[<lid|guid> [[port(s)] [reset_mask]]]", Summary: "Read and reset counters of ports", Own: perfqueryOptions, Without: "DK", Main: runPerfquery,
			Examples: []string{"", "32 1", "-x 32 1", "-a 32", "-R 0x20 1", "-l 32 1-10"}},
		{Name: "sminfo", Operands: "<sm_lid|sm_dr_path> [modifier]", Summary: "Show a subnet manager", Own: sminfoOptions, Without: "sK", Main: runSminfo},
		{Name: "ibaddr", Operands: "[<lid|dr_path|guid>]", Summary: "Show the LIDs and the GID of a port", Own: ibaddrOptions, Without: "KL", Main: runAddr,
			Examples: []string{"", "32", "-l 32"}},
		{Name: "ibportstate", Operands: "<dest dr_path|lid|guid> <portnum> [<op>]", Summary: "Show or change the state of a port", Main: runPortstate,
			Examples: []string{"3 1 disable", "-D 0 1", "3 1 speed 1", "3 1 width 1"}},
	}
}
