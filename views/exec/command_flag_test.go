package exec

import (
	"strings"
	"testing"
)

// TestFlagsOfExecInALine holds that a line with a flag of the program is refused with the place of the flag.
func TestFlagsOfExecInALine(t *testing.T) {
	t.Parallel()
	c := Command{Name: "diagnose", Max: 1}
	for name, want := range map[string]string{"json": "outside the quotes", "keep-going": "outside the quotes", "jsn": "has no flag --jsn"} {
		if _, err := c.flag(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--%s gives %v", name, err)
		}
	}
}
