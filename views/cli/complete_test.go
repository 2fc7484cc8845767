package cli

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/store"
)

// completionsOf returns the lines that a completion script gets.
func completionsOf(t *testing.T, arguments ...string) []string {
	t.Helper()
	got := runLine(t, append([]string{completeCommand}, arguments...)...)
	if got.code != exitDone || got.err != "" {
		t.Fatalf("%v: %+v", arguments, got)
	}
	lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
	return lines
}

func TestCompletionFindsNames(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	db := historyIn(home)
	execIn(t, home, "", "vm", "create", "my vm").want(t, exitDone)
	execIn(t, home, "", "team", "create", "Team A", "alb", "Ethernet 3").want(t, exitDone)
	own := "cxdeck exec --db " + db + " "
	for line, want := range map[string][]string{
		"cxdeck exec reg ":                            {"list", "get", "set", "export", "profile"},
		"cxdeck exec reg profile ":                    {"save", "apply"},
		own + "reg get ":                              {`Ethernet\ 7`, `ConnectX-5\ Ex`},
		own + `reg get "Ethernet 7`:                   {"Ethernet 7"},
		own + `reg get "Ethernet 7" *Jum`:             {`\*JumboPacket`},
		own + `reg set Ethernet\ 7 jumb`:              {`\*JumboPacket`},
		own + "team show ":                            {`Team\ A`},
		own + "vm start m":                            {`my\ vm`},
		own + "vm start 'm":                           {"my vm"},
		own + "Remove-VM -Name m":                     {`my\ vm`},
		own + "Remove-VM m":                           {`my\ vm`},
		own + "Get-VM | vm start m":                   {},
		own + "New-VMSwitch -Name x -NetAdapterName ": {`Ethernet\ 7`},
		own + "scene run pause":                       {"pause-storm"},
		own + "reg list --scope fir":                  {"firmware"},
		"cxdeck sessions --db " + db + " show ":       {"1", "2"},
		"cxdeck --theme=da":                           {"dark"},
		"cxdeck --theme da":                           {"dark"},
		"cxdeck comp":                                 {"completion"},
		"cxdeck completion ":                          {"bash", "fish"},
		"cxdeck help se":                              {"sessions"},
		"cxdeck exec help reg ":                       {"list"},
		"echo; cxdeck exec vm st":                     {"start", "stop"},
	} {
		got := completionsOf(t, "bash", line)
		for _, word := range want {
			if !slices.Contains(got[1:], word) {
				t.Errorf("%s: %q does not have %q", line, got, word)
			}
		}
	}
	if got := completionsOf(t, "bash", own+"reg export "); got[0] != "files" {
		t.Errorf("%q", got)
	}
	if got := completionsOf(t, "bash", own+"vm create "); len(got) != 1 {
		t.Errorf("the name of a new machine is completed: %q", got)
	}
	if got := completionsOf(t, "zsh", "exec", "--db", db, "vm", "start", ":my"); !slices.Contains(got, "my vm\tvirtual machine, Off") {
		t.Errorf("%q", got)
	}
	if got := completionsOf(t, "fish", "exec", "--db", db, "vm", "start", `:"my`); !slices.Contains(got, "my vm\tvirtual machine, Off") {
		t.Errorf("%q", got)
	}
	if got := sessionsIn(t, home); len(got) != 2 {
		t.Errorf("completion left sessions: %d", len(got))
	}
}

// TestCompletionCreatesNoHistory completes without a history.
func TestCompletionCreatesNoHistory(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	completionsOf(t, "bash", "cxdeck exec --db "+historyIn(home)+" vm start ")
	if _, err := store.Open(t.Context(), historyIn(home), store.Options{ReadOnly: true}); err == nil {
		t.Error("completion created a history")
	}
}
