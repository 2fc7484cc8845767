package script

import (
	"strings"
	"testing"

	"cxdeck/driver"
)

// TestRunbookHasTheOldValues: the runbook has each value before and after the plan, and the commands of both ways.
func TestRunbookHasTheOldValues(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	files, _, err := Files(h, driver.Plan{Title: "Jumbo | frames", Operations: []driver.Operation{set("Ethernet 7", "*JumboPacket", "4088")}}, "change.md")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text := string(files[0].Data)
	for _, want := range []string{`# Jumbo \| frames`, `| Ethernet 7 | \*JumboPacket | 9014 | 4088 |`, "## Interruptions", "## Apply", `-RegistryValue "4088"`, "## Undo", `-RegistryValue "9014"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
