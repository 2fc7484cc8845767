package opensm

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/simtest"
	"cxdeck/device/infiniband/topology"
)

// qosOptions are options files with which the real program is compared: the defaults, options for all ports, and options for kinds of ports.
var qosOptions = map[string]string{
	"defaults": "",
	"all":      "qos_max_vls 4\nqos_high_limit 3\nqos_vlarb_high 0:4,1:5\nqos_vlarb_low 0:0,1:4,2:9,14:7,13:250\nqos_sl2vl 0,1,15,3,4,5,6,14\n",
	"kinds": "qos_high_limit 3\nqos_vlarb_low 0:0,1:4,2:9\nqos_sl2vl 0,1,2,3\nqos_ca_max_vls 2\nqos_ca_sl2vl 0,0,1,1,2,2,3,3,4,5,6,15\nqos_ca_vlarb_high 2:1,3:2,4:3,5:4,6:5,7:6,0:7,1:8,2:9,3:10\n" +
		"qos_swe_vlarb_low 3:33\nqos_swe_sl2vl 7,6,5,4,3,2,1,0\nqos_sw0_sl2vl 5,5,5\nqos_rtr_vlarb_high 2:99\nqos_rtr_sl2vl 1,1,1,1\n",
}

// TestRealQoS holds the tables of service levels and arbitration that opensm -Q writes against ours, on a subnet with adapters, switches and a
// router. The simulator keeps no tables of port 0 of its switches.
func TestRealQoS(t *testing.T) {
	for name, options := range qosOptions {
		t.Run(name, func(t *testing.T) {
			f, at := withRouter()
			simulation := simtest.Start(t, f, at)
			file := filepath.Join(simulation.Dir, "options")
			if err := os.WriteFile(file, []byte(options), 0o600); err != nil {
				t.Fatal(err)
			}
			simulation.Output(t, "opensm", "-o", "-Q", "-D", "0x43", "-f", filepath.Join(simulation.Dir, "log"), "-F", file)
			tables, err := qos.Parse("qos TRUE\n" + options)
			if err != nil {
				t.Fatal(err)
			}
			New(f, []*Manager{{Place: at, Running: true, Engine: MinHop, Partitions: DefaultPartitions(), QoS: tables}})
			compared := 0
			for n := range f.Nodes {
				for p := 1; p < len(f.Nodes[n].Ports); p++ {
					end := infiniband.Place{Node: n, Port: p}
					if _, up := f.Far(end); up {
						compared += compareQoS(t, simulation, f, end)
					}
				}
			}
			if compared < 60 {
				t.Errorf("only %d tables were compared", compared)
			}
			t.Logf("%d tables", compared)
		})
	}
}

// withRouter is a subnet of two switches, four adapters and a router, and the port of the first adapter.
func withRouter() (*infiniband.Fabric, infiniband.Place) {
	b := topology.New()
	first, second := b.Switch("sw-1", 12), b.Switch("sw-2", 12)
	b.Cable(first, 11, second, 12)
	at := infiniband.Place{Node: b.Adapter("host-1", 1), Port: 1}
	b.Cable(first, 1, at.Node, 1)
	for i := range 3 {
		b.Cable(second, i+1, b.Adapter(fmt.Sprintf("host-%d", i+2), 1), 1)
	}
	b.Cable(second, 9, b.Node(infiniband.Router, "router", 1, 0), 1)
	return b.Fabric, at
}

var (
	laneRow   = regexp.MustCompile(`(?m)^VL    : \|(.*)\|$`)
	weightRow = regexp.MustCompile(`(?m)^WEIGHT: \|(.*)\|$`)
	levelRow  = regexp.MustCompile(`(?m)^ports: in +\d+, out +\d+: \|(.*)\|$`)
)

// compareQoS compares the tables of a port, and returns their number.
func compareQoS(t *testing.T, simulation *simtest.Simulation, f *infiniband.Fabric, at infiniband.Place) (compared int) {
	t.Helper()
	want, lid, port := f.TablesAt(at), strconv.Itoa(int(f.End(at).LID)), strconv.Itoa(at.Port)
	text := string(simulation.Output(t, "smpquery", "vlarb", lid, port))
	lanes, weights := laneRow.FindAllStringSubmatch(text, -1), weightRow.FindAllStringSubmatch(text, -1)
	if len(lanes) != 2 || len(weights) != 2 {
		t.Fatalf("%s/%d: %s", f.Of(at).Name, at.Port, text)
	}
	for i, table := range [][]qos.Weight{want.Low, want.High} {
		got := make([]qos.Weight, 0, len(table))
		for j, lane := range numbers(t, lanes[i][1]) {
			got = append(got, qos.Weight{Lane: uint8(lane), Weight: uint8(numbers(t, weights[i][1])[j])})
		}
		if fmt.Sprint(got) != fmt.Sprint(table) {
			t.Errorf("%s/%d, table %d: %v, and the real program has %v", f.Of(at).Name, at.Port, i, table, got)
		}
		compared++
	}
	for _, row := range levelRow.FindAllStringSubmatch(string(simulation.Output(t, "smpquery", "sl2vl", lid, port)), -1) {
		for level, lane := range numbers(t, row[1]) {
			if lane != int(want.LaneOf[level]) {
				t.Errorf("%s/%d, level %d: lane %d, and the real program has %d", f.Of(at).Name, at.Port, level, want.LaneOf[level], lane)
			}
		}
		compared++
	}
	return compared
}

// numbers reads the fields of a row.
func numbers(t *testing.T, row string) (list []int) {
	t.Helper()
	for field := range strings.SplitSeq(row, "|") {
		n, err := strconv.ParseInt(strings.TrimSpace(field), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, int(n))
	}
	return list
}
