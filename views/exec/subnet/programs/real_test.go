package programs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/simtest"
	"cxdeck/device/infiniband/topology"
	"cxdeck/views/exec/subnet"
)

// simulated returns the network as the simulator has it: its devices answer with constants, no host joins a group, and a link that is set
// to be slow runs with 10 Gb/s a lane, because the manager's request for the other end sets both.
func simulated(f *infiniband.Fabric, at infiniband.Place) *mad.Network {
	m := &opensm.Manager{Place: at, Running: true, Partitions: opensm.DefaultPartitions()}
	opensm.New(f, []*opensm.Manager{m})
	for i := range f.Groups {
		f.Groups[i].Members = nil
	}
	f.Groups = f.Groups[:1] // the group of all hosts comes from hosts
	for n := range f.Nodes {
		node := &f.Nodes[n]
		node.Multicast = nil
		for p := range node.Ports {
			port := &node.Ports[p]
			port.Counters = infiniband.Counters{}
			if port.Physical == infiniband.Disabled {
				port.Physical = infiniband.Polling // the simulator knows no disabled ports
			}
			if port.Physical == infiniband.LinkUp && p > 0 && port.Speed < infiniband.FDR {
				port.Width, port.Speed = 4, infiniband.QDR
			}
		}
	}
	return &mad.Network{Fabric: f, Managers: []*opensm.Manager{m}, Profile: simulatorProfile()}
}

// realCases are the runs that are compared. Names in braces stand for facts of the network.
func realCases(t *testing.T, f *infiniband.Fabric, at infiniband.Place) [][]string {
	var switches, hosts []int
	for n := range f.Nodes {
		switch {
		case f.End(infiniband.Place{Node: n, Port: f.Nodes[n].First()}).LID == 0:
		case f.Nodes[n].Kind == infiniband.Switch:
			switches = append(switches, n)
		default:
			hosts = append(hosts, n)
		}
	}
	first, last := switches[0], switches[len(switches)-1]
	far := hosts[len(hosts)-1]
	entry := f.At(at).Far
	out := 0 // a port of the first switch to another one
	for p := range f.Nodes[entry.Node].Ports {
		if next, up := f.Far(infiniband.Place{Node: entry.Node, Port: p}); p > 0 && up && f.Of(next).Kind == infiniband.Switch {
			out = p
		}
	}
	words := strings.NewReplacer(
		"{sw}", fmt.Sprint(f.Nodes[first].Ports[0].LID), "{sw2}", fmt.Sprint(f.Nodes[last].Ports[0].LID), "{host}", fmt.Sprint(f.Nodes[far].Ports[1].LID),
		"{swguid}", fmt.Sprintf("0x%x", uint64(f.Nodes[first].GUID)), "{gid}", subnet.GIDText(0xfe80<<48, uint64(f.Nodes[far].Ports[1].GUID)), "{swgid}", subnet.GIDText(0xfe80<<48, uint64(f.Nodes[last].GUID)), "{hostguid}", fmt.Sprintf("0x%x", uint64(f.Nodes[far].Ports[1].GUID)),
		"{free}", fmt.Sprint(free(&f.Nodes[entry.Node])), "{out}", fmt.Sprint(out), "{in}", fmt.Sprint(entry.Port),
	)
	var cases [][]string
	for _, line := range readLines(t, "real.txt") {
		if out == 0 && strings.Contains(line, "{out}") {
			continue
		}
		cases = append(cases, strings.Fields(words.Replace(line)))
	}
	return cases
}

func free(node *infiniband.Node) int {
	for p := 1; p < len(node.Ports); p++ {
		if node.Ports[p].Physical != infiniband.LinkUp {
			return p
		}
	}
	return 1
}

// normal makes lines comparable: numbers of processes, dates, the activity of the manager, and the simulator's packets.
var normal = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\[\d+\] (\w+):`), "[pid] $1:"},
	{regexp.MustCompile(`generated on .*`), "generated on DATE"},
	{regexp.MustCompile(`activity count \d+`), "activity count N"},
	{regexp.MustCompile(`ActCount\.*\d+`), "ActCount N"},
	// The simulator counts the requests of the programs themselves.
	{regexp.MustCompile(`(Port(Xmit|Rcv)(Data|Pkts)):\.*\d+`), "$1: N"},
}

// localPort is the port of a switch that the last request of the real manager came in through: in a torus it differs from run to run.
var localPort = regexp.MustCompile(`(LocalPort:\.*)\d+`)

func normalized(text string) []string {
	text, _, _ = strings.Cut(text, "\nUsage: ") // the help has words of our own
	for _, n := range normal {
		text = n.pattern.ReplaceAllString(text, n.with)
	}
	return strings.Split(text, "\n")
}

// mixedName is the name of the network with routers and adapters of two ports.
const mixedName = "routers and two ports"

// mixed is a network with two routers, adapters of two ports on one switch and on two, and a port between adapters and routers.
func mixed() (*infiniband.Fabric, infiniband.Place) {
	b := topology.New()
	left, right := b.Switch("left", 12), b.Switch("right", 24)
	b.Cable(left, 12, right, 24)
	b.Cable(left, 11, right, 23)
	var hosts []int
	for i, name := range []string{"one", "two", "three", "four"} {
		hosts = append(hosts, b.Adapter(name, 2))
		b.Cable(left, i+1, hosts[i], 1)
	}
	b.Cable(right, 1, hosts[0], 2)
	b.Cable(left, 8, hosts[1], 2)
	for i, at := range []int{left, right} {
		router := b.Add(infiniband.Model{
			Kind: infiniband.Router, Name: []string{"RTR-1", "RTR-2"}[i], GUID: 0x0002c90300c00010 + 0x10*description.GUID(i), Ports: 2, Width: 4, Speed: infiniband.FDR,
			Vendor: topology.Mellanox, Device: topology.ConnectX3,
		})
		b.Cable(at, 10, router, 1)
	}
	return b.Fabric, infiniband.Place{Node: hosts[0], Port: 1}
}

// TestRealTools runs the real programs in the simulator and holds the output of ours against theirs, line by line.
func TestRealTools(t *testing.T) {
	only := os.Getenv("CXDECK_NETWORK")
	type network struct {
		name  string
		build func() (*infiniband.Fabric, infiniband.Place)
	}
	networks := []network{{mixedName, mixed}}
	for _, n := range topology.Networks() {
		networks = append(networks, network{n.Name, n.Build})
	}
	for _, network := range networks {
		if only != "" && only != network.name {
			continue
		}
		t.Run(network.name, func(t *testing.T) {
			f, at := network.build()
			simulation := simtest.Start(t, f, at)
			simulation.Manage(t)
			n := simulated(f, at)
			setCounters(t, simulation, n)
			compareCache(t, simulation, n, at)
			equal, runs := 0, 0
			for _, words := range realCases(t, f, at) {
				runs++
				standard, errors, exit := simulation.Run(t, words[0], words[1:]...)
				ours := Run(subnet.Computer{Network: n, Adapters: []subnet.Adapter{{Name: "ibsim0", Node: at.Node}}, Now: time.Now(), PID: 1}, words[0], words[1:])
				if line := strings.Join(words, " "); strings.HasPrefix(line, "saquery PIR") && strings.HasSuffix(line, "/0") {
					standard, ours.Standard = localPort.ReplaceAllString(standard, "$1 N"), localPort.ReplaceAllString(ours.Standard, "$1 N")
				}
				if same(t, strings.Join(words, " "), standard, ours.Standard) && same(t, strings.Join(words, " ")+" (errors)", errors, ours.Errors) {
					equal++
				}
				if exit != ours.Code {
					t.Errorf("%s: exit code %d, and %d here", strings.Join(words, " "), exit, ours.Code)
				}
			}
			t.Logf("%d of %d runs equal", equal, runs)
		})
	}
}

// setCounters sets the counters of errors of a port, in the simulator by its console, and in the model.
func setCounters(t *testing.T, s *simtest.Simulation, n *mad.Network) {
	t.Helper()
	for i := range n.Nodes {
		node := &n.Nodes[i]
		if node.Kind != infiniband.Switch || node.Ports[0].LID == 0 {
			continue
		}
		for j, c := range mad.Counters {
			if c.Bit < 0 || c.Bit > 10 { // the simulator writes VL15Dropped into QP1Dropped, too
				continue
			}
			value := uint64(3 + j)
			*c.Of(&node.Ports[1]) = value
			if _, err := fmt.Fprintf(s.Console, "PerformanceSet \"S-%016x\"[1] PortCounters.%s=%d\n", uint64(node.GUID), c.Name, value); err != nil {
				t.Fatal(err)
			}
		}
		break
	}
	time.Sleep(500 * time.Millisecond)
}

// compareCache compares the file of a discovery, byte by byte, and what the real programs do with ours.
func compareCache(t *testing.T, s *simtest.Simulation, n *mad.Network, at infiniband.Place) {
	t.Helper()
	c := subnet.Computer{Network: n, Adapters: []subnet.Adapter{{Name: "ibsim0", Node: at.Node}}, Now: time.Now(), PID: 1}
	s.Run(t, "ibnetdiscover", "--cache", "theirs.cache")
	theirs, err := os.ReadFile(filepath.Join(s.Dir, "theirs.cache"))
	if err != nil {
		t.Fatal(err)
	}
	ours := Run(c, "ibnetdiscover", []string{"--cache", "ours.cache"}).Files[0].Data
	if !bytes.Equal(theirs, ours) {
		i := 0
		for i < min(len(theirs), len(ours)) && theirs[i] == ours[i] {
			i++
		}
		t.Errorf("the file of the discovery has %d bytes, and %d here; byte %d is the first one that differs", len(theirs), len(ours), i)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "ours.cache"), ours, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Read = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(s.Dir, name)) }
	node := fmt.Sprintf("0x%x", uint64(n.Of(at).GUID))
	for _, words := range [][]string{
		{"ibnetdiscover", "--load-cache", "ours.cache"}, {"ibnetdiscover", "--load-cache", "ours.cache", "-p"}, {"iblinkinfo", "--load-cache", "ours.cache"},
		{"ibnetdiscover", "--diff", "ours.cache"}, {"iblinkinfo", "--diff", "ours.cache"}, {"ibcacheedit", "--caguid", node + ":0x99", "ours.cache", "edited.cache"},
		{"ibnetdiscover", "--load-cache", "edited.cache"}, {"ibnetdiscover", "--diff", "edited.cache", "--diffcheck", "sw,ca,port,lid,nodedesc"},
		{"iblinkinfo", "--diff", "edited.cache"}, {"iblinkinfo", "--filterdownports", "ours.cache"}, {"ibnetdiscover", "--load-cache", "missing"},
	} {
		standard, complaints, exit := s.Run(t, words[0], words[1:]...)
		result := Run(c, words[0], words[1:])
		name := strings.Join(words, " ")
		same(t, name, standard, result.Standard)
		same(t, name+" (errors)", complaints, result.Errors)
		if exit != result.Code {
			t.Errorf("%s: exit code %d, and %d here", name, exit, result.Code)
		}
	}
}

// same compares two outputs, and reports the first lines that differ.
func same(t *testing.T, name, theirs, ours string) bool {
	t.Helper()
	a, b := normalized(theirs), normalized(ours)
	shown := 0
	for i := range max(len(a), len(b)) {
		var left, right string
		if i < len(a) {
			left = a[i]
		}
		if i < len(b) {
			right = b[i]
		}
		if left != right {
			if shown++; shown <= 4 {
				t.Errorf("%s, line %d:\nreal %q\nours %q", name, i+1, left, right)
			}
		}
	}
	return shown == 0
}
