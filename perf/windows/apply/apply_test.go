package apply

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/driver/registry/regfile"
	"cxdeck/perf/windows"
)

// memory is a registry in memory: values by the path of their key. It refuses values named refused.
type memory struct {
	keys    map[string][]regfile.Value
	path    string
	refused string
	writes  *int
}

func newMemory() *memory {
	class := `SYSTEM\CurrentControlSet\Control\Class\{4D36E972-E325-11CE-BFC1-08002BE10318}`
	return &memory{writes: new(int), keys: map[string][]regfile.Value{
		class + `\0005`: {
			regfile.TextValue("DriverDesc", "Mellanox ConnectX-5 Adapter"), regfile.TextValue("MatchingDeviceId", `pci\ven_15b3&dev_1017`),
			regfile.TextValue("*JumboPacket", "1514"), regfile.NumberValue("NumVFs", 8),
		},
		`SYSTEM\CurrentControlSet\Services\mlx5\Parameters`: {regfile.NumberValue("Own", 1)},
	}}
}

func (m *memory) Subkeys() (names []string, err error) {
	for path := range m.keys {
		if rest, ok := strings.CutPrefix(path, m.path+`\`); ok {
			if name, _, _ := strings.Cut(rest, `\`); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

func (m *memory) Open(path string) (windows.Key, error) {
	below := *m
	below.path = strings.TrimPrefix(m.path+`\`+path, `\`)
	for known := range m.keys {
		if known == below.path || strings.HasPrefix(known, below.path+`\`) {
			return &below, nil
		}
	}
	return nil, errors.New("the key does not exist")
}

func (m *memory) Values() ([]regfile.Value, error) { return slices.Clone(m.keys[m.path]), nil }
func (m *memory) Close() error                     { return nil }

func (m *memory) SetValue(path string, v regfile.Value) error {
	if *m.writes++; v.Name == m.refused {
		return errors.New("access is denied")
	}
	values := m.keys[path]
	if at := slices.IndexFunc(values, func(other regfile.Value) bool { return other.Name == v.Name }); at >= 0 {
		values[at] = v
		return nil
	}
	m.keys[path] = append(values, v)
	return nil
}

func (m *memory) DeleteValue(path, name string) error {
	*m.writes++
	m.keys[path] = slices.DeleteFunc(m.keys[path], func(v regfile.Value) bool { return v.Name == name })
	return nil
}

func machineOf(m *memory) *Machine {
	return &Machine{Root: m, Writer: m, Now: func() time.Time { return time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC) }}
}

const adapter = "Mellanox ConnectX-5 Adapter"

func valueOf(t *testing.T, machine *Machine, name string) linuxhost.Setting {
	t.Helper()
	i, _ := machine.Machine().Interface(adapter)
	s, ok := i.Setting(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return s
}

// TestTrialOfTheRegistry: a plan is applied after a backup, read back and kept; its inverse restores values, types and absent values.
func TestTrialOfTheRegistry(t *testing.T) {
	t.Parallel()
	m := newMemory()
	machine := machineOf(m)
	plan, err := linuxhost.NewPlan(machine.Machine(), adapter, []string{"*JumboPacket=9014", "NumVFs=16", "*RSS=1"})
	if err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(t.TempDir(), "new", "journal")
	entry, err := apply.Try(machine, apply.Trial{Now: time.Unix(0, 0), Plan: plan, Journal: journal})
	if err != nil || entry.Outcome != apply.Kept || entry.Backup == "" {
		t.Fatalf("%v: %+v", err, entry)
	}
	data, err := os.ReadFile(entry.Backup)
	if err != nil {
		t.Fatal(err)
	}
	if file, err := regfile.Parse(data); err != nil || len(file.Keys) != 1 || len(file.Keys[0].Values) != 5 {
		t.Errorf("the backup is %+v, %v", file, err)
	}
	if s := valueOf(t, machine, "NumVFs"); s.Value != "16" || s.Type != "REG_DWORD" {
		t.Errorf("%+v", s)
	}
	if s := valueOf(t, machine, "*RSS"); s.Value != "1" || s.Type != "REG_SZ" {
		t.Errorf("%+v", s)
	}
	entries, _, err := apply.ReadJournal(journal)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v: %+v", err, entries)
	}
	machine.Now = func() time.Time { return time.Date(2026, 3, 2, 14, 0, 1, 0, time.UTC) }
	if entry, err = apply.Try(machine, apply.Trial{Now: time.Unix(0, 0), Plan: entries[0].Changes.Inverse(), Journal: journal, Undoes: 1}); err != nil {
		t.Fatal(err)
	}
	if s := valueOf(t, machine, "*RSS"); s.Value != linuxhost.NoValue {
		t.Errorf("%+v", s)
	}
	if s := valueOf(t, machine, "*JumboPacket"); s.Value != "1514" || s.Type != "REG_SZ" || entry.Undoes != 1 {
		t.Errorf("%+v", s)
	}
}

// TestRefusedRegistry: an unconfirmed or half refused plan restores everything, a failed backup and other keys change nothing.
func TestRefusedRegistry(t *testing.T) {
	t.Parallel()
	m := newMemory()
	machine := machineOf(m)
	plan, err := linuxhost.NewPlan(machine.Machine(), adapter, []string{"*JumboPacket=9014", "NumVFs=16"})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	journal := filepath.Join(folder, "journal")
	if _, err := apply.Try(machine, apply.Trial{Now: time.Unix(0, 0), Plan: plan, Journal: journal, Keep: func() bool { return false }}); !errors.Is(err, apply.ErrUnconfirmed) {
		t.Error(err)
	}
	writes := *m.writes
	if _, err := apply.Try(machine, apply.Trial{Now: time.Unix(0, 0), Plan: plan, Journal: journal}); err == nil || !strings.Contains(err.Error(), "nothing was changed, because the backup failed") || *m.writes != writes {
		t.Errorf("a backup of the same name was overwritten: %v", err)
	}
	machine.Now, m.refused = time.Now, "NumVFs"
	if entry, err := apply.Try(machine, apply.Trial{Now: time.Unix(0, 0), Plan: plan, Journal: journal}); err == nil || entry.Outcome != apply.Failed {
		t.Errorf("%v: %+v", err, entry)
	}
	if s := valueOf(t, machine, "*JumboPacket"); s.Value != "1514" {
		t.Errorf("%+v", s)
	}
	writes = *m.writes
	for _, key := range []string{
		`SOFTWARE\Microsoft\Windows\CurrentVersion\Run`, `SYSTEM\CurrentControlSet\Services\tcpip\Parameters`,
		`SYSTEM\CurrentControlSet\Services\mlx5\..\tcpip`, "",
	} {
		if err := machine.Set(linuxhost.Change{Registry: key, Name: "x", New: "1", Type: "REG_SZ"}); err == nil || *m.writes != writes {
			t.Errorf("%q was written: %v", key, err)
		}
	}
}
