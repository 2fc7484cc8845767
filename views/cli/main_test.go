package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/views/cli/process"
	"cxdeck/views/viewtest"
)

// result is the result of a run: exit code, output and error output.
type result struct {
	code     int
	out, err string
}

// runLine runs the command line with an empty environment.
func runLine(t *testing.T, arguments ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(context.Background(), Build{Version: "1.2.3"}, arguments, process.Streams{
		Out: &out, Err: &errs, Environment: func(string) (string, bool) { return "", false },
	})
	return result{code, out.String(), errs.String()}
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(broken, []byte("theme = \"dark\"\nintervall = \"1s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(t.TempDir(), "none.toml")
	empty := filepath.Join(t.TempDir(), "empty.toml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		want []string
	}{
		{"--intervall 1s", []string{"--intervall", "--interval"}},
		{"--xyzzyxyzzy", []string{"--xyzzyxyzzy", "--help"}},
		{"-z", []string{"-z", "--help"}},
		{"--interval", []string{"--interval", "requires a value"}},
		{"--read-only=maybe", []string{"--read-only"}},
		{"couters", []string{"couters", "counters"}},
		{"--speed 5 counters", []string{"counters", "first"}},
		{"--config EMPTY --interval 5ms", []string{"100ms to 60s"}},
		{"--config EMPTY --speed 0", []string{"0.1 to 1000"}},
		{"--config EMPTY --seed x", []string{"--seed", "integer"}},
		{"--config EMPTY --theme drak", []string{"drak", "dark"}},
		{"--config EMPTY --screen cuonters", []string{"cuonters", "counters"}},
		{"--config EMPTY counters", []string{"counters", "first"}},
		{"counters --config EMPTY --format tabel", []string{"tabel", "table"}},
		{"counters --config EMPTY --count 0", []string{"--count", "from 1 to 2147483647"}},
		{"counters --config EMPTY --source loca", []string{"loca", "local"}},
		{"counters --config EMPTY --source no/such.csv", []string{"no/such.csv", "--source"}},
		{"counters --config EMPTY --lab no-such.toml", []string{"no-such.toml", "--lab"}},
		{"--config BROKEN", []string{"2:1", "intervall", "interval"}},
		{"--config NONE", []string{"there is no configuration file"}},
		{"--config EMPTY", []string{"requires a terminal", "counters"}},
		{"sessions", []string{"list, show, delete, pin, unpin, ", "vacuum"}},
		{"report x --config EMPTY", []string{`"x"`, "number"}},
		{"report 1 2 --config EMPTY", []string{`"2"`, "unexpected argument"}},
		{"report --format csv --config EMPTY", []string{"csv", "html"}},
		{"sessions lst --config EMPTY", []string{"lst", "list"}},
		{"sessions show --config EMPTY", []string{"number"}},
		{"sessions show x --config EMPTY", []string{`"x"`, "number"}},
		{"completion", []string{"bash, zsh, fish, powershell"}},
		{"completion bsh", []string{"bsh", "bash"}},
		{"version 3", []string{`"3"`}},
		{"help couters", []string{"counters"}},
		{"--db= --config EMPTY", []string{"--db requires the name of a file"}},
		{"exec --lab= --config EMPTY adapter list", []string{"--lab requires the name of a file"}},
		{"sessions --config= list", []string{"--config requires the name of a file"}},
		{"counters --log= --config EMPTY", []string{"--log requires the name of a file"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			line := strings.NewReplacer("EMPTY", empty, "BROKEN", broken, "NONE", none).Replace(c.line)
			got := runLine(t, strings.Fields(line)...)
			if got.code != exitMistake {
				t.Errorf("exit code %d, %s", got.code, got.err)
			}
			if got.out != "" {
				t.Errorf("printed on the output: %s", got.out)
			}
			if strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "cxdeck: ") {
				t.Errorf("not one sentence: %q", got.err)
			}
			for _, word := range c.want {
				if !strings.Contains(got.err, word) {
					t.Errorf("%q lacks %q", got.err, word)
				}
			}
		})
	}
}

// TestHelpOfExecCommands: -h after a command of exec prints the page of that command, not the page of exec.
func TestHelpOfExecCommands(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"exec perf_tuning -h": "perf_tuning -s|-st", "exec reg set --help": "reg set NAME KEY VALUE [--draft]",
		"exec -h reg profile": "  reg profile list ", "exec nothing -h": "Usage:",
	} {
		if got := runLine(t, strings.Fields(line)...); got.code != exitDone || !strings.Contains(got.out, want) {
			t.Errorf("%s: exit code %d, %s", line, got.code, got.out)
		}
	}
}

func TestErrorsHaveNoControlCharacters(t *testing.T) {
	t.Parallel()
	got := runLine(t, "evil\x1b[2J\nname")
	if strings.ContainsAny(strings.TrimSuffix(got.err, "\n"), "\x1b\n") {
		t.Errorf("%q", got.err)
	}
}

// TestPages compares help, the manual page and the completion scripts with golden files.
func TestPages(t *testing.T) {
	t.Parallel()
	pages := map[string][]string{
		"man": {"man"}, "version": {"version"}, "completion-bash": {"completion", "bash"},
		"completion-zsh": {"completion", "zsh"}, "completion-fish": {"completion", "fish"},
		"completion-powershell": {"completion", "powershell"}, "help": {"--help"},
	}
	for _, c := range commands()[1:] {
		pages["help-"+c.name] = []string{"help", c.name}
	}
	for name, arguments := range pages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := runLine(t, arguments...)
			if got.code != exitDone || got.err != "" {
				t.Fatalf("exit code %d, %s", got.code, got.err)
			}
			golden(t, name, got.out)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if viewtest.Updating() {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run the test with -update when it should\n%s", path, got)
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		for line := range strings.SplitSeq(helpText(c), "\n") {
			if len(line) > 100 {
				t.Errorf("%s: %d columns: %s", c.name, len(line), line)
			}
		}
	}
}

func TestEveryFlagIsUsed(t *testing.T) {
	t.Parallel()
	for _, row := range flags() {
		used := false
		for _, c := range commands() {
			for _, name := range c.flags {
				used = used || name == row.name
			}
		}
		if !used || row.help == "" {
			t.Errorf("--%s is used by no command, or has no help", row.name)
		}
	}
	for _, c := range commands() {
		if got, want := len(c.rows()), len(c.flags); got != want {
			t.Errorf("%s names %d flags, %d are in the table", c.name, want, got)
		}
	}
}
