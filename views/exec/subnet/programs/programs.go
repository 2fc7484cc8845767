package programs

import (
	"cmp"
	"slices"

	"cxdeck/views/exec/subnet"
	"cxdeck/views/exec/subnet/administration"
	"cxdeck/views/exec/subnet/discovery"
	"cxdeck/views/exec/subnet/paths"
	"cxdeck/views/exec/subnet/ports"
)

// order has the names of the programs in the order of help.
func order() []string {
	return []string{
		"ibnetdiscover", "iblinkinfo", "ibroute", "ibtracert", "smpquery", "smpdump", "perfquery", "sminfo",
		"ibaddr", "ibportstate", "ibhosts", "ibswitches", "ibrouters", "ibnodes", "ibclearerrors", "ibclearcounters",
		"ibping", "ibsysstat", "ibcacheedit", "osmtest", "ibdiagnet", "saquery", "ibqueryerrors",
	}
}

// all returns the programs, in the order of help.
func all() []subnet.Program {
	list, names := slices.Concat(discovery.Programs(), paths.Programs(), ports.Programs(), administration.Programs()), order()
	slices.SortFunc(list, func(a, b subnet.Program) int {
		return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name))
	})
	return list
}

// find returns a program; nil if none has the name.
func find(name string) *subnet.Program {
	for _, p := range all() {
		if p.Name == name {
			return &p
		}
	}
	return nil
}

// Names returns the names of the programs.
func Names() []string { return order() }

// Summary returns what a program does, and its usage.
func Summary(name string) (summary, usage string, ok bool) {
	if p := find(name); p != nil {
		return p.Summary, p.Usage(), true
	}
	return "", "", false
}

// Run runs a program.
func Run(c subnet.Computer, name string, arguments []string) subnet.Result {
	if p := find(name); p != nil {
		return p.Start(c, arguments)
	}
	return subnet.Result{Output: name + ": no such program\n", Code: 127}
}
