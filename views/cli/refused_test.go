package cli

import (
	"strings"
	"testing"
)

// TestInvalidNamesHarmNoHost: changes with invalid names are refused, and the host keeps all other changes.
func TestInvalidNamesHarmNoHost(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	for _, name := range []string{"", strings.Repeat("x", 300), strings.Repeat("y", 100_000), "\xff", "\u202e"} {
		for _, line := range [][]string{
			{"vm", "create", name},
			{"New-VM", "-Name", name},
			{"vswitch", "create", name, "Ethernet 7"},
			{"New-VMSwitch", "-Name", name, "-NetAdapterName", "Ethernet 7"},
			{"team", "create", name, "alb", "Ethernet 8"},
			{"New-NetLbfoTeam", "-Name", name, "-TeamMembers", "Ethernet 8"},
		} {
			if r := execIn(t, home, "", line...); r.code == exitDone || len(r.err) > 5000 || strings.Contains(r.err, "host") {
				t.Errorf("%.40q: exit code %d, %.300s", line, r.code, r.err)
			}
		}
	}
	r := execIn(t, home, "", "vm", "list")
	r.want(t, exitDone, "keepme")
	if r.err != "" {
		t.Errorf("unexpected message: %s", r.err)
	}
	execIn(t, home, "", "undo", "--yes").want(t, exitDone, "keepme")
}
