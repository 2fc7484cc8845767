package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

// TestExportHasTheTypesOfWindows: numbers of class keys are decimal strings, except where a manual gives the type;
// below Services they are of their own type.
func TestExportHasTheTypesOfWindows(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(string(exported(t, newHost(t, 7))), "\x00", "")
	for _, line := range []string{
		`"*JumboPacket"="1514"`, `"*ReceiveBuffers"="512"`, `"*SRIOV"="1"`, `"SHCheckForHangTimeInSeconds"=dword:00000004`,
		`"CheckForHangCQMaxNoProgress"=dword:00000004`, `"DelayDropTimeout"=dword:00000000`, `"DefaultRecvRingProcessor"="-1"`,
		`"PermitSriov"=dword:00000001`, `"DumpMeNowTotalCount"="128"`, `"roce_mode"=dword:00000002`,
	} {
		if !strings.Contains(text, "\n"+line+"\r\n") {
			t.Errorf("the export has no line %s", line)
		}
	}
	if strings.Contains(text, `"*JumboPacket"=dword`) {
		t.Error("a class key has a REG_DWORD")
	}
}

// TestImportOfARealHost: what regedit exports on a host whose adapters are as they are here changes nothing: strings
// where INF files write strings, with what Windows writes about the installation, and the keys of the property dialog.
func TestImportOfARealHost(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	class := portNamed(t, h, "Ethernet 7").Class
	foreign := parseFile(t, "["+networkClass+class+"]", `"DriverDesc"="Mellanox ConnectX-5 Ex Adapter"`, `"ProviderName"="Mellanox Technologies"`,
		`"DriverVersion"="24.4.26429.0"`, `"*IfType"=dword:00000006`, `"Characteristics"=dword:00000084`, `"BusType"="5"`,
		`"NetCfgInstanceId"="{5B1E6B0C-52B7-4C0E-9A53-2D0C1F7E0407}"`, `"InstallTimeStamp"=hex:e8,07,04,00`,
		`"*JumboPacket"="9014"`, `"*ReceiveBuffers"="512"`, `"*RSS"="1"`, `"*SRIOV"="1"`, `"*FlowControl"="0"`,
		"["+networkClass+class+`\Ndi\Params\*JumboPacket]`, `"ParamDesc"="Jumbo Packet"`, `"Default"="1514"`,
		"["+networkClass+class+`\Linkage]`, `"UpperBind"=hex(7):54,00,00,00,00,00`)
	in := importFile(t, h, foreign)
	if len(in.Plan.Operations) != 0 || len(in.Unknown) != 0 || in.Installed != 11 || in.Same != 5 {
		t.Errorf("%d are the same, %d of the installation; planned %v, unknown %v", in.Same, in.Installed, in.Plan.Operations, in.Unknown)
	}
	if notes := strings.Join(in.Notes(), "\n"); !strings.Contains(notes, "11 values that Windows writes") {
		t.Errorf("the notes say %q", notes)
	}
}

// asNumbers is an export with REG_DWORDs in class keys, as cxdeck once wrote it.
func asNumbers(f *regfile.File) (changed int) {
	for i := range f.Keys {
		if !strings.HasPrefix(f.Keys[i].Path, networkClass) {
			continue
		}
		for j := range f.Keys[i].Values {
			v := &f.Keys[i].Values[j]
			var n uint32
			if s, ok := v.Text(); ok && s != "-1" {
				if _, err := fmt.Sscanf(s, "%d", &n); err == nil && fmt.Sprint(n) == s && v.Name != "*SRIOV" {
					*v = regfile.NumberValue(v.Name, n)
					changed++
				}
			}
		}
	}
	return changed
}

// TestChangeOfTypeAlone: a file with the same numbers in another type changes the types, says so, and undo brings the
// old ones back, byte for byte.
func TestChangeOfTypeAlone(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	before := exported(t, h)
	f := must(h.ExportRegistry())
	changed := asNumbers(f)
	in := importFile(t, h, f)
	if len(in.Plan.Operations) != changed || changed < 200 {
		t.Fatalf("%d values have another type, and the plan has %d changes", changed, len(in.Plan.Operations))
	}
	for _, o := range in.Plan.Operations {
		if set, ok := o.(edit.SetValue); !ok || set.Type != registry.Number || !strings.HasSuffix(o.Describe(), " as REG_DWORD") {
			t.Fatalf("%s: it does not say what it changes", o.Describe())
		}
	}
	plan := Plan{Title: "one", Operations: in.Plan.Operations[:1]}
	if c := h.Review(plan).Changes; len(c) != 1 || c[0].Row.WithType(c[0].From) == c[0].Row.WithType(c[0].To) || !strings.HasSuffix(c[0].Row.WithType(c[0].To), "REG_DWORD") {
		t.Errorf("the review shows %v", c)
	}
	mustApply(t, h, in.Plan.Operations...)
	if again := importFile(t, h, f); len(again.Plan.Operations) != 0 {
		t.Errorf("a second import changes %v", again.Plan.Operations)
	}
	if len(h.Pending()) != 0 {
		t.Errorf("types alone wait: %v", h.Pending()[0].Row.Name)
	}
	if _, err := h.Undo(); err != nil || !bytes.Equal(before, exported(t, h)) {
		t.Errorf("undo leaves another registry: %v", err)
	}
}

// TestSavedValueTypesOfOlderVersions: hosts saved before class keys held strings have numbers there, or texts that a file of a
// real host brought; both are strings from now on, and a type that was chosen stays.
func TestSavedValueTypesOfOlderVersions(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	mustApply(t, h, edit.SetValue{Connection: "Ethernet 8", Key: "*RSS", Value: "1", Type: registry.Number})
	var saved map[string]any
	if err := json.Unmarshal(must(h.Save()), &saved); err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, v := range saved["registry"].([]any) {
		v := v.(map[string]any)
		if v["name"] == "*JumboPacket" {
			v["value"] = fmt.Sprint(v["value"]) // as an import left it
			texts++
		}
	}
	restored := must(RestoreHost(h.lab.Description(), must(json.Marshal(saved))))
	if texts == 0 || !bytes.Equal(exported(t, h), exported(t, restored)) {
		t.Error("the registry of the restored host is another one")
	}
	if k := must(restored.Key("Ethernet 7", "*JumboPacket")); k.Stored != registry.NumberValue(9014) {
		t.Errorf("the text came back as %#v", k.Stored)
	}
	if k := must(restored.Key("Ethernet 8", "*RSS")); k.Stored != registry.DWordValue(1) {
		t.Errorf("the REG_DWORD came back as %#v", k.Stored)
	}
	if len(restored.Pending()) != 0 {
		t.Error("a key waits after the host was restored")
	}
}
