package programs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/device/infiniband/topology"
)

// differences are what the comparison with the real programs leaves out, and why.
var differences = [][2]string{
	{"Numbers of processes, dates, the manager's count of activity", "They differ from run to run."},
	{"The local port in the record of a switch's port 0", "It is the port that the last request came in through, which differs from run to run in a torus."},
	{"PortXmitData, PortRcvData, PortXmitPkts, PortRcvPkts", "The simulator counts the requests of the programs themselves."},
	{"Capability masks, packet sizes, supported speeds and widths, settings of ports that are down",
		"The simulator answers with constants. The comparison gives the model's agents the same constants; in the lab they answer as ConnectX-3 and SwitchX-2 do."},
	{"A counter VL15Dropped that is not 0", "The simulator writes it into QP1Dropped, too."},
	{"A link that is set to be slow", "In the simulator the manager's request for one end sets both ends to 10 Gb/s a lane; the comparison does the same."},
	{"Disabled ports", "The network file of the simulator has none; they are ports without a link there."},
	{"Members of multicast groups, and their trees", "No host runs in the simulator, so nobody joins."},
	{"Answers of `saquery` with more than one record", "They are longer than a datagram, and the simulator's library loses them. The order of records follows OpenSM's tables."},
	{"Addresses that combine a LID with a directed route: `smpquery -c`, `iblinkinfo -S`, the far end in `ibportstate LID PORT`", "The simulator does not route them."},
	{"Changes of `ibportstate`", "The simulator stores them, and trains no link."},
	{"`ibportstate` with vls, mtu, lid, smlid, lmc, mkey", "The values belong to the subnet manager, whose next sweep would write them again: refused, with this reason."},
	{"`ibping` and `ibsysstat`", "They need a server on the other host. Here each host answers, and no switch does; without `-c`, `ibping` sends five packets."},
	{"`ibclearerrors` and `ibclearcounters`", "Debian does not have them any more. They follow the scripts of infiniband-diags 2.2.0."},
	{"`osmtest`", "It needs long answers. The flows of services, events and multicast pass when the manager answers; the inventory has nodes and links."},
	{"`ibdiagnet`", "It is no free program. The stages and lines follow its public descriptions."},
	{"`ibdiagpath`", "It belongs to ibutils, which Debian does not have any more. The messages and exit codes follow its public description. The real program's end of a run is a time in seconds; here no time passes."},
	{"Help", "The words are our own."},
}

// TestPage compares docs/fabric-programs.md with the programs. With -update it writes the page.
func TestPage(t *testing.T) {
	t.Parallel()
	compared := map[string]int{}
	for _, line := range readLines(t, "real.txt") {
		name, _, _ := strings.Cut(line, " ")
		compared[name]++
	}
	var b strings.Builder
	b.WriteString("# Diagnostic programs of InfiniBand\n\n")
	b.WriteString("The programs run on the lab's subnet and print what the real ones print. `task fabric` runs the real ones (infiniband-diags 44, OpenSM\n")
	b.WriteString("3.3.23) in the simulator ibsim and compares the output of each run with ours, byte for byte and with the exit code. It needs Debian's\n")
	b.WriteString("packages opensm, infiniband-diags, ibsim-utils and libumad2sim0.\n\n")
	b.WriteString("`cxdeck serve subnet` takes the simulator's place: the real programs see the lab's subnet itself (see fabric.md).\n\n")
	fmt.Fprintf(&b, "%d networks: %s", len(topology.Networks())+1, mixedName)
	for _, n := range topology.Networks() {
		b.WriteString(", " + n.Name)
	}
	b.WriteString(".\n\n| program | what it does | runs compared in each network |\n| --- | --- | ---: |\n")
	for _, p := range all() {
		fmt.Fprintf(&b, "| `%s` | %s | %d |\n", p.Name, p.Summary, compared[p.Name])
	}
	b.WriteString("| `ibdiagpath` | Trace the path between two ports and check it | 0 |\n")
	b.WriteString("\nThe file of `ibnetdiscover --cache` equals the real one byte for byte too, and each side reads and compares the other's.\n")
	b.WriteString("\n## What the comparison leaves out\n\n| what | why |\n| --- | --- |\n")
	for _, d := range differences {
		fmt.Fprintf(&b, "| %s | %s |\n", d[0], d[1])
	}
	path := filepath.Join("..", "..", "..", "..", "docs", "fabric-programs.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if have, _ := os.ReadFile(path); string(have) != b.String() {
		t.Errorf("%s is not what the programs say (run with -update)", path)
	}
}
