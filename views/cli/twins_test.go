package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	maker "cxdeck/driver/twin"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/twin"
)

// runIn runs a command with the history in a directory.
func runIn(t *testing.T, directory string, arguments ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	streams := process.Streams{Out: &out, Err: &errs, Environment: func(string) (string, bool) { return "", false }}
	line := slices.Concat(arguments, []string{"--db", historyIn(directory)})
	return result{Main(t.Context(), Build{Version: "1.2.3"}, line, streams), out.String(), errs.String()}
}

// exportLab writes the exports of a lab into a folder, by the collector's own lines.
func exportLab(t *testing.T, home, lab string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	t.Chdir(folder)
	execIn(t, home, maker.Script(), "--lab", lab, "--keep-going")
	return folder
}

// registryOf returns the registry of a lab as a file.
func registryOf(t *testing.T, home, lab string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "all.reg")
	execIn(t, home, "", "--lab", lab, "reg", "export", path).want(t, exitDone)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withoutAssumed removes what no export has from the description of an adapter: the lab's name of the card, the far end of the cables, and
// the size of the receive buffer and the speed of the host, which the test compares with what twins assume.
func withoutAssumed(a description.Adapter) description.Adapter {
	a.Name, a.BusClass = "", ""
	a.Ports = append([]description.Port{}, a.Ports...)
	for i := range a.Ports {
		a.Ports[i].Switch, a.Ports[i].Lossless, a.Ports[i].CongestionControl = description.SwitchPort{}, nil, nil
	}
	if len(a.Flash) == 0 {
		a.Flash = nil
	}
	return a
}

// TestTheTwinOfALabIsTheLab: the twin that is made of a lab's own exports has the same registry, byte by byte, and the same adapters.
func TestTheTwinOfALabIsTheLab(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine for seconds: run it without -short")
	}
	for _, lab := range []string{"manual-winof", "manual-winof2", "storage-spaces-direct"} {
		home := t.TempDir()
		folder := exportLab(t, home, lab)
		runIn(t, home, "twin", "make", "copy", folder).want(t, exitDone)
		if got, want := registryOf(t, home, "copy"), registryOf(t, home, lab); got != want {
			t.Errorf("%s: the registry of the twin has %d bytes and differs from the lab's with %d", lab, len(got), len(want))
		}
		made, err := twin.StoreIn(historyIn(home)).Load("copy")
		if err != nil {
			t.Fatal(err)
		}
		var original *description.Description
		for _, named := range description.NamedLabs() {
			if named.Name == lab {
				if original, err = description.ParseText(named.Text()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if made.Host.Name != original.Host.Name || made.Host.System != original.Host.System || len(made.Adapters) != len(original.Adapters) {
			t.Fatalf("%s: the twin is of %s (%s) with %d adapters", lab, made.Host.Name, made.Host.System, len(made.Adapters))
		}
		for i := range made.Adapters {
			got, want := withoutAssumed(made.Adapters[i]), withoutAssumed(original.Adapters[i])
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, adapter %d:\ngot  %+v\nwant %+v", lab, i, got, want)
			}
		}
		if len(made.Machines) != len(original.Machines) || len(made.Switches) != len(original.Switches) {
			t.Errorf("%s: the twin has %d machines and %d switches", lab, len(made.Machines), len(made.Switches))
		}
		if len(made.Twin.Assumed) == 0 || len(made.Twin.Unknown) > 0 {
			t.Errorf("%s: assumed %q, unknown %q", lab, made.Twin.Assumed, made.Twin.Unknown)
		}
	}
}

// TestTwinsArePrivate: the folder has mode 0700, and a twin 0600.
func TestTwinsArePrivate(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine for seconds: run it without -short")
	}
	home := t.TempDir()
	folder := exportLab(t, home, "manual-winof2")
	runIn(t, home, "twin", "make", "web1", folder).want(t, exitDone)
	store := twin.StoreIn(historyIn(home))
	for path, want := range map[string]fs.FileMode{store.Folder: 0o700, filepath.Join(store.Folder, "web1.toml"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	runIn(t, home, "twin", "make", "web1", folder).want(t, exitFailed, "there is a twin web1 already; --force replaces it")
	runIn(t, home, "twin", "make", "web1", folder, "--force").want(t, exitDone)
	runIn(t, home, "twin", "make", "../web1", folder).want(t, exitMistake, `invalid name "../web1"`)
	runIn(t, home, "twin", "make", "manual-ib", folder).want(t, exitMistake, "embedded lab")
	runIn(t, home, "twin", "list").want(t, exitDone, "web1")
	runIn(t, home, "twin", "show", "web1").want(t, exitDone, "Assumed (", "the virtual switch MlnxSwitch: it has no filter platform")
	execIn(t, home, "", "--lab", "web1", "adapter", "list").want(t, exitDone, "Ethernet 2")
	runIn(t, home, "twin", "remove", "web1").want(t, exitDone)
	runIn(t, home, "twin", "show", "web1").want(t, exitMistake, `there is no twin "web1"`)
}

// TestSnapshotAndFirmwareSettingsAreInputs: the system snapshot and the output of mlxconfig give a twin the versions, GUIDs and firmware settings
// of a host whose registry is not exported.
func TestSnapshotAndFirmwareSettingsAreInputs(t *testing.T) {
	host, home, folder := t.TempDir(), t.TempDir(), t.TempDir()
	t.Chdir(folder)
	execIn(t, host, `mlxconfig -d mt4119_pciconf0 -y set SRIOV_EN=1 NUM_OF_VFS=8
Restart-Computer -Force
advance 2m
snapshot snapshot.txt
mlxconfig -d mt4119_pciconf0 q -e | Out-File mlxconfig.txt -Encoding utf8
Get-NetAdapter | Select-Object * | ConvertTo-Json -Depth 3 | Out-File adapters.json -Encoding utf8
Get-NetAdapterHardwareInfo | Select-Object * | ConvertTo-Json -Depth 3 | Out-File hardware.json -Encoding utf8
`, "--lab", "storage-spaces-direct").want(t, exitDone)
	runIn(t, home, "twin", "make", "web1", folder).want(t, exitDone)
	made, err := twin.StoreIn(historyIn(home)).Load("web1")
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Adapters) != 2 || made.Host.Name != "NODE-1" || made.Host.System != "Windows Server 2019 Datacenter" || made.Host.NUMANodes != 2 || made.Host.ProcessorsPerNode != 16 {
		t.Fatalf("%+v", made.Host)
	}
	first, second := &made.Adapters[0], &made.Adapters[1]
	if first.Firmware != "16.35.3502" || first.PSID != "MT_0000000080" || first.NodeGUID != 0x248a070300a4e1d0 || first.DriverVersion != "24.4.26429" || first.Flash["NUM_OF_VFS"] != 8 || first.Flash["SRIOV_EN"] != 1 {
		t.Errorf("%+v", first)
	}
	if second.Firmware != "2.42.5000" || second.PSID != "MT_1090111019" || second.DriverVersion != "5.50.14688" || second.Flash["NUM_OF_VFS"] != 0 {
		t.Errorf("%+v", second)
	}
}

// TestTwinNamesAreCompleted: after --lab and the verbs of twin that take the name of one.
func TestTwinNamesAreCompleted(t *testing.T) {
	home := t.TempDir()
	folder := exportLab(t, home, "manual-winof2")
	for _, name := range []string{"web1", "db2"} {
		runIn(t, home, "twin", "make", name, folder).want(t, exitDone)
	}
	db := historyIn(home)
	for line, want := range map[string][]string{
		"cxdeck --db " + db + " --lab we": {"web1"}, "cxdeck --db " + db + " --lab=we": {"web1"}, "cxdeck --db " + db + " --lab ": {"web1", "db2", "large"},
		"cxdeck exec --db " + db + " --lab d": {"db2"},
		"cxdeck twin --db " + db + " show ":   {"web1", "db2"}, "cxdeck twin --db " + db + " check w": {"web1"}, "cxdeck twin --db " + db + " remove d": {"db2"},
		"cxdeck twin sh": {"show"}, "cxdeck twin col": {"collect"},
	} {
		if got := completionsOf(t, "bash", line); !containsAll(got[1:], want) {
			t.Errorf("%s: %q lacks %q", line, got, want)
		}
	}
	for line, want := range map[string]string{"check web1 ": "files", "make new ": "files", "collect ": "files", "show web1 ": "words", "make ": "words"} {
		if got := completionsOf(t, "bash", "cxdeck twin --db "+db+" "+line); got[0] != want || len(got) != 1 {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(word string) bool {
		return !slices.ContainsFunc(list, func(found string) bool { return strings.HasSuffix(found, word) })
	})
}

// TestCheckFindsWhatArrived: a change on the twin arrives on the host, which has one more change of its own.
func TestCheckFindsWhatArrived(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine for seconds: run it without -short")
	}
	home := t.TempDir()
	runIn(t, home, "twin", "make", "web1", exportLab(t, home, "storage-spaces-direct")).want(t, exitDone)
	for _, key := range []string{"*JumboPacket", "*ReceiveBuffers"} {
		execIn(t, home, "", "--lab", "web1", "reg", "set", "SMB 1", key, "4088").want(t, exitDone)
	}
	runIn(t, home, "twin", "check", "web1", exportLab(t, home, "storage-spaces-direct")).want(t, 3, "0 arrived, 2 missing, 0 other changes")
	host := t.TempDir() // the real host, with one of the changes and another one
	execIn(t, host, "", "--lab", "storage-spaces-direct", "reg", "set", "SMB 1", "*JumboPacket", "4088").want(t, exitDone)
	execIn(t, host, "", "--lab", "storage-spaces-direct", "reg", "set", "SMB 2", "*ReceiveBuffers", "1024").want(t, exitDone)
	r := runIn(t, home, "twin", "check", "web1", exportLab(t, host, "storage-spaces-direct"), "--json")
	r.want(t, 3)
	var document maker.Comparison
	if err := json.Unmarshal([]byte(r.out), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Arrived) != 1 || len(document.Missing) != 1 || len(document.Other) != 1 || !strings.HasSuffix(document.Arrived[0].What, `\0001\*JumboPacket`) ||
		document.Missing[0].Planned != "4088" || document.Other[0].Is != "1024" {
		t.Errorf("%+v", document)
	}
	execIn(t, host, "", "--lab", "storage-spaces-direct", "reg", "set", "SMB 1", "*ReceiveBuffers", "4088").want(t, exitDone)
	execIn(t, host, "", "--lab", "storage-spaces-direct", "reg", "set", "SMB 2", "*ReceiveBuffers", "512").want(t, exitDone)
	runIn(t, home, "twin", "check", "web1", exportLab(t, host, "storage-spaces-direct")).want(t, exitDone, "nothing else changed")
}

// TestCheckReportsEachArea: firmware settings, teams and VLANs that arrived or not, what else changed, and an adapter that was removed or renamed.
func TestCheckReportsEachArea(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine for seconds: run it without -short")
	}
	home, host := t.TempDir(), t.TempDir()
	const lab = "manual-winof2"
	runIn(t, home, "twin", "make", "web1", exportLab(t, home, lab)).want(t, exitDone)
	const firmware = "mlxconfig -d mt4115_pciconf0 -y s SRIOV_EN=1 NUM_OF_VFS=8\n"
	execIn(t, home, firmware+"New-NetLbfoTeam -Name TA -TeamMembers 'Ethernet 2' -Confirm:$false\nAdd-NetLbfoTeamNic -Team TA -VlanID 55 -Confirm:$false\n", "--lab", "web1").want(t, exitDone)
	check := func(folder string) (arrived, missing, other map[string]string) {
		t.Helper()
		r := runIn(t, home, "twin", "check", "web1", folder, "--json")
		r.want(t, 3)
		var c maker.Comparison
		if err := json.Unmarshal([]byte(r.out), &c); err != nil {
			t.Fatal(err)
		}
		texts := func(list []maker.Difference) map[string]string {
			all := map[string]string{}
			for _, d := range list {
				all[d.What] = d.Was + " > " + d.Planned + " > " + d.Is
			}
			return all
		}
		return texts(c.Arrived), texts(c.Missing), texts(c.Other)
	}
	_, missing, other := check(exportLab(t, home, lab))
	if len(other) != 0 || missing["mt4115_pciconf0, NUM_OF_VFS"] != "N/A > 8 > N/A" || !strings.HasPrefix(missing["the team TA"], " > SwitchIndependent") || missing["the VLAN TA - VLAN 55 of the team TA"] != " > 55 > " {
		t.Errorf("missing %q, other %q", missing, other)
	}
	execIn(t, host, firmware+"New-NetLbfoTeam -Name TA -TeamMembers 'Ethernet 2' -Confirm:$false\nRemove-VM vm -Force\nRestart-Computer -Force\nadvance 10m\n", "--lab", lab).want(t, exitDone)
	folder := exportLab(t, host, lab)
	arrived, missing, other := check(folder)
	if len(arrived) != 3 || arrived["mt4115_pciconf0, SRIOV_EN"] != "N/A > 1 > 1" || len(missing) != 1 || missing["the VLAN TA - VLAN 55 of the team TA"] == "" || !strings.HasSuffix(other["the machine vm"], "> ") || len(other) != 1 {
		t.Errorf("arrived %q, missing %q, other %q", arrived, missing, other)
	}
	path := filepath.Join(t.TempDir(), "adapters.json")
	for content, want := range map[string]map[string]string{
		`[{"Name":"Ethernet","InterfaceDescription":"Mellanox ConnectX-4 Adapter","MacAddress":"E4-1D-2D-A5-C1-F0"}]`: {"the port Ethernet 2": "Mellanox ConnectX-4 Adapter #2 > Mellanox ConnectX-4 Adapter #2 > "},
		`[{"Name":"A","InterfaceDescription":"Mellanox ConnectX-4 Adapter","MacAddress":"E4-1D-2D-A5-C1-F0"},{"Name":"Ethernet 2","InterfaceDescription":"Mellanox ConnectX-4 Adapter #2","MacAddress":"E4-1D-2D-A5-C1-F1"}]`: {
			"the port Ethernet": "Mellanox ConnectX-4 Adapter > Mellanox ConnectX-4 Adapter > Mellanox ConnectX-4 Adapter, named A"},
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, other := check(path); !reflect.DeepEqual(other, want) {
			t.Errorf("%s: other %q", content, other)
		}
	}
}

// TestAPlanHasTheOldValuesOfTheExports: the runbook of a plan on a twin names the value of the host, not the default of the driver.
func TestAPlanHasTheOldValuesOfTheExports(t *testing.T) {
	host, home := t.TempDir(), t.TempDir()
	execIn(t, host, "", "--lab", "storage-spaces-direct", "reg", "set", "SMB 1", "*JumboPacket", "4088").want(t, exitDone)
	runIn(t, home, "twin", "make", "web1", exportLab(t, host, "storage-spaces-direct")).want(t, exitDone)
	execIn(t, home, "", "--lab", "web1", "reg", "set", "SMB 1", "*JumboPacket", "9014", "--draft").want(t, exitDone)
	path := filepath.Join(t.TempDir(), "change.md")
	execIn(t, home, "", "--lab", "web1", "plan", "export", path).want(t, exitDone)
	if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), `| SMB 1 | \*JumboPacket | 4088 | 9014 |`) {
		t.Errorf("%v\n%s", err, data)
	}
}

// TestDamagedExportsAreOneSentence: no export, however damaged, makes more than one sentence.
func TestDamagedExportsAreOneSentence(t *testing.T) {
	t.Parallel()
	home, folder := t.TempDir(), t.TempDir()
	const adapter = `[{"Name":"Ethernet","InterfaceDescription":"Mellanox ConnectX-5 Adapter","MacAddress":"24-8A-07-00-00-02"}]`
	wide := func(text string) string { // UTF-16LE with a byte order mark, as older versions of PowerShell write
		b := "\xff\xfe"
		for _, c := range []byte(text) {
			b += string([]byte{c, 0})
		}
		return b
	}
	deep := strings.Repeat(`[{"a":`, 40) + "1" + strings.Repeat("}]", 40)
	for name, content := range map[string]string{
		"nothing.json": "[]", "cut.json": `[{"Name":"Ethernet"`, "deep.json": deep, "values.json": "[1,2]", "other.json": `[{"a":1}]`, "text.txt": "hello",
		"binary.bin": "\x00\x01\xff\xfe\x80", "odd.reg": "\xff\xfeW", "bad.reg": "REGEDIT4\r\n\r\n[HKEY_LOCAL_MACHINE\\x]\r\n\"a\"=dword:zz\r\n",
		"gone.reg": "REGEDIT4\r\n\r\n[-HKEY_LOCAL_MACHINE\\x]\r\n", "empty": "",
		"utf16.json": wide(adapter), "utf16-cut.json": wide(adapter)[:201], "utf16-odd.json": wide(adapter) + "\x41",
		"types.json": `[{"Name":{"a":1},"InterfaceDescription":["Mellanox ConnectX-5 Adapter"],"MacAddress":5}]`, "utf16-cut.reg": wide("Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SYST"),
		"control.json": `[{"Name":"a\u001b[31m","InterfaceDescription":"Mellanox ` + strings.Repeat("x", 5000) + `\u0007","MacAddress":"FF-FF"}]`,
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		r := runIn(t, home, "twin", "make", "x", path, "--force")
		if strings.Count(r.err, "\n") > 1 || len(r.err) > 600 || strings.ContainsAny(r.err+r.out, "\x1b\x07") {
			t.Errorf("%s: %q %q", name, r.out, r.err)
		}
		if (r.code == exitDone) != slices.Contains([]string{"control.json", "utf16.json", "types.json"}, name) {
			t.Errorf("%s: exit code %d: %s%s", name, r.code, r.out, r.err)
		}
	}
}
