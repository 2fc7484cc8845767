package apply

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/driver/linuxhost"
)

// fake is a machine with one interface. fails names a setting that can't be set, keeps one that becomes another value.
type fake struct {
	values       map[string]string
	fails, keeps string
	sets         []string
}

func (f *fake) Machine() *linuxhost.Machine {
	i := linuxhost.Interface{Name: "eth0"}
	for name, value := range f.values {
		i.Settings = append(i.Settings, linuxhost.Setting{Name: name, Value: value})
	}
	return &linuxhost.Machine{Interfaces: []linuxhost.Interface{i}}
}

func (f *fake) Set(c linuxhost.Change) error {
	f.sets = append(f.sets, c.Name+"="+c.New)
	if c.Name == f.fails {
		return errors.New("device or resource busy")
	}
	if c.Name == f.keeps && c.New != c.Old && c.Old == "1" {
		f.values[c.Name] = "16"
		return nil
	}
	f.values[c.Name] = c.New
	return nil
}

func plan() linuxhost.Plan {
	return linuxhost.Plan{{Interface: "eth0", Name: "a", Old: "1", New: "2"}, {Interface: "eth0", Name: "b", Old: "1", New: "2"}, {Interface: "eth0", Name: "c", Old: "1", New: "2"}}
}

func TestRun(t *testing.T) {
	t.Parallel()
	start := func() map[string]string { return map[string]string{"a": "1", "b": "1", "c": "1"} }
	for name, c := range map[string]struct {
		fake fake
		want string // of the error
		all  string // the value of each setting afterwards
	}{
		"good":   {fake{values: start()}, "", "2"},
		"fails":  {fake{values: start(), fails: "b"}, "b of eth0 can't be changed to 2: device or resource busy", "1"},
		"keeps":  {fake{values: start(), keeps: "c"}, "the driver chose another value", "1"},
		"stale":  {fake{values: map[string]string{"a": "1", "b": "9", "c": "1"}}, "b of eth0 is 9 now and not 1: review", ""},
		"absent": {fake{values: map[string]string{"a": "1"}}, "no longer has the setting b", ""},
	} {
		err := Run(&c.fake, plan())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		for setting, value := range c.fake.values {
			if c.all != "" && value != c.all {
				t.Errorf("%s: %s is %s; %q", name, setting, value, c.fake.sets)
			}
		}
		if c.all == "" && c.fake.values["a"] != "1" {
			t.Errorf("%s: the change before was not undone", name)
		}
	}
}

// TestRevertGoesOn: one setting that can't be restored does not keep the others from it.
func TestRevertGoesOn(t *testing.T) {
	t.Parallel()
	f := &fake{values: map[string]string{"a": "2", "b": "2", "c": "2"}, fails: "b"}
	if err := Revert(f, plan().Inverse()); err == nil || f.values["a"] != "1" || f.values["c"] != "1" {
		t.Errorf("%v, %v", err, f.values)
	}
}

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "changes.jsonl")
	if entries, _, err := ReadJournal(path); err != nil || len(entries) != 0 {
		t.Fatal(entries, err)
	}
	for _, e := range []Entry{{Changes: plan(), Outcome: Kept}, {Outcome: Failed}, {Changes: plan(), Outcome: Kept}, {Outcome: Kept, Undoes: 3}} {
		if _, err := AppendJournal(path, e); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString("{damaged\n")
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	entries, damaged, err := ReadJournal(path)
	if err != nil || damaged != 1 || len(entries) != 4 {
		t.Fatal(entries, damaged, err)
	}
	if e, ok := Undoable(entries); !ok || e.Number != 1 {
		t.Errorf("%+v", e)
	}
	if _, _, err := ReadJournal(t.TempDir()); err == nil {
		t.Error("a folder is a journal")
	}
}
