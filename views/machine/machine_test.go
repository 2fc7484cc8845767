package machine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/driver/registry/regfile"
	"cxdeck/perf/windows"
	registry "cxdeck/perf/windows/apply"
)

const adapterKey = `SYSTEM\CurrentControlSet\Control\Class\{4D36E972-E325-11CE-BFC1-08002BE10318}\0005`

// fakeRegistry is the registry of a Windows machine with one adapter.
type fakeRegistry struct {
	values *[]regfile.Value
	path   string
	writes *int
}

func (f fakeRegistry) Subkeys() ([]string, error) {
	if strings.HasSuffix(adapterKey, f.path+`\0005`) {
		return []string{"0005"}, nil
	}
	return nil, nil
}

func (f fakeRegistry) Open(path string) (windows.Key, error) {
	f.path = strings.TrimPrefix(f.path+`\`+path, `\`)
	if !strings.HasPrefix(adapterKey, f.path) {
		return nil, errors.New("there is no key")
	}
	return f, nil
}

func (f fakeRegistry) Values() ([]regfile.Value, error) {
	if f.path != adapterKey {
		return nil, nil
	}
	return append([]regfile.Value{}, *f.values...), nil
}

func (fakeRegistry) Close() error { return nil }

func (f fakeRegistry) SetValue(_ string, v regfile.Value) error {
	*f.writes++
	for i := range *f.values {
		if (*f.values)[i].Name == v.Name {
			(*f.values)[i] = v
			return nil
		}
	}
	*f.values = append(*f.values, v)
	return nil
}

func (fakeRegistry) DeleteValue(string, string) error { return errors.New("access is denied") }

// TestWindowsMachine: the commands of a machine with Windows review, write nothing without permission, keep, undo and export.
func TestWindowsMachine(t *testing.T) {
	t.Parallel()
	f := fakeRegistry{values: &[]regfile.Value{
		regfile.TextValue("DriverDesc", "Mellanox ConnectX-5"), regfile.TextValue("MatchingDeviceId", `pci\ven_15b3&dev_1017`), regfile.TextValue("*JumboPacket", "1514"),
		regfile.NumberValue("Surprise", 3),
	}, writes: new(int)}
	folder := t.TempDir()
	run := func(allow bool, arguments ...string) (string, error) {
		var out bytes.Buffer
		command := Command{Out: &out, AllowChanges: allow, Keep: true, Journal: filepath.Join(folder, "journal"),
			Complain: func(err error) { t.Error(err) }, Answer: func(context.Context) string { return "" },
			Host: Host{
				Read:   func() (*linuxhost.Machine, error) { return windows.ReadMachine(f) },
				Open:   func() (apply.Closing, error) { return &registry.Machine{Root: f, Writer: f, Now: time.Now}, nil },
				Try:    apply.Try,
				Sheets: windows.Sheets,
			}}
		err := command.Run(t.Context(), arguments)
		return out.String(), err
	}
	script := filepath.Join(folder, "change.ps1")
	for _, step := range []struct {
		allow     bool
		arguments []string
		want      []string
		writes    int
	}{
		{false, []string{"show", "registry"}, []string{"Registry of Mellanox ConnectX-5", "*JumboPacket", "1514", "Surprise", windows.Unknown}, 0},
		{false, []string{"settings", "Mellanox ConnectX-5"}, []string{"REG_SZ", "further keys of the catalogue are not stored"}, 0},
		{false, []string{"set", "Mellanox ConnectX-5", "*JumboPacket=9014"}, []string{"Set-ItemProperty -LiteralPath", "takes effect when the adapter restarts", "Nothing was changed"}, 0},
		{false, []string{"export", script, "Mellanox ConnectX-5", "*JumboPacket=9014"}, []string{"Nothing was changed"}, 0},
		{false, []string{"export", filepath.Join(folder, "change.reg"), "Mellanox ConnectX-5", "*JumboPacket=9014"}, []string{"Nothing was changed"}, 0},
		{true, []string{"set", "Mellanox ConnectX-5", "*JumboPacket=9014", "Surprise=4"}, []string{"The values before the change are in", "Done and read back: change 1"}, 2},
		{true, []string{"undo"}, []string{"Undo change 1", "change 2"}, 4},
		{false, []string{"journal"}, []string{"kept (undoes 1)"}, 4},
	} {
		out, err := run(step.allow, step.arguments...)
		if err != nil {
			t.Errorf("%q: %v", step.arguments, err)
		}
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("%q lacks %q: %s", step.arguments, want, out)
			}
		}
		if *f.writes != step.writes {
			t.Errorf("%q: %d writes, want %d", step.arguments, *f.writes, step.writes)
		}
	}
	if text, _ := (*f.values)[2].Text(); text != "1514" {
		t.Errorf("the value is %s after the undo", text)
	}
	text, err := os.ReadFile(script)
	if err != nil || !strings.Contains(string(text), "-> 9014\r\nSet-ItemProperty") || !strings.Contains(string(text), "-Value '9014'\r\n") {
		t.Errorf("%v: %s", err, text)
	}
	if undo, err := os.ReadFile(strings.TrimSuffix(script, ".ps1") + "-undo.ps1"); err != nil || !strings.Contains(string(undo), "9014 -> 1514\r\nSet-ItemProperty") {
		t.Errorf("%v: %s", err, undo)
	}
	for _, wrong := range [][]string{{"export", script, "Mellanox ConnectX-5", "*JumboPacket=9014"}, {"export", "x.sh", "Mellanox ConnectX-5", "*JumboPacket=9014"}, {"export", "x.reg"}} {
		if _, err := run(false, wrong...); err == nil {
			t.Errorf("%q has no error", wrong)
		}
	}
}
