package catalog

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/driver/cmdlet"
)

// TestCmdletTable: every cmdlet of the table can be typed, every cmdlet that can be typed is in the table, and help names only
// its parameters.
func TestCmdletTable(t *testing.T) {
	t.Parallel()
	for _, c := range cmdlet.All() {
		command, ok := Commands().Find([]string{strings.ToLower(c.Name)})
		if !ok {
			t.Errorf("%s can't be typed", c.Name)
			continue
		}
		var names []string
		for _, p := range c.Parameters {
			names = append(names, strings.ToLower(p.Name), strings.ToLower(p.Alias))
		}
		d := command.Describe()
		for _, found := range regexp.MustCompile(`(?:^|[^\w])-([A-Z]\w+)`).FindAllStringSubmatch(d.Arguments, -1) {
			if !slices.Contains(names, strings.ToLower(found[1])) {
				t.Errorf("%s has no parameter -%s, which its help names", c.Name, found[1])
			}
		}
	}
	cmdletName := regexp.MustCompile(`^[A-Z][a-z]+-[A-Z][A-Za-z]+$`)
	for _, command := range Commands().Commands() {
		// Get-PnpDevice is read as a whole line.
		if cmdletName.MatchString(command.Name) && cmdlet.Find(command.Name) == nil && command.Name != "Get-PnpDevice" {
			t.Errorf("%s is not in the table", command.Name)
		}
	}
}
