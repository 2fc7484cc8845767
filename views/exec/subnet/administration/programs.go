package administration

import "cxdeck/views/exec/subnet"

// Programs returns the programs of the package.
func Programs() []subnet.Program {
	return []subnet.Program{
		{Name: "osmtest", Summary: "Test the subnet manager and administration", Own: osmtestOptions, Without: "zCPDLGtsKyevdhV", Main: runOsmtest, Examples: []string{"-f c", "-f a"}},
		{Name: "saquery", Operands: saqueryOperands(), Summary: "Ask the subnet administration for records", Own: saqueryOptions, Without: "DGLsy", Main: runSaquery,
			Examples: []string{"", "-g", "-m 0xC000", "--src-to-dst 1:4", "LinkRecord 3", "PIR 3/1"}},
	}
}
