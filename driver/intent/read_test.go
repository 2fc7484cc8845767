package intent

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBothFormsAreOneIntent holds that the example is the same in TOML and as a file of Validate-DCB.
func TestBothFormsAreOneIntent(t *testing.T) {
	t.Parallel()
	script, err := Read(file(t, "two-adapters.ps1"))
	if err != nil {
		t.Fatal(err)
	}
	declared, err := Read(file(t, "two-adapters.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(script, declared) {
		t.Errorf("%+v\n%+v", script, declared)
	}
	if len(script.Nodes) != 2 || script.LosslessPriority() != 3 || *script.Nodes[1].Enabled[1].VLAN != 101 || len(script.Problems) != 0 {
		t.Errorf("%+v", script)
	}
}

func TestWhatIsWrongWithAFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"AllNodes = 3":     "is not an intent",
		"[[AllNodes":       "line 1",
		"":                 "is not an intent",
		"$configData = 1":  "assigns no table to $configData",
		"# a\n$a = Get-It": "line 2",
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	in, err := Read([]byte("Colour = 1\n[[AllNodes]]\nNodeName = 'A'\nVMSwitch = 1\n[[AllNodes.RDMAEnabledAdapters]]\nVLANID = 'x'\nName = \"a\\u0007\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`unknown field "colour"`, "VMSwitch must be a list", "VLANID of an adapter must be an integer", "control characters"} {
		if !strings.Contains(strings.ToLower(strings.Join(in.Problems, "; ")), strings.ToLower(want)) {
			t.Errorf("%v does not say %s", in.Problems, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"two-adapters.ps1", "two-adapters.toml", "embedded-team.ps1"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := Read(data)
		if err != nil {
			return
		}
		for i := range in.Nodes {
			for _, a := range in.Nodes[i].Enabled {
				if strings.ContainsAny(a.Name, "\x00\x1b\n") {
					t.Errorf("the name %q", a.Name)
				}
			}
		}
	})
}
