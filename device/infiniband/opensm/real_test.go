package opensm

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/simtest"
	"cxdeck/device/infiniband/topology"
)

// TestRealOpenSM holds LIDs and forwarding tables against the real program on the networks, with min-hop and up/down.
func TestRealOpenSM(t *testing.T) {
	for _, network := range topology.Networks() {
		for _, engine := range []Engine{MinHop, UpDown} {
			t.Run(network.Name+"/"+string(engine), func(t *testing.T) {
				f, at := network.Build()
				simulation := simtest.Start(t, f, at)
				simulation.Configure(t, string(engine))
				dump, err := os.ReadFile(filepath.Join(simulation.Dir, "opensm-lfts.dump"))
				if err != nil {
					t.Fatal(err)
				}
				New(f, []*Manager{{Place: at, Running: true, Engine: engine, Partitions: DefaultPartitions()}})
				compare(t, f, at, dump)
			})
		}
	}
}

func compare(t *testing.T, f *infiniband.Fabric, at infiniband.Place, dump []byte) {
	t.Helper()
	entries, differences, switches := 0, 0, 0
	var node *infiniband.Node
	for lines := bufio.NewScanner(bytes.NewReader(dump)); lines.Scan(); {
		line := lines.Text()
		var lid, out int
		var guid uint64
		if strings.HasPrefix(line, "Unicast lids") {
			// Unicast lids [0-6] of switch Lid 1 guid 0x0000000000200000 ('Switch1'):
			_, rest, _ := strings.Cut(line, "of switch Lid ")
			if _, err := fmt.Sscanf(rest, "%d guid 0x%x", &lid, &guid); err != nil {
				t.Fatal(err, line)
			}
			place, ok := f.Find(uint16(lid))
			if !ok || uint64(f.Of(place).GUID) != guid {
				t.Fatalf("switch %016x has the LID %d in the real subnet", guid, lid)
			}
			node = f.Of(place)
			switches++
			continue
		}
		if _, err := fmt.Sscanf(line, "0x%x %d", &lid, &out); err != nil || node == nil {
			continue
		}
		if lid < len(node.Routes) && int(node.Routes[lid]) != out {
			differences++
			if differences < 10 {
				t.Errorf("%s, LID %d: port %d, and the real program has %d", node.Name, lid, node.Routes[lid], out)
			}
		}
		if lid >= len(node.Routes) {
			t.Errorf("%s has no entry for LID %d", node.Name, lid)
		}
		entries++
	}
	if p := discover(f, at); switches != len(p.switches) || entries < len(p.switches)*len(p.ends)*9/10 {
		t.Errorf("%d switches and %d entries in the real dump; %d switches here", switches, entries, len(p.switches))
	}
	t.Logf("%d switches, %d entries, %d differ", switches, entries, differences)
}
