package paths

import "cxdeck/views/exec/subnet"

// Programs returns the programs of the package.
func Programs() []subnet.Program {
	return []subnet.Program{
		{Name: "ibroute", Operands: "[<dest dr_path|lid|guid> [<startlid> [<endlid>]]]", Summary: "Write the forwarding table of a switch", Own: ibrouteOptions, Without: "K",
			Main: runRoute, Examples: []string{"4", "-a 4", "-n 4 0x10 0x20", "-D 0,1", "-M 4"}},
		{Name: "ibtracert", Operands: "<src-addr> <dest-addr>", Summary: "Trace the path between two ports", Own: tracertOptions, Without: "DK", Main: runTracert,
			Examples: []string{"4 16", "-n 4 16", "-m 0xc000 4 16"}},
		{Name: "ibping", Operands: "<dest lid|guid>", Summary: "Ping a host with datagrams of management", Own: pingOptions, Without: "DKy", Main: runPing, Examples: []string{"-c 3 4"}},
		{Name: "ibsysstat", Operands: "<dest lid|guid> [ping|host|cpu]", Summary: "Ask a host for its name and processors", Own: sysstatOptions, Without: "DKy", Main: runSysstat,
			Examples: []string{"4 host"}},
	}
}
