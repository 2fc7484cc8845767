//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTwinsOpenWithAnyHistory: --lab finds a twin of the state directory whatever history file --db names, and suggests its name.
func TestTwinsOpenWithAnyHistory(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	adapters := filepath.Join(home, "class.reg")
	for _, line := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"exec", "--lab", "manual-winof2", `reg export "HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}" class.reg /y`}, "registry keys"},
		{[]string{"twin", "make", "web1", adapters}, "The twin web1"},
		{[]string{"exec", "--lab", "web1", "--db", filepath.Join(home, "other", "other.db"), "adapter", "list"}, "ConnectX"},
		{[]string{"twin", "show", "web1", "--db", filepath.Join(home, "other", "other.db")}, "Assumed"},
		{[]string{"twin", "list", "--db", filepath.Join(home, "other", "other.db")}, "web1"},
		{[]string{"exec", "--lab", "web1", "--db", filepath.Join(home, "other", "other.db"), "reg", "set", "Ethernet 1", "*JumboPacket", "4000"}, "done"},
		{[]string{"twin", "check", "web1", adapters, "--db", filepath.Join(home, "other", "other.db")}, "0 arrived, 1 missing"},
		{[]string{"twin", "check", "web1", adapters}, "Nothing was changed on the twin"},
		{[]string{"twin", "show", "web2", "--db", filepath.Join(home, "other", "other.db")}, "did you mean web1?"},
		{[]string{"exec", "--lab", "web2", "--db", filepath.Join(home, "other", "other.db"), "adapter", "list"}, "did you mean web1?"},
	} {
		command := exec.Command(binary, line.arguments...)
		command.Env, command.Dir = environment(home), home
		out, err := command.CombinedOutput()
		if !strings.Contains(string(out), line.want) {
			t.Fatalf("%q: %v\n%s", line.arguments, err, out)
		}
	}
}
