package catalog

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// TestOldToolFailsAtBrokenEntry: mlxtool before WinOF 5.22 fails at a virtual port that was not fully removed, and works after its removal.
func TestOldToolFailsAtBrokenEntry(t *testing.T) {
	t.Parallel()
	for _, named := range description.NamedLabs() {
		if named.Name != "manual-winof" {
			continue
		}
		d, err := description.ParseText(named.Text())
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Adapters {
			if a := &d.Adapters[i]; a.Family == description.WinOF {
				a.Package, a.DriverVersion = "WinOF 5.10", "5.10.11345"
			}
		}
		model, err := device.New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		source, err := lab.New(driver.NewHost(model))
		if err != nil {
			t.Fatal(err)
		}
		run := func(script string) (exec.Status, string) {
			var out bytes.Buffer
			runner := exec.Runner{Table: Commands(), Open: func(context.Context) (exec.Host, error) { return hosts.OnLab(source, nil, nil), nil },
				Drafts: exec.NewDraftStore(), Out: &out, Err: &out, Ask: func(context.Context) string { return "y" }}
			status := runner.Script(t.Context(), strings.NewReader(script))
			return status, out.String()
		}
		if status, out := run("part_man add \"Ethernet 4\"\nDisable-NetAdapter \"Ethernet 4\"\npart_man rem \"Ethernet 6\""); status != exec.Done {
			t.Fatal(out)
		}
		if status, out := run("mlxtool dbg pkeys"); status == exec.Done || !strings.Contains(out, "Ethernet 6 is broken") {
			t.Errorf("the tool answers\n%s", out)
		}
		if status, out := run("Enable-NetAdapter \"Ethernet 4\"\nadvance 30s\npart_man rem \"Ethernet 6\"\nmlxtool dbg pkeys"); status != exec.Done {
			t.Errorf("the entry is still there:\n%s", out)
		}
	}
}
