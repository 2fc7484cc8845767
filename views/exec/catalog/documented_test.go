package catalog

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestResultsAreDocumented holds the JSON documents that the scripts pin against the table of commands: every field
// is in the table, or within one whose meaning tells of it, and every field of the table is seen in a document,
// unless it says when it is absent.
func TestResultsAreDocumented(t *testing.T) {
	t.Parallel()
	seen := map[string]map[string]bool{} // fields by command
	paths, err := filepath.Glob("testdata/scripts/*.json.golden")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewReader(file); ; {
			line, err := lines.ReadBytes('\n')
			var d struct {
				Command string
				Result  any
			}
			if err != nil || json.Unmarshal(line, &d) != nil {
				break // what follows are the sentences
			}
			if seen[d.Command] == nil {
				seen[d.Command] = map[string]bool{}
			}
			gather(seen[d.Command], "", d.Result)
		}
	}
	for _, c := range Commands().Commands() {
		documented := map[string]bool{}
		for _, f := range c.Describe().Result {
			for _, name := range strings.Split(f.Name, ", ") {
				documented[name] = true
				if !seen[c.Name][name] && !strings.Contains(f.Meaning, "absent") {
					t.Errorf("%s: no document has the field %s", c.Name, name)
				}
			}
		}
		for name := range seen[c.Name] {
			if !isDocumented(documented, name) {
				t.Errorf("%s: the field %s is not documented", c.Name, name)
			}
		}
	}
}

// gather adds the names of the fields of a result to seen, with dots between names.
func gather(seen map[string]bool, at string, value any) {
	if at != "" {
		seen[at] = true
	}
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			gather(seen, strings.TrimPrefix(at+"."+name, "."), field)
		}
	case []any:
		for _, one := range value {
			gather(seen, at, one)
		}
	}
}

// isDocumented reports whether a field is documented: by itself, or by one that it is in, when no field in that is documented by
// itself.
func isDocumented(documented map[string]bool, name string) bool {
	for within := name; within != ""; within = within[:max(strings.LastIndexByte(within, '.'), 0)] {
		if documented[within] {
			return within == name || !slices.ContainsFunc(slices.Collect(maps.Keys(documented)), func(other string) bool {
				return strings.HasPrefix(other, within+".")
			})
		}
	}
	// A field that holds others is documented by them.
	return slices.ContainsFunc(slices.Collect(maps.Keys(documented)),
		func(other string) bool { return strings.HasPrefix(other, name+".") })
}

// TestHelpOfVirtualFunctions holds that the help of each command for SR-IOV, Hyper-V and the firmware has an example,
// and that what changes the host reports whether it can be undone.
func TestHelpOfVirtualFunctions(t *testing.T) {
	t.Parallel()
	names := regexp.MustCompile(`^(bios|firmware|sriov|vf|vm|vswitch|mst|mlxconfig|mlxfwreset|flint|vfpctrl) |VM|Sriov|Vmq|Rdma|PacketDirect|Binding|Mlnx`)
	for _, c := range Commands().Commands() {
		if !names.MatchString(c.Name) {
			continue
		}
		d := c.Describe()
		about := strings.ToLower(strings.Join(d.About, " "))
		if len(d.Examples) == 0 {
			t.Errorf("%s has no example", c.Name)
		}
		if c.Changes && !strings.Contains(about, "undo ") && !strings.Contains(about, "be undone") {
			t.Errorf("%s does not say whether it can be undone: %s", c.Name, about)
		}
	}
}

// TestTextsAreOfCommands holds that the texts of all commands can be read.
func TestTextsAreOfCommands(t *testing.T) {
	t.Parallel()
	for _, c := range Commands().Commands() {
		if d := c.Describe(); d.Help == "" || len(d.Result) == 0 || len(d.Flags) != len(c.Flags) {
			t.Errorf("%s has no texts", c.Name)
		}
	}
}
