package catalog

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestSnapshotHasAllParts: no command of the report is refused, each section has something, and HTML and text have the same.
func TestSnapshotHasAllParts(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script("advance 2s", "mlxtool dbg dump-me-now 130 0 0", "snapshot s.txt", "snapshot s.html", "host files get * t.zip --snapshot"); status != 0 {
		t.Fatalf("%s", b.errs.String())
	}
	files := b.Files.(memoryFiles)
	text, page := string(files["s.txt"]), string(files["s.html"])
	for _, part := range []string{
		"LAB-N4", "Windows Server 2019", "MT_1090111019", "Ethernet 7", "E4:1D:2D:B0:7A:11", "> Get-NetQosPolicy", "> Get-MlnxDriverCoreSetting", "> Get-NetAdapterAdvancedProperty",
		"*JumboPacket", "> diagnose", "Packets Received", "dump-me-now request wrote", "mst_dump.txt", "Mellanox-Kernel", "100 %",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q", part)
		}
		if part = strings.TrimPrefix(part, "> "); !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	for _, wrong := range []string{"unknown command", "is incomplete", "can't be", "requires a", "<script"} {
		if strings.Contains(text+page, wrong) {
			at := strings.Index(text, wrong)
			t.Errorf("it has %q: %.200s", wrong, text[max(0, at-80):])
		}
	}
	archive, err := zip.NewReader(bytes.NewReader(files["t.zip"]), int64(len(files["t.zip"])))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name[strings.LastIndex(f.Name, "/")+1:])
		if f.Mode().Perm() != 0o600 || strings.HasPrefix(f.Name, "/") || strings.Contains(f.Name, "..") {
			t.Errorf("%s has the mode %v", f.Name, f.Mode())
		}
	}
	for _, want := range []string{"mst_dump.txt", "snapshot.html", "snapshot.txt", "events.xml"} {
		if !slices.Contains(names, want) {
			t.Errorf("the archive has %v", names)
		}
	}
}
