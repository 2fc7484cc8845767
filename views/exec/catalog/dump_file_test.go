package catalog

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/views/exec"
)

// TestResourceDumpFile: a dump is written to a file in a new folder, which the answer names; a failed dump creates no folder.
func TestResourceDumpFile(t *testing.T) {
	t.Parallel()
	const line = "mlx5cmd -dbg -ResourceDump -Dump -Segment 0x5000 -Index1 2 -NumOfObj1 2 -Index2 1"
	b, files := newBench(t, nil), memoryFiles{}
	b.Files = files
	if status := b.script(line + ` -Name "Ethernet 5"`); status != exec.Failed || len(files) != 0 {
		t.Fatalf("a connection without virtual functions: status %d, %v", status, files)
	}
	if status := b.script(line); status != exec.Done {
		t.Fatalf("status %d: %s", status, b.errs.String())
	}
	const folder = "mlx5cmd-resource-dump-0"
	want := "Resource dump of Ethernet 7, " + epoch.UTC().Format(time.RFC3339) + "\n" +
		"Segment 0x5000, Index2 1 (FwCpuUsage), Depth 1\n\n" +
		"Index1  VF    FwCpuUsage\n0x2     1     0\n0x3     2     0\n"
	if got := string(files[filepath.Join(folder, "segment-0x5000.txt")]); got != want {
		t.Errorf("the file contains\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(b.out.String(), "in the folder "+folder+"\n") {
		t.Errorf("the folder is not named: %s", b.out.String())
	}
	b.errs.Reset()
	b.Files = memoryFiles(nil)
	if status := b.script(line); status != exec.Failed ||
		b.errs.String() != "cxdeck: line 1: can't create the folder mlx5cmd-resource-dump: permission denied\n" {
		t.Errorf("status %d: %s", status, b.errs.String())
	}
}
