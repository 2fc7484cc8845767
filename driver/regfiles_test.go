package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regedit"
	"cxdeck/driver/registry/regfile"
)

const networkClass = `HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}\`

func parseFile(t *testing.T, lines ...string) *regfile.File {
	t.Helper()
	f, err := regfile.Parse([]byte("Windows Registry Editor Version 5.00\r\n\r\n" + strings.Join(lines, "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func exported(t *testing.T, h *Host, connections ...string) []byte {
	t.Helper()
	f, err := h.ExportRegistry(connections...)
	if err != nil {
		t.Fatal(err)
	}
	data, err := regfile.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// imported is a file with the plan that imports it.
type imported struct {
	regedit.Import
	Plan Plan
}

func importFile(t *testing.T, h *Host, f *regfile.File) imported {
	t.Helper()
	plan, in, err := h.ImportRegistry("import", f)
	if err != nil {
		t.Fatal(err)
	}
	return imported{in, plan}
}

// TestExportedRegistryComesBack: what is exported, imported into a host that was changed, and exported again is the
// same, byte for byte, with all that came from files.
func TestExportedRegistryComesBack(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	class := portNamed(t, h, "Ethernet 7").Class
	extra := parseFile(t, "["+networkClass+class+"]", `"*JumboPacket"="9014"`, `"*RSS"=hex:01`, `"Vendor"=hex(7):61,00,00,00,00,00`,
		`[HKEY_LOCAL_MACHINE\SOFTWARE\Vendor]`, `@="x"`, `"q"=hex(b):01,00,00,00,00,00,00,00`, `"e"=hex(2):25,00,00,00`, `"n"=hex(0):`)
	mustApply(t, h, importFile(t, h, extra).Plan.Operations...)
	first := exported(t, h)
	f, err := regfile.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	if in := importFile(t, h, f); len(in.Plan.Operations) != 0 || in.Same < 300 {
		t.Errorf("importing what was exported changes %v, %d are the same", in.Plan.Operations, in.Same)
	}
	other := newHost(t, 7)
	mustApply(t, other, edit.SetValue{Connection: "Ethernet 5", Key: "*ReceiveBuffers", Value: "4096"}, edit.DeleteValue{Connection: "Ethernet 7", Key: "*RSS"},
		edit.DeleteValue{Adapter: "ConnectX-3 Pro", Key: "bus-device/PermitSriov"})
	mustApply(t, other, importFile(t, other, f).Plan.Operations...)
	if again := exported(t, other); !bytes.Equal(first, again) {
		t.Errorf("the second export differs: %d and %d bytes", len(first), len(again))
	}
	if _, err := h.ExportRegistry("Ethernet 99"); err == nil {
		t.Error("an unknown connection was exported")
	}
	if one := exported(t, h, "Ethernet 7"); bytes.Count(one, appendUTF16("[HKEY")) != 1 {
		t.Errorf("one connection has more than one key")
	}
}

func appendUTF16(s string) (data []byte) {
	for _, c := range []byte(s) {
		data = append(data, c, 0)
	}
	return data
}

func portNamed(t *testing.T, h *Host, name string) *description.Port {
	t.Helper()
	port, err := h.port(name)
	if err != nil {
		t.Fatal(err)
	}
	d, _, _ := h.lab.Port(port)
	return d
}

func TestImportIsAPlan(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	class := portNamed(t, h, "Ethernet 7").Class
	before := h.hive.All()
	in := importFile(t, h, parseFile(t,
		`[hkey_local_machine\system\ControlSet001\control\class\{4D36E972-E325-11CE-BFC1-08002BE10318}\`+class+`]`,
		`"*jumbopacket"=dword:00002336`, `"*JumboPacket"=dword:00000400`, // the last counts
		`"*ReceiveBuffers"="1024"`, `"*TransmitBuffers"=-`, `"*RSS"=hex:01,02`, `"Made Up"=dword:1`, `"NotThere"=-`,
		`[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\mlx4_bus\Parameters]`, `"LogNumQP"=dword:14`,
		`[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters]`, `"TcpWindowSize"=dword:ffff`, `"Hostname"="x"`,
		`[`+networkClass+`0999]`, `"*RSS"=dword:0`,
		`[HKEY_LOCAL_MACHINE\SYSTEM\ControlSet002\X]`, `"a"=dword:1`, `"b"=dword:2`, `"a"=-`,
	))
	set := `HKLM\SYSTEM\CurrentControlSet\`
	network := set + `control\class\{4D36E972-E325-11CE-BFC1-08002BE10318}\` + class
	want := []Operation{
		edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "1024", Type: registry.Number},
		edit.SetValue{Connection: "Ethernet 7", Key: "*ReceiveBuffers", Value: "1024"},
		edit.DeleteValue{Connection: "Ethernet 7", Key: "*TransmitBuffers"},
		edit.StoreValues{Path: network, Values: []edit.StoredValue{{Name: "*RSS", Value: registry.DataValue(3, []byte{1, 2})}, {Name: "Made Up", Value: registry.NumberValue(1)}}},
		edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP", Value: "20"},
		edit.SetValue{Adapter: h.lab.Description().Adapters[0].Name, Key: "os/TcpWindowSize", Value: "65535"},
		edit.StoreValues{Path: set + `Services\Tcpip\Parameters`, Values: []edit.StoredValue{{Name: "Hostname", Value: registry.TextValue("x")}}},
		edit.StoreValues{Path: `HKLM` + strings.TrimPrefix(networkClass, "HKEY_LOCAL_MACHINE") + "0999", Values: []edit.StoredValue{{Name: "*RSS", Value: registry.NumberValue(0)}}},
		edit.StoreValues{Path: `HKLM\SYSTEM\ControlSet002\X`, Values: []edit.StoredValue{{Name: "b", Value: registry.NumberValue(2)}}},
	}
	for i := range max(len(want), len(in.Plan.Operations)) {
		if i >= len(want) || i >= len(in.Plan.Operations) || !reflect.DeepEqual(in.Plan.Operations[i], want[i]) {
			t.Errorf("the plan is\n%+v, want\n%+v", in.Plan.Operations, want)
			break
		}
	}
	var why []string
	for _, u := range in.Unknown {
		why = append(why, u.Name+": "+u.Why)
	}
	if got := strings.Join(why, "; "); got != "Made Up: the driver has no such key; NotThere: the driver has no such key; "+
		"Hostname: no driver of this host reads it; *RSS: no adapter of this host has the class key 0999; "+
		"a: no driver of this host reads it; b: no driver of this host reads it" {
		t.Errorf("unknown are %s", got)
	}
	if !reflect.DeepEqual(before, h.hive.All()) {
		t.Error("finding out what a file changes has changed the registry")
	}
	mustApply(t, h, in.Plan.Operations...)
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(before, h.hive.All()) {
		t.Error("an import that was undone has left something behind")
	}
}

func TestImportDeletesKeys(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	class := portNamed(t, h, "Ethernet 7").Class
	mustApply(t, h, importFile(t, h, parseFile(t, `[HKEY_LOCAL_MACHINE\SOFTWARE\A]`, `"x"=dword:1`, `[HKEY_LOCAL_MACHINE\SOFTWARE\A\B]`, `"y"=dword:2`,
		`[HKEY_LOCAL_MACHINE\SOFTWARE\AB]`, `"z"=dword:3`)).Plan.Operations...)
	in := importFile(t, h, parseFile(t, `[HKEY_LOCAL_MACHINE\software\A\C]`, `"gone"=dword:1`, `[-HKEY_LOCAL_MACHINE\software\a]`,
		`[HKEY_LOCAL_MACHINE\SOFTWARE\A]`, `"new"=dword:4`, `[-`+networkClass+class+`]`))
	mustApply(t, h, in.Plan.Operations...)
	var left []string
	for _, v := range h.hive.All() {
		if v.Scope == registry.OtherPath {
			left = append(left, v.Path+" "+v.Name)
		}
		if v.Place() == h.layout.Place(must(h.port("Ethernet 7")), registry.Miniport) {
			t.Errorf("%s is still there", v.Name)
		}
	}
	if got := strings.Join(left, "; "); got != `HKLM\SOFTWARE\A new; HKLM\SOFTWARE\AB z` {
		t.Errorf("left are %s", got)
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if h.hive.Get(h.layout.Place(must(h.port("Ethernet 7")), registry.Miniport), "*JumboPacket").Number() == 0 {
		t.Error("the deleted key of an adapter did not come back")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestImportedNumberOfAnotherTypeCounts(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	class := portNamed(t, h, "Ethernet 7").Class
	mustApply(t, h, append(importFile(t, h, parseFile(t, "["+networkClass+class+"]", `"*JumboPacket"=dword:fa0`)).Plan.Operations,
		adapters.RestartAdapter{Connection: "Ethernet 7"})...)
	h.Advance(10 * stopTime)
	k := must(h.Key("Ethernet 7", "*JumboPacket"))
	if k.Stored != registry.DWordValue(4000) || k.Effective != registry.NumberValue(4000) || h.lab.Settings(must(h.port("Ethernet 7"))).MaxFrame != 4000 {
		t.Errorf("stored %v, effective %v", k.Stored, k.Effective)
	}
	mustApply(t, h, edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "1514"})
	if _, err := h.Undo(); err != nil || must(h.Key("Ethernet 7", "*JumboPacket")).Stored != registry.DWordValue(4000) {
		t.Errorf("the type did not come back: %v", err)
	}
}

func TestStoreValuesRefuses(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	for _, c := range []struct {
		o   edit.StoreValues
		why string
	}{
		{edit.StoreValues{Path: `C:\X`, Values: []edit.StoredValue{{Name: "a", Value: registry.NumberValue(1)}}}, "invalid registry path"},
		{edit.StoreValues{Path: `HKLM\X`, Values: nil}, "1 to 100 values"},
		{edit.StoreValues{Path: `HKLM\X`, Values: make([]edit.StoredValue, edit.MaxStored+1)}, "1 to 100 values"},
		{edit.StoreValues{Path: `HKLM\X`, Values: []edit.StoredValue{{Name: "a", Value: registry.DataValue(3, make([]byte, 20_000))}}}, "has more"},
		{edit.StoreValues{Path: `HKLM\X`, Values: []edit.StoredValue{{Name: strings.Repeat("a", 2000), Value: registry.NumberValue(1)}}}, "longer than"},
	} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{c.o}}); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%.40v: %v", c.o, err)
		}
	}
}

func TestStoredValuesAsCommands(t *testing.T) {
	t.Parallel()
	o := edit.StoreValues{Path: `HKLM\SOFTWARE\It's`, Values: []edit.StoredValue{
		{Name: "", Value: registry.TextValue("a'; Remove-Item *")}, {Name: "b", Value: registry.DataValue(3, []byte{1, 255})}, {Name: "e", Value: registry.DataValue(2, []byte("%\x00\x00\x00"))},
		{Name: "m", Value: registry.DataValue(7, []byte("a\x00\x00\x00b\x00\x00\x00\x00\x00"))}, {Name: "q", Value: registry.DataValue(11, []byte("\x01\x00\x00\x00\x00\x00\x00\x00"))},
		{Name: "n", Value: registry.DataValue(0, nil)}, {Name: "gone", Value: registry.Value{}},
	}}
	want := []string{
		`New-ItemProperty -LiteralPath 'Registry::HKEY_LOCAL_MACHINE\SOFTWARE\It''s' -Name '(default)' -PropertyType String -Value 'a''; Remove-Item *' -Force`,
		`-Name "b" -PropertyType Binary -Value ([byte[]]@(0x01,0xff)) -Force`, `-PropertyType ExpandString -Value '%' -Force`,
		`-PropertyType MultiString -Value @("a", "b") -Force`, `-PropertyType QWord -Value 0x1 -Force`,
		`# PowerShell can't store a REG_NONE; import "n" of`, `Remove-ItemProperty -LiteralPath 'Registry::`,
	}
	for i, line := range o.Commands() {
		if !strings.Contains(line, want[i]) {
			t.Errorf("%s\nshould have %s", line, want[i])
		}
	}
}

func TestStoreValuesKeepsItsValues(t *testing.T) {
	t.Parallel()
	o := edit.StoreValues{Path: `HKLM\X`, Values: []edit.StoredValue{{Name: "a", Value: registry.DataValue(3, []byte{0xFF, 0})}, {Name: "b", Value: registry.Value{}}, {Name: "c", Value: registry.TextValue("x")}}}
	data := must(journal.MarshalOperation(o))
	again, err := journal.UnmarshalOperation(data)
	if err != nil || !reflect.DeepEqual(again, Operation(o)) {
		t.Errorf("%s became %v, %v", data, again, err)
	}
	h := newHost(t, 7)
	mustApply(t, h, o)
	saved := must(h.Save())
	restored, err := RestoreHost(h.lab.Description(), saved)
	if err != nil || !reflect.DeepEqual(h.hive.All(), restored.hive.All()) || !json.Valid(saved) {
		t.Errorf("restored %v", err)
	}
}

// manyValues is a registry file of 100,000 values in as many keys as it is told.
func manyValues(keys int) []byte {
	var text strings.Builder
	text.WriteString("Windows Registry Editor Version 5.00\r\n")
	for k := range keys {
		fmt.Fprintf(&text, "\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Vendor\\%d]\r\n", k)
		for v := range 100_000 / keys {
			fmt.Fprintf(&text, "\"Value %d\"=dword:%08x\r\n", v, v)
		}
	}
	return []byte(text.String())
}

// A large file is not only read: its plan is applied, and undone.
func TestManyValuesAreImported(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	was := h.hive.Len()
	f, err := regfile.Parse(manyValues(20_000))
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := h.ImportRegistry("import", f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Apply(plan); err != nil || h.hive.Len() != was+100_000 {
		t.Fatal(h.hive.Len(), err)
	}
	if _, err := h.Undo(); err != nil || h.hive.Len() != was {
		t.Fatal(h.hive.Len(), err)
	}
}

// What stores the longest values is read again from a journal, and so is what takes it back.
func TestLongValuesAreReadAgain(t *testing.T) {
	t.Parallel()
	const longest = 16 << 10
	o := edit.StoreValues{Path: `HKLM\SOFTWARE\Vendor`}
	for i := range edit.MaxStored {
		o.Values = append(o.Values, edit.StoredValue{Name: fmt.Sprint("Value ", i), Value: registry.TextValue(strings.Repeat("\x01", longest))})
	}
	data, err := journal.MarshalOperation(o)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := journal.UnmarshalOperation(data); err != nil || len(again.(edit.StoreValues).Values) != edit.MaxStored {
		t.Error(err)
	}
}

// BenchmarkImport is a file of 100,000 values from its bytes to a plan.
func BenchmarkImport(b *testing.B) {
	data := manyValues(1000)
	h := newHost(b, 7)
	for b.Loop() {
		f, err := regfile.Parse(data)
		if err != nil {
			b.Fatal(err)
		}
		if plan, _, err := h.ImportRegistry("import", f); err != nil || len(plan.Operations) != 1000 {
			b.Fatal(len(plan.Operations), err)
		}
	}
}
