//go:build unix

package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// savedHost is a history that an earlier version wrote with exec: the changes in it, and the parts of answers that show them.
type savedHost struct {
	changes int
	shows   map[string][]string
	gone    string // a command that fails when all changes are undone
}

// savedHosts are the files of testdata/histories. They must never be made again: what they hold is the earlier form. A version
// that saves new state adds a file.
var savedHosts = map[string]savedHost{
	// Marks and lossless priorities of a switch port, its pause share, keys, a team, a policy, a traffic class, PFC and a virtual
	// machine.
	"changes": {8, map[string][]string{
		`switch show "Ethernet 7"`:           {`"lossless_priorities":[3,4]`, `"mark_least_bytes":60000`, `"mark_most_bytes":300000`, `"mark_probability":0.5`},
		`switch show "Ethernet 8"`:           {`"pause_share":0.5`},
		`reg get "Ethernet 7" *JumboPacket`:  {`"stored":4088`, `"pending":true`},
		`reg get "Ethernet 7" LSOMinSegment`: {`"effective":2`},
		`team show T`:                        {`"name":"T"`},
		`Get-NetQosPolicy`:                   {`"name":"X"`},
		`Get-NetQosTrafficClass`:             {`"name":"C"`},
		`Get-NetQosFlowControl`:              {`"priority":4,"enabled":true`},
		`vm list`:                            {`"name":"v1"`},
	}, `team show T`},
	// DCBX of a switch port and of the host, a far end, a startup script, an IP address, an SMB setting, and a line of the
	// switch's console.
	"network": {7, map[string][]string{
		`switch show "Ethernet 7"`:   {`"dcbx":"ieee","willing":false,"classes":[{"priorities":[3],"share":50}],"applications":[{"port":445,"priority":4}]`},
		`switch show "Ethernet 9"`:   {`"lossless_priorities":[3,4]`},
		`far show "Ethernet 8"`:      {`"adapter_lossless":0,"slow_peer":"10.8.0.21","takes":0.1`},
		`startup show`:               {`"lines":["New-NetQosPolicy`, `Enable-NetQosFlowControl -Priority 3`},
		`adapter show "Ethernet 7"`:  {`"address":"10.1.0.7"`},
		`Get-SmbServerConfiguration`: {`"encrypt_data":true`},
		`Get-NetQosDcbxSetting`:      {`"willing":true`},
	}, `Remove-NetIPAddress 10.1.0.7`},
}

// TestSavedHostsOutliveVersions: a history that an earlier version wrote still has its host, with all changes, and undoes them.
func TestSavedHostsOutliveVersions(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/histories/*.db.gz")
	if err != nil || len(files) != len(savedHosts) {
		t.Fatalf("%d files for %d hosts: %v", len(files), len(savedHosts), err)
	}
	for name, host := range savedHosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			path := historyOf(home)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			unpack(t, "testdata/histories/"+name+".db.gz", path)
			host.check(t, home)
		})
	}
}

func (s *savedHost) check(t *testing.T, home string) {
	t.Helper()
	if got := ask(t, home, "exec", "vm", "list"); got.code != 0 || !strings.HasPrefix(got.errors, "cxdeck: the history was brought up to date; a copy of the old file is ") {
		t.Errorf("the first command: %+v", got)
	}
	for command, want := range s.shows {
		got := ask(t, home, append([]string{"exec", "--json"}, splitArguments(command)...)...)
		if got.code != 0 || got.errors != "" {
			t.Errorf("%s: %+v", command, got)
		}
		for _, part := range want {
			if !strings.Contains(got.out, part) {
				t.Errorf("%s lacks %s: %s", command, part, got.out)
			}
		}
	}
	for range s.changes {
		if got := ask(t, home, "exec", "undo", "--yes"); got.code != 0 {
			t.Errorf("undo: %+v", got)
		}
	}
	if got := ask(t, home, append([]string{"exec"}, splitArguments(s.gone)...)...); got.code == 0 {
		t.Errorf("%s finds a change after its undo: %s", s.gone, got.out)
	}
	if got := ask(t, home, "exec", "undo", "--yes"); got.code == 0 {
		t.Errorf("one change too many is undone: %s", got.out)
	}
}

// unpack writes an uncompressed copy of a file.
func unpack(t *testing.T, from, to string) {
	t.Helper()
	packed, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// splitArguments splits a line at its spaces outside quotes.
func splitArguments(line string) (list []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}
