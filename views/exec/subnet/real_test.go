package subnet

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/simtest"
	"cxdeck/device/infiniband/topology"
)

// simulated returns the network as the simulator has it: its devices answer with constants, no host joins a group, and a link that is set
// to be slow runs with 10 Gb/s a lane, because the manager's request for the other end sets both.
func simulated(f *infiniband.Fabric, at infiniband.Place) *mad.Network {
	m := &opensm.Manager{Place: at, Running: true, Partitions: opensm.DefaultPartitions()}
	opensm.New(f, []*opensm.Manager{m})
	f.Groups = nil
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
func realCases(f *infiniband.Fabric, at infiniband.Place) [][]string {
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
		"{swguid}", fmt.Sprintf("0x%x", uint64(f.Nodes[first].GUID)), "{hostguid}", fmt.Sprintf("0x%x", uint64(f.Nodes[far].Ports[1].GUID)),
		"{free}", fmt.Sprint(free(&f.Nodes[entry.Node])), "{out}", fmt.Sprint(out), "{in}", fmt.Sprint(entry.Port),
	)
	var cases [][]string
	for line := range strings.Lines(realLines) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		if line == "" || out == 0 && strings.Contains(line, "{out}") {
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

const realLines = `
perfquery
perfquery {sw} 1
perfquery -x {sw} 1
perfquery -a {sw}
perfquery -x -a {sw}
perfquery -l {sw} 1-3
perfquery -a {sw} 1,2
perfquery -a {host}
perfquery -a -l {host}
perfquery {sw} 99
perfquery -r {sw} 1
perfquery -R {sw} 1
perfquery -G {hostguid} 1
perfquery {host} 2
perfquery {sw} 5-3
ibqueryerrors --skip-sl
ibqueryerrors --skip-sl --switch
ibqueryerrors --skip-sl --ca -s PortXmitWait,VL15Dropped
ibqueryerrors --skip-sl -c
ibqueryerrors --skip-sl -D 0,1
ibnetdiscover
ibnetdiscover -f
ibnetdiscover -p
ibnetdiscover -l
ibnetdiscover -H
ibnetdiscover -S
ibnetdiscover -R
ibnetdiscover -g
ibnetdiscover -m
ibnetdiscover -s
iblinkinfo
iblinkinfo -l
iblinkinfo -p
iblinkinfo --down
iblinkinfo --switches-only
iblinkinfo --cas-only
iblinkinfo -D 0,1
iblinkinfo -D 0,1 -a
iblinkinfo -D 0,1 -a -n 2
ibroute {sw}
ibroute -a {sw}
ibroute -n {sw2}
ibroute {sw2} 3 7
ibroute -D 0,1
ibroute -M {sw}
ibroute -M -n {sw}
ibroute -M -a {sw} 0xc000 0xc010
ibroute -G {swguid}
ibroute {host}
ibroute 4095
ibtracert 1 {host}
ibtracert -n 1 {host}
ibtracert {host} 1
ibtracert {sw} {host}
ibtracert {host} {sw2}
ibtracert 1 1
ibtracert -G {hostguid} {swguid}
ibtracert 1 4095
ibtracert -m 0xc000 1 {host}
smpquery nodeinfo {sw}
smpquery NI {host}
smpquery nodedesc {sw}
smpquery ND {host}
smpquery portinfo {sw} 0
smpquery portinfo {sw} 1
smpquery portinfo {sw2} 1
smpquery -D portinfo 0,1 {free}
smpquery -D portinfo 0,1 {out}
smpquery -D portinfo 0,1,{out} 1
smpquery portinfo {host} 1
smpquery portinfo 1
smpquery portinfo {sw} 99
smpquery -x portinfo {sw} 1
smpquery switchinfo {sw}
smpquery si {host}
smpquery pkeys {sw} 0
smpquery pkeys {sw} 1
smpquery -D pkeys 0,1 {out}
smpquery -D pkeys 0,1 {free}
smpquery pkeys {host}
smpquery pkeys {sw} 99
smpquery sl2vl {sw} 1
smpquery sl2vl {host}
smpquery vlarb {sw} 1
smpquery vlarb {sw}
smpquery vlarb {host}
smpquery gi {sw}
smpquery gi {host}
smpquery mepi {sw} 1
smpquery pie {sw} 1
smpquery -D nodeinfo 0
smpquery -D nodeinfo 0,1
smpquery -D nodeinfo 0,1,{in}
smpquery -D nodeinfo 0,1,{free}
smpquery -G nodeinfo {swguid}
smpquery -G nodeinfo 0x1234
smpquery nodeinfo 4095
smpquery nodeinfo 0
smpquery nothing 1
smpdump {sw} 0x11
smpdump {sw} 0x12
smpdump {sw} 0x15 1
smpdump -D 0,1 0x15 {free}
smpdump -s {sw} 0x10
smpdump {host} 0x12
smpdump {sw} 0x19 0
sminfo
sminfo 1
sminfo -D 0
sminfo {host}
ibaddr
ibaddr {sw}
ibaddr -l {host}
ibaddr -L {host}
ibaddr -g {host}
ibaddr -G {hostguid}
ibaddr -D 0,1
ibaddr 4095
ibportstate -D 0 1
ibportstate -D 0,1 {free} query
ibportstate -D 0,1 {out}
ibportstate -D 0,1 {in}
ibportstate -D 0,1 0
ibportstate 1 1
ibportstate {sw} 99
ibportstate {sw} 1 speed 99
ibportstate {sw} 1 fly
ibportstate {sw} 1 enable disable
`

// normal makes lines comparable: numbers of processes, dates, the activity of the manager, and the simulator's packets.
var normal = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\[\d+\] (\w+):`), "[pid] $1:"},
	{regexp.MustCompile(`generated on .*`), "generated on DATE"},
	{regexp.MustCompile(`activity count \d+`), "activity count N"},
	// The simulator counts the requests of the programs themselves.
	{regexp.MustCompile(`(Port(Xmit|Rcv)(Data|Pkts)):\.*\d+`), "$1: N"},
}

func normalized(text string) []string {
	for _, n := range normal {
		text = n.pattern.ReplaceAllString(text, n.with)
	}
	return strings.Split(text, "\n")
}

// TestRealTools runs the real programs in the simulator and holds the output of ours against theirs, line by line.
func TestRealTools(t *testing.T) {
	only := os.Getenv("CXDECK_NETWORK")
	for _, network := range topology.Networks() {
		if only != "" && only != network.Name {
			continue
		}
		t.Run(network.Name, func(t *testing.T) {
			f, at := network.Build()
			simulation := simtest.Start(t, f, at)
			simulation.Manage(t)
			n := simulated(f, at)
			equal, runs := 0, 0
			for _, words := range realCases(f, at) {
				runs++
				standard, errors, exit := simulation.Run(t, words[0], words[1:]...)
				ours := Run(Computer{Network: n, Adapters: []Adapter{{"ibsim0", at.Node}}, Now: time.Now(), PID: 1}, words[0], words[1:])
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
