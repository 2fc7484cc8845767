package exec

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
)

// TestResourceDump: V4 over seeds: the first index is the virtual function plus one, the second says which of the two
// counters, and the values are those of the functions that were asked for.
func TestResourceDump(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Flows, d.Faults = nil, nil
	targets := []toolTarget{{connection: "Ethernet 8"}, {connection: "Ethernet 7"}}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 4))
		lab, err := device.New(d, seed)
		if err != nil {
			t.Fatal(err)
		}
		if err := lab.SetFault(0, description.FirmwareLoad, 1); err != nil {
			t.Fatal(err)
		}
		lab.Advance(time.Duration(1+random.IntN(5)) * time.Second)
		first, count, which := random.IntN(4), 1+random.IntN(40), 1+random.IntN(2)
		asked, err := readDump([]string{
			"-Dump", "-Segment", "0x5000", "-Index1", fmt.Sprint(first + 1), "-NumOfObj1", fmt.Sprint(count), "-Index2",
			fmt.Sprint(which),
		})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := asked.read(lab, targets)
		if err != nil || len(rows) != min(count, 4-first) {
			t.Fatalf("seed %d: %d rows of VF %d on, %v", seed, len(rows), first, err)
		}
		cell := []device.FunctionCounter{1: device.FunctionFirmwareUse, 2: device.FunctionFirmwareErrors}[which]
		for i, r := range rows {
			want := lab.Counters()[lab.FunctionCell(0, first+i, cell)]
			if r.Function != first+i || r.Index1 != first+i+1 || r.Value != want || first+i == 0 && r.Value == 0 {
				t.Errorf("seed %d: row %d is %+v, and the counter %d", seed, i, r, want)
			}
		}
		if asked.index1 = 5; err == nil {
			if _, err = asked.read(lab, targets); err == nil {
				t.Error("a virtual function was read that is not there")
			}
		}
	}
}

// TestResourceDumpIsAFile: what was read goes to a file, in a folder that the answer names, and no folder is made for a
// dump that there is none of.
func TestResourceDumpIsAFile(t *testing.T) {
	t.Parallel()
	const line = "mlx5cmd -dbg -ResourceDump -Dump -Segment 0x5000 -Index1 2 -NumOfObj1 2 -Index2 1"
	b, files := newBench(t, nil), memoryFiles{}
	b.Files = files
	if status := b.script(line + ` -Name "Ethernet 5"`); status != Failed || len(files) != 0 {
		t.Fatalf("a connection without virtual functions: status %d, %v", status, files)
	}
	if status := b.script(line); status != Done {
		t.Fatalf("status %d: %s", status, b.errs.String())
	}
	const folder = "mlx5cmd-resource-dump-0"
	want := "Resource dump of Ethernet 7, " + epoch.UTC().Format(time.RFC3339) + "\n" +
		"Segment 0x5000, Index2 1 (FwCpuUsage), Depth 1\n\n" +
		"Index1  VF    FwCpuUsage\n0x2     1     0\n0x3     2     0\n"
	if got := string(files[filepath.Join(folder, dumpFile)]); got != want {
		t.Errorf("the file holds\n%s\nand not\n%s", got, want)
	}
	if !strings.Contains(b.out.String(), "in the folder "+folder+"\n") {
		t.Errorf("the folder is not named: %s", b.out.String())
	}
	b.errs.Reset()
	b.Files = memoryFiles(nil)
	if status := b.script(line); status != Failed ||
		b.errs.String() != "cxdeck: line 1: the folder mlx5cmd-resource-dump can't be made: permission denied\n" {
		t.Errorf("status %d: %s", status, b.errs.String())
	}
}
