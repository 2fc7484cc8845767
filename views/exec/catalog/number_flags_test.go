package catalog

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// TestNumberFlagsNameBothBounds types invalid numbers for each flag of the command table that takes a number: the error names the
// lowest and the highest number, whichever is wrong.
func TestNumberFlagsNameBothBounds(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.script(`team create T SLB "Ethernet 8" "Ethernet 10"`)
	b.script(`vlan add T v1 5`)
	arguments := map[string]string{
		"capture": `"Ethernet 7" f.pcap`, "capture show": "text.txt", "reg search": "jumbo", "qos setup lossless": `"Ethernet 7"`,
		"qos setup dropless": `"Ethernet 7" on`, "vlan add": "T v2 6", "vlan modify": "T v1", "subnet manager": "IB1",
	}
	bounds := regexp.MustCompile(`must be an integer from \d+ to \d+, not "`)
	tried := 0
	for _, c := range b.Table.Commands() {
		for _, flag := range c.Flags {
			if !slices.Contains([]string{"N", "ID", "MB", "PERCENT"}, flag.Value) {
				continue
			}
			tried++
			for _, number := range []string{"-1", "x", "1.5", "1e3", "99999999999999999999999", "''"} {
				line := strings.Join(strings.Fields(c.Name+" "+arguments[c.Name]+" --"+flag.Name+" "+number), " ")
				b.errs.Reset()
				if got := b.script(line); got != exec.NotUnderstood || !bounds.MatchString(b.errs.String()) {
					t.Errorf("%s: status %d, %q", line, got, b.errs.String())
				}
			}
		}
	}
	if tried < 15 {
		t.Errorf("only %d flags take a number", tried)
	}
}
