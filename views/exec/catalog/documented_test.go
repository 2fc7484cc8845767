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

// TestResultsAreDocumented compares the JSON documents of the scripts with the documented fields: every field of a document is
// documented, itself or by a field that contains it, and every documented field occurs in a document, unless it may be absent.
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
			collectFields(seen[d.Command], "", d.Result)
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

// collectFields adds the names of a result's fields to seen, nested ones with dots.
func collectFields(seen map[string]bool, at string, value any) {
	if at != "" {
		seen[at] = true
	}
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			collectFields(seen, strings.TrimPrefix(at+"."+name, "."), field)
		}
	case []any:
		for _, element := range value {
			collectFields(seen, at, element)
		}
	}
}

// isDocumented reports whether a field is documented, or a field that contains it and of which no nested field is documented.
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

// TestHelpOfVirtualFunctions: the help of each command for SR-IOV, Hyper-V and firmware has an example, and says whether a change
// can be undone.
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

// TestAllTextsDecode: the texts of all commands can be decoded.
func TestAllTextsDecode(t *testing.T) {
	t.Parallel()
	for _, c := range Commands().Commands() {
		if d := c.Describe(); d.Help == "" || len(d.Result) == 0 || len(d.Flags) != len(c.Flags) {
			t.Errorf("%s has no texts", c.Name)
		}
	}
}
