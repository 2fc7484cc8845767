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

// TestSavedHostsOutliveVersions: a history that an earlier version wrote still has its host, with all changes, and undoes them.
// The file was made by exec with eight changes: marks and lossless priorities of a switch port, its pause share, a key, a team,
// a policy, a traffic class, PFC and a virtual machine. It must never be made again: what it holds is the earlier form.
func TestSavedHostsOutliveVersions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := historyOf(home)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	unpack(t, "testdata/histories/changes.db.gz", path)
	for command, want := range map[string][]string{
		`switch show "Ethernet 7"`:           {`"lossless_priorities":[3,4]`, `"mark_least_bytes":60000`, `"mark_most_bytes":300000`, `"mark_probability":0.5`},
		`switch show "Ethernet 8"`:           {`"pause_share":0.5`},
		`reg get "Ethernet 7" *JumboPacket`:  {`"stored":4088`, `"pending":true`},
		`reg get "Ethernet 7" LSOMinSegment`: {`"effective":2`},
		`team show T`:                        {`"name":"T"`},
		`Get-NetQosPolicy`:                   {`"name":"X"`},
		`Get-NetQosTrafficClass`:             {`"name":"C"`},
		`Get-NetQosFlowControl`:              {`"priority":4,"enabled":true`},
		`vm list`:                            {`"name":"v1"`},
	} {
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
	for range 8 {
		if got := ask(t, home, "exec", "undo", "--yes"); got.code != 0 {
			t.Errorf("undo: %+v", got)
		}
	}
	if got := ask(t, home, "exec", "team", "show", "T"); got.code == 0 {
		t.Errorf("the team is there after its undo: %s", got.out)
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
