package discovery

import "cxdeck/views/exec/subnet"

// Programs returns the programs of the package.
func Programs() []subnet.Program {
	return []subnet.Program{
		{Name: "ibnetdiscover", Operands: "[topology-file]", Summary: "Discover the subnet and write its topology", Own: netdiscoverOptions, Without: "DGKLs", Main: runNetdiscover,
			Examples: []string{"", "-p", "--cache before.cache", "--diff before.cache"}},
		{Name: "iblinkinfo", Summary: "Write the links of all ports, node by node", Own: linkinfoOptions, Without: "aDdGgKLlnpRS", Main: runLinkinfo,
			Examples: []string{"", "--down", "-S 0x2c90300a00010", "-l --switches-only"}},
		{Name: "ibhosts", Operands: "[<topology-file>]", Summary: "List the channel adapters", Own: listOptions, Without: "zDLGsKdev", Main: listNodes("Ca"), Examples: []string{""}},
		{Name: "ibswitches", Operands: "[<topology-file>]", Summary: "List the switches", Own: listOptions, Without: "zDLGsKdev", Main: listNodes("Switch"), Examples: []string{""}},
		{Name: "ibrouters", Operands: "[<topology-file>]", Summary: "List the routers", Own: listOptions, Without: "zDLGsKdev", Main: listNodes("Rt"), Examples: []string{""}},
		{Name: "ibnodes", Operands: "[<topology-file>]", Summary: "List the channel adapters and the switches", Own: listOptions, Without: "zDLGsKdev", Main: listNodes("Ca", "Switch"),
			Examples: []string{""}},
		{Name: "ibclearerrors", Operands: "[<topology-file>]", Summary: "Clear the error counters of all ports", Own: clearOptions, Without: "zDLGsKydev", Main: clearNodes(0xfff, "-k"),
			Examples: []string{""}},
		{Name: "ibclearcounters", Operands: "[<topology-file>]", Summary: "Clear all counters of all ports", Own: clearOptions, Without: "zDLGsKydev", Main: clearNodes(0x1ffff, "-K"),
			Examples: []string{""}},
		{Name: "ibcacheedit", Operands: "<orig.cache> <new.cache>", Summary: "Edit a saved discovery", Own: cacheeditOptions, Without: "CDdeGKLPstvyz", Main: runCacheedit,
			Examples: []string{"--caguid 0x2c90300b00010:0x2c90300b00990 old.cache new.cache"}},
		{Name: "ibdiagnet", Summary: "Check the whole subnet", Own: diagnetOptions, Without: "zCPDLGtsKyevdhV", Main: runDiagnet, Examples: []string{"", "-r", "--pc", "--ls 14 --lw 4x"}},
		{Name: "ibqueryerrors", Summary: "Report ports whose error counters are above their thresholds", Own: queryerrorsOptions, Without: "cDGKLnRrSs", Main: runQueryerrors,
			Examples: []string{"", "-s PortXmitWait", "--counters", "-k"}},
	}
}
