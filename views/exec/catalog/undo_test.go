package catalog

import (
	"context"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// TestUndoAsksFirst: undo asks if it interrupts or removes something, or if another run made the change; the default answer is no,
// and changes nothing.
func TestUndoAsksFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, line string
		// another reports that another run undoes the change.
		another bool
		want    []string
	}{
		{"a cable", `cable plug "Ethernet 7"`, false, []string{"Ethernet 7 stays down"}},
		{"a machine", "vm create x", false, []string{"It removes the machine x"}},
		{"another run", `reg set "Ethernet 7" *ReceiveBuffers 1024`, true, []string{"by exec", "in another run"}},
		{"nothing", `reg set "Ethernet 7" *ReceiveBuffers 1024`, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil)
			var host *driver.Host
			if err := b.host.ReadHost(t.Context(), func(h *driver.Host) error { host = h; return nil }); err != nil {
				t.Fatal(err)
			}
			run := func(line string) exec.Status { return b.script(line) }
			if run(`cable pull "Ethernet 7"`) != exec.Done {
				t.Fatal(b.errs.String())
			}
			host.SetActor(driver.Actor{By: "exec", Run: "first"})
			if run(c.line) != exec.Done {
				t.Fatal(b.errs.String())
			}
			if c.another {
				host.SetActor(driver.Actor{By: "exec", Run: "second"})
			}
			changes := host.Changes()
			answered := ""
			b.Ask = func(context.Context) string { return answered }
			status := run("undo")
			if c.want == nil {
				if status != exec.Done || host.Changes() != changes+1 {
					t.Errorf("%d: %s", status, b.errs.String())
				}
				return
			}
			for _, want := range c.want {
				if !strings.Contains(b.out.String(), want) {
					t.Errorf("the question lacks %q: %s", want, b.out.String())
				}
			}
			if status != exec.Failed || host.Changes() != changes {
				t.Errorf("without an answer it is done: %d, %s", status, b.errs.String())
			}
			b.Ask = nil
			if b.errs.Reset(); run("undo") != exec.Failed || host.Changes() != changes || !strings.Contains(b.errs.String(), "--yes") ||
				!strings.Contains(b.errs.String(), c.want[0]) {
				t.Errorf("where nobody can be asked: %s", b.errs.String())
			}
			answered = "y"
			b.Ask = func(context.Context) string { return answered }
			if run("undo") != exec.Done || host.Changes() != changes+1 {
				t.Errorf("after yes: %s", b.errs.String())
			}
		})
	}
}
