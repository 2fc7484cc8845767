package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	path := filepath.Join(t.TempDir(), "seven.reg")
	s.Press("x")
	s.Want("Export the keys of Ethernet 7", "Ethernet-7.reg")
	s.Press("ctrl+u")
	s.Type(path)
	s.Press("enter")
	s.Want("seven.reg")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Fatalf("the file is %v, %v", info, err)
	}
	s.Press("i")
	s.Type(path)
	s.Press("enter")
	s.Want("changes nothing")
	text := "Windows Registry Editor Version 5.00\r\n\r\n" +
		`[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}\0042]` + "\r\n\"Nobody\"=dword:00000001\r\n" +
		"[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e972-e325-11ce-bfc1-08002be10318}\\" +
		v.snapshot.Ports[0].Description.Class + "]\r\n\"*ReceiveBuffers\"=\"1024\"\r\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Press("i")
	s.Type(path)
	s.Press("enter")
	s.Want("Review: Import seven.reg", "*ReceiveBuffers", "line 4: Nobody is stored without effect")
	s.Push("Apply")
	s.Press("enter")
	s.Await(d, "the value", func() bool { return stored(v, "Ethernet 7", "*ReceiveBuffers") == "1024" })
	if err := os.WriteFile(path, []byte(text+"\"broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Press("i")
	s.Type(path)
	s.Press("enter")
	s.Want("the closing quotation mark is missing", "Import a .reg file", path) // the dialog stays open with the typed text
	s.Type(".not-there")
	s.Press("enter")
	s.Want("no such file", path+".not-there")
}

func TestExportPlanAsFiles(t *testing.T) {
	t.Parallel()
	_, _, s := opened(t)
	directory := t.TempDir()
	selectKey(s, "receivebuffers")
	s.Press("enter", "up", "enter", "r")
	for name, want := range map[string]string{
		"plan.ps1": "Set-NetAdapterAdvancedProperty", "plan.txt": "*ReceiveBuffers", "plan.reg": "W\x00i\x00n\x00d\x00o\x00w\x00s\x00",
	} {
		s.Press("x")
		s.Want("Export the plan")
		s.Press("ctrl+u")
		s.Type(filepath.Join(directory, name))
		s.Press("enter")
		data, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
	if _, err := os.Stat(filepath.Join(directory, "plan-undo.ps1")); err != nil {
		t.Error(err)
	}
	s.Press("x", "ctrl+u")
	s.Type(filepath.Join(directory, "plan.doc"))
	s.Press("enter")
	s.Want("Nothing was exported", "Export the plan", "plan.doc")
	s.Press("backspace", "backspace", "backspace", "t", "x", "t", "enter")
	s.Want("exists. Replace it?")
}
