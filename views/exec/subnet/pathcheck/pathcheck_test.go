package pathcheck

import (
	"errors"
	"strings"
	"testing"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/topology"
	"cxdeck/views/exec/subnet"
)

// bench is a subnet of two switches with two hosts each; the program runs on the first host, alpha.
type bench struct {
	subnet.Computer
	left, right int
	hosts       [4]int
}

const topologyFile = `Switch	8 "S-0002c90300a00010"		# "left" enhanced port 0 lid 2 lmc 0
Switch	8 "S-0002c90300a00020"		# "right" enhanced port 0 lid 3 lmc 0
Ca	2 "H-0002c90300b00010"		# "alpha HCA-1"
Ca	2 "H-0002c90300b00030"		# "gamma HCA-1"
Ca	2 "H-0002c90300b00990"		# "epsilon HCA-1"
`

func newBench() *bench {
	b := topology.New()
	n := &bench{left: b.Switch("left", 8), right: b.Switch("right", 8)}
	b.Cable(n.left, 8, n.right, 7)
	for i, name := range []string{"alpha", "beta", "gamma", "delta"} {
		n.hosts[i] = b.Adapter(name, 2)
		b.Cable([]int{n.left, n.left, n.right, n.right}[i], i%2+1, n.hosts[i], 1)
	}
	m := &opensm.Manager{Place: infiniband.Place{Node: n.hosts[0], Port: 1}, Running: true, Priority: 3, Partitions: opensm.DefaultPartitions()}
	opensm.New(b.Fabric, []*opensm.Manager{m})
	n.Computer = subnet.Computer{
		Network:  &mad.Network{Fabric: b.Fabric, Managers: []*opensm.Manager{m}, Profile: mad.Hardware()},
		Adapters: []subnet.Adapter{{Name: "mlx4_0", Node: n.hosts[0]}}, Environment: map[string]string{},
		Read: func(name string) ([]byte, error) {
			switch name {
			case "topology.txt":
				return []byte(topologyFile), nil
			case "empty.txt":
				return []byte("nothing\n"), nil
			}
			return nil, errors.New("no such file")
		},
	}
	return n
}

// line replaces the names of nodes in braces with their LIDs.
func (b *bench) line(text string) []string {
	var pairs []string
	for i := range b.Network.Nodes {
		node := &b.Network.Nodes[i]
		pairs = append(pairs, "{"+node.Name+"}", mad.LID.Format(uint64(node.Ports[node.First()].LID)))
	}
	return strings.Fields(strings.NewReplacer(pairs...).Replace(text))
}

func TestPaths(t *testing.T) {
	t.Parallel()
	port := func(b *bench, node, number int) *infiniband.Port {
		return b.Network.At(infiniband.Place{Node: node, Port: number})
	}
	for _, k := range []struct {
		line    string
		prepare func(b *bench)
		code    int
		has     string // lines, separated by "; "
	}{
		{"-l {gamma}", nil, 0, "local to destination; No illegal PM; Path shared PKeys: 0xffff; SLs can be used:0 1 2"},
		{"-l {beta},{gamma}", nil, 0, "Traversing the path from local to source; from source to destination; Source lid=0x000"},
		{"-l {left},{gamma}", nil, 0, "from source to destination; left Port=8"},
		{"-l {alpha}", nil, 0, "Addressing local node"},
		{"-l {alpha},{gamma}", nil, 0, "from local to destination"},
		{"-l {gamma},{gamma}", nil, 0, "from local to destination"},
		{"-d 1,8,1", nil, 0, "right Port=1; gamma Port=1; PKeys"},
		{"-d 1,8,1 -p 1", nil, 0, "gamma"},
		{"-d 1,8,1 -p 2", nil, 2, "-p names port 2"},
		{"-d 2,1", nil, 4, "is DOWN"},
		{"-d 1,9", nil, 4, "does not have port number 9; Aborting route tracing"},
		{"-d 1,6", nil, 4, "Port #6 of: left, is DOWN"},
		{"-d 1,2,1", nil, 4, "passes through a HCA; beta"},
		{"-d 1," + strings.Repeat("8,7,", 31) + "8,1", nil, 3, "more than 63 links"},
		{"-l 99", nil, 4, "Reached a dead end; LID 99; left"},
		{"-l {gamma}", func(b *bench) {
			lid := port(b, b.hosts[2], 1).LID
			b.Network.Nodes[b.left].Routes[lid] = 2
		}, 4, "LID-route deadend; left; HCA beta"},
		{"-l {gamma}", func(b *bench) {
			lid := port(b, b.hosts[2], 1).LID
			b.Network.Nodes[b.right].Routes[lid] = 7
		}, 4, "Lid route loop detected"},
		{"-l {gamma}", func(b *bench) { port(b, b.left, 8).State = infiniband.Initialize }, 4, "left Port=8 is in INIT state"},
		{"-d 1,8,1", func(b *bench) { port(b, b.left, 8).State = infiniband.Initialize }, 1, "gamma Port=1; left Port=8 is in INIT state"},
		{"-d 1,8,1", func(b *bench) { port(b, b.hosts[2], 1).LID = 0 }, 1, "Bad LID; Cannot send pmGetPortCounters"},
		{"-l {gamma}", func(b *bench) { port(b, b.right, 1).Counters.SymbolErrors = 70000 }, 1, "right Port=1; symbol_error_counter; 0xffff (overflow)"},
		{"-l {gamma}", func(b *bench) { port(b, b.right, 1).Counters.SymbolErrors = 7 }, 0, "No illegal PM"},
		{"-l {gamma} -P symbol_error_counter=6", func(b *bench) { port(b, b.right, 1).Counters.SymbolErrors = 7 }, 1, "0x7 (above 0x6)"},
		{"-l {gamma} -P all=0", func(b *bench) { port(b, b.right, 1).Counters.SendDiscards = 7 }, 1, "port_xmit_discards"},
		{"-l {gamma}", func(b *bench) { port(b, b.hosts[2], 1).PKeys = nil }, 1, "No shared PKeys"},
		{"-l {gamma}", func(b *bench) {
			port(b, b.hosts[0], 1).PKeys[0], port(b, b.hosts[2], 1).PKeys[0] = 0x7fff, 0x7fff
		}, 1, "PKeys: 0x7fff; No shared PKeys"},
		{"-l {gamma}", func(b *bench) { b.Network.Groups = nil }, 1, "No IPoIB Subnets"},
		{"-l {gamma}", func(b *bench) { b.Network.Managers[0].Running = false }, 1, "No master subnet manager"},
		{"-l {gamma} -lw 4x -ls 14", nil, 0, "No unmatched Links (with width != 4X); No unmatched Links (with speed != 14.0625 Gbps)"},
		{"-l {gamma} -lw 1x", nil, 1, "link with width=4X found from; left Port=8"},
		{"-l {gamma} -ls 10", nil, 1, "link with speed=14.0625 Gbps"},
		{"-l {gamma} -sl 3", nil, 0, "Service Level: 3 can be used"},
		{"-l {gamma} -sl 3", func(b *bench) {
			b.Network.QoS = &qos.Tables{LaneOf: [16]uint8{3: 15}}
		}, 1, "SL3 can not be used; mapped to VL"},
		{"-l {gamma} -v", nil, 0, "At node:left from-port:1 out-port:8"},
		{"-n gamma -t topology.txt", nil, 0, "Obtaining source and destination LIDs; alpha HCA-1; gamma HCA-1"},
		{"-n alpha,gamma/P1 -t topology.txt -s alpha", nil, 0, "Obtaining source and destination LIDs; gamma/P1"},
		{"-n right -t topology.txt", nil, 0, "right Port=7"},
		{"-n gamma/P2 -t topology.txt", nil, 5, "no port with a LID"},
		{"-n epsilon -t topology.txt", nil, 5, "no port with a LID"},
		{"-n omega -t topology.txt", nil, 5, "no node omega"},
		{"-n gamma -t topology.txt -s gamma", nil, 5, "and this host is"},
		{"-n gamma -t topology.txt -s omega", nil, 5, "no system omega"},
		{"-n gamma -t nothing.txt", nil, 5, "Failed to read the topology file"},
		{"-n gamma -t empty.txt", nil, 5, "has no node"},
		{"-n gamma", func(b *bench) { b.Environment["IBDIAG_TOPO_FILE"] = "topology.txt" }, 0, "gamma HCA-1"},
		{"-n gamma", func(b *bench) {
			b.Environment["IBDIAG_TOPO_FILE"], b.Environment["IBDIAG_SYS_NAME"] = "topology.txt", "gamma"
		}, 5, "and this host is"},
		{"-l {gamma}", func(b *bench) { b.Environment["IBDIAG_PORT_NUM"] = "2" }, 4, "Port 2 of the local device is DOWN"},
		{"-l {gamma} -p 1", func(b *bench) { b.Environment["IBDIAG_PORT_NUM"] = "2" }, 0, "Using port 1"},
		{"-l {gamma}", func(b *bench) { b.Environment["IBDIAG_DEV_IDX"] = "1" }, 2, "no InfiniBand device"},
		{"--vars", func(b *bench) { b.Environment["IBDIAG_DEV_IDX"] = "0" }, 0, "IBDIAG_DEV_IDX=0; IBDIAG_TOPO_FILE="},
		{"-l {gamma} -i mlx4_0", nil, 0, "Done"},
		{"-l {gamma} -p 9", nil, 2, "no InfiniBand port 9"},
		{"-n gamma", nil, 2, "requires a topology file"},
		{"", nil, 2, "one of -n, -l and -d"},
		{"-l 1 -d 1", nil, 2, "one of -n, -l and -d"},
		{"-l 0", nil, 2, "LIDs"}, {"-l 1,2,3", nil, 2, "one or two LIDs"}, {"-l x", nil, 2, "LIDs"}, {"-d 0", nil, 2, "output ports"},
		{"-n a,b,c -t topology.txt", nil, 2, "one or two names"}, {"-n a, -t topology.txt", nil, 2, "one or two names"},
		{"-l 1 -c 0", nil, 2, "-c must be"}, {"-l 1 -sl 16", nil, 2, "-sl must be"}, {"-l 1 -lw 3x", nil, 2, "-lw takes"}, {"-l 1 -ls 3", nil, 2, "-ls takes"},
		{"-l 1 -P x=1", nil, 2, "unknown counter"}, {"-l 1 -P symbol_error_counter", nil, 2, "-P takes"}, {"-l", nil, 2, "requires a value"}, {"--fly", nil, 2, "unknown option"},
		{"--help", nil, 0, "Usage: ibdiagpath"}, {"-V", nil, 0, "ibdiagpath 1.5"},
	} {
		b := newBench()
		if k.prepare != nil {
			k.prepare(b)
		}
		result := Run(b.Computer, b.line(k.line))
		if result.Code != k.code {
			t.Errorf("%s: exit code %d, expected %d\n%s", k.line, result.Code, k.code, result.Output)
		}
		for text := range strings.SplitSeq(k.has, "; ") {
			if !strings.Contains(result.Output, text) {
				t.Errorf("%s: the output has no %q:\n%s", k.line, text, result.Output)
			}
		}
		if len(result.Files)+len(result.Changes) > 0 {
			t.Errorf("%s: it wrote or changed something", k.line)
		}
	}
}

// TestFilesAndChanges: -o and -pm write files, and -pc clears the counters of the path and of no other port.
func TestFilesAndChanges(t *testing.T) {
	t.Parallel()
	b := newBench()
	onPath, beside := infiniband.Place{Node: b.right, Port: 1}, infiniband.Place{Node: b.right, Port: 2}
	b.Network.At(onPath).Counters.SymbolErrors, b.Network.At(beside).Counters.SymbolErrors = 5, 6
	result := Run(b.Computer, b.line("-l {gamma} -pm -pc -o results/"))
	if result.Code != 0 || len(result.Files) != 2 || result.Files[0].Name != "results/ibdiagpath.pm" || result.Files[1].Name != "results/ibdiagpath.log" {
		t.Fatalf("code %d, files %v\n%s", result.Code, result.Files, result.Output)
	}
	if text := string(result.Files[0].Data); !strings.Contains(text, "symbol_error_counter = 0x5\n") || string(result.Files[1].Data) != result.Output {
		t.Errorf("the files have:\n%s", text)
	}
	if b.Network.At(onPath).Counters.SymbolErrors != 0 || b.Network.At(beside).Counters.SymbolErrors != 6 || len(result.Changes) != 6 {
		t.Errorf("cleared: %v", result.Changes)
	}
}

// FuzzRun: no arguments make the program panic.
func FuzzRun(f *testing.F) {
	for _, line := range []string{"-l {gamma} -v -pm", "-d 1,8,1 -lw 4x -ls 14", "-n alpha,gamma/P1 -t topology.txt", "-l 49151", "-n /P1 -t topology.txt", "-P all=0xffffffffffffffff -l 1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		b := newBench()
		if len(line) < 1000 && !strings.Contains(line, "-c") {
			Run(b.Computer, b.line(line))
		}
	})
}
