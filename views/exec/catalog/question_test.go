package catalog

import (
	"context"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// TestQuestions: a question is asked once; without a terminal the default answer is used; the answer no changes nothing.
func TestQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const set = "mlxconfig -d mt4121_pciconf0 set NUM_OF_VFS=9"
	const share = "Set-MlnxPCIDeviceSriovSetting -Name 'HCA 0' -SriovPortMode 1"
	for _, c := range []struct {
		line, typed string
		nobody      bool
		status      exec.Status
		asked       int
		changed     bool
	}{
		{line: set, typed: "y\n", status: exec.Done, asked: 1, changed: true},
		{line: set, typed: " YES ", status: exec.Done, asked: 1, changed: true},
		{line: set, typed: "n", status: exec.Failed, asked: 1},
		{line: set, typed: "", status: exec.Failed, asked: 1},
		{line: set, typed: "maybe", status: exec.NotUnderstood, asked: 1},
		{line: set, nobody: true, status: exec.Failed},
		{line: set + " -y", typed: "n", status: exec.Done, changed: true},
		{line: "mlxconfig -d mt4121_pciconf0 set NUM_OF_VFS=999", typed: "y", status: exec.Failed},
		{line: share, typed: "", status: exec.Done, asked: 1, changed: true},
		{line: share, typed: "n", status: exec.Failed, asked: 1},
		{line: share, nobody: true, status: exec.Done, changed: true},
		{line: share + " -Confirm:$false", typed: "n", status: exec.Done, changed: true},
	} {
		b := newBench(t, nil)
		if status := b.script("firmware set 'ConnectX-3 Pro' total_vfs=4 sriov_en=1", "host reboot",
			"advance 2m"); status != exec.Done {
			t.Fatal(b.errs.String())
		}
		asked := 0
		if !c.nobody {
			b.Ask = func(context.Context) string {
				asked++
				return c.typed
			}
		}
		b.out.Reset()
		if status := b.script(c.line); status != c.status || asked != c.asked {
			t.Errorf("%s, %q: status %d, asked %d times; want %d, %d: %s", c.line, c.typed, status, asked, c.status,
				c.asked,
				b.errs.String())
		}
		if unasked := strings.Contains(b.out.String(), "no terminal to ask on"); unasked != c.nobody {
			t.Errorf("%s says %s", c.line, b.out.String())
		}
		b.out.Reset()
		if b.script("journal"); strings.Contains(b.out.String(), "\n3 ") != c.changed {
			t.Errorf("%s, %q: %s", c.line, c.typed, b.out.String())
		}
	}
}

// TestReadOnlyRefusesPipe: read-only mode refuses a pipe whose last command changes the host.
func TestReadOnlyRefusesPipe(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.ReadOnly = true
	for _, line := range []string{"Set-VMNetworkAdapter -IovWeight 0", "Remove-VMNetworkAdapter"} {
		b.errs.Reset()
		status := b.script("Get-VMNetworkAdapter -VMName vm001 | " + line)
		if status != exec.Failed || !strings.Contains(b.errs.String(), "read-only") {
			t.Errorf("%s: status %d, %s", line, status, b.errs.String())
		}
	}
}
