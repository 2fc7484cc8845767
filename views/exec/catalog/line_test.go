package catalog

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// TestPastedLines splits lines with prompts, typographic characters and paths.
func TestPastedLines(t *testing.T) {
	t.Parallel()
	set := []string{"Set-MlnxDriverCoreSetting", "-RoceMode", "1"}
	get := []string{"mlx5cmd.exe", "-Features", "-Name", "Ethernet 7"}
	for line, want := range map[string][]string{
		"PS $ Set-MlnxDriverCoreSetting –RoceMode 1":                                     set,
		`PS \$ Set-MlnxDriverCoreSetting —RoceMode 1`:                                    set,
		`PS C:\> Set-MlnxDriverCoreSetting −RoceMode 1`:                                  set,
		`PS C:\Users\Some One>Set-MlnxDriverCoreSetting ―RoceMode 1`:                     set,
		"PS> Set-MlnxDriverCoreSetting -RoceMode 1 `":                                    set,
		"#> Set-MlnxDriverCoreSetting\u00a0-RoceMode\u00a01":                             set,
		"> Set-MlnxDriverCoreSetting -RoceMode 1 ^":                                      set,
		"$ Set-MlnxDriverCoreSetting -RoceMode 1  # by hand":                             set,
		"CMD > mlx5cmd.exe -Features -Name “Ethernet 7”":                                 get,
		`C:\Windows\system32> mlx5cmd.exe –Features –Name ‘Ethernet 7’`:                  get,
		`C:\>"C:\Program Files\Mellanox\Tools\mlx5cmd.exe" -Features -Name "Ethernet 7"`: get,
		`& "C:\Program Files\Mellanox\mlx5cmd.exe" -Features -Name 'Ethernet 7'`:         get,
		`.\mlx5cmd.exe -Features -Name ‘Ethernet 7'`:                                     get,
		"PS $ $NIC = Get-NetAdapter “Ethernet 7“":                                        {"$NIC", "=", "Get-NetAdapter", "Ethernet 7"},
		"$NIC = Get-NetAdapter x":                                                        {"$NIC", "=", "Get-NetAdapter", "x"},
		"Set-VMNetworkAdapter <VM Name> -VmqWeight 100":                                  {"Set-VMNetworkAdapter", "<VM Name>", "-VmqWeight", "100"},
		`a 'it''s' "say ""so""" 'O’’Neil' “it's”`:                                        {"a", "it's", `say "so"`, "O’Neil", "it's"},
		`a ('b' + [char]8238 + 'c') (Get-VmHost).IovSupport`:                             {"a", "b\u202ec", "(Get-VmHost).IovSupport"},
		`a ([WildcardPattern]::Escape("x[1]")) ('' + [char]55357 + [char]56832)`:         {"a", "x[1]", "😀"},
		"a ([char]) ('b' +) (b)":                                                         {"a", "([char])", "(b", "+)", "(b)"},
		"# PS $ this is a comment `":                                                     nil,
		"counters \\Set(a–b)\\x–y":                                                       {"counters", "\\Set(a–b)\\x–y"},
	} {
		if got, err := Commands().Split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s\n is %q, %v\nwant %q", line, got, err, want)
		}
	}
}

// TestContinuedLines: a continuation character joins lines of a script.
func TestContinuedLines(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script("cable `", `  pull \`, `undo`); status == exec.Done {
		t.Error("a backslash continues the line, but it may end a path")
	}
	b = newBench(t, nil)
	b.KeepGoing = true
	b.script("cable `", "  pull ^", `  "Ethernet 7"`, "# nothing `", "nonsense", "cable `")
	if got := b.out.String(); !strings.Contains(got, "Pull the cable of Ethernet 7: done") {
		t.Errorf("it said %s", got)
	}
	if got := b.errs.String(); !strings.Contains(got, "line 5: unknown command") || !strings.Contains(got, "cable requires a subcommand") {
		t.Errorf("it said %s", got)
	}
	b.errs.Reset()
	b.script(strings.Repeat("a `\n", 200_000))
	if got := b.errs.String(); !strings.Contains(got, "longer than 8192 bytes") && !strings.Contains(got, "more than 256 words") {
		t.Errorf("of an endless line it said %.200s", got)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	got := syntax.Arguments([]string{"Set-MlnxDriverCoreSetting", "–RoceMode", "1", "“Ethernet", "7”", "–", "“open", "a–b", "‘x’"})
	want := []string{"Set-MlnxDriverCoreSetting", "-RoceMode", "1", "Ethernet 7", "–", "“open", "a–b", "x"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLinesOfTheManuals: each line in the manuals is a command, or is reported as unsupported by its name.
func TestLinesOfTheManuals(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	data, err := os.ReadFile("testdata/manual-lines.json")
	if err != nil {
		t.Fatal(err)
	}
	var tools []struct {
		Tool, Source string
		Lines        []string
	}
	if err := json.Unmarshal(data, &tools); err != nil {
		t.Fatal(err)
	}
	read, missing := 0, 0
	b := newBench(t, nil)
	for _, tool := range tools {
		for _, line := range tool.Lines {
			for _, typed := range []string{
				line, "PS C:\\> " + line, strings.ReplaceAll(line, " -", " –") + " `",
				strings.ToUpper(line[:strings.IndexAny(line+" ", " ")]) + line[strings.IndexAny(line+" ", " "):],
			} {
				words, err := Commands().Split(typed)
				if err != nil {
					t.Errorf("%s (%s): %v", typed, tool.Source, err)
					continue
				}
				if _, ok := Commands().Find(words); ok {
					read++
					continue
				}
				if _, err := b.Examine(typed); err == nil {
					read++
					continue
				}
				if b.errs.Reset(); b.Run(t.Context(), words) != exec.NotUnderstood && strings.Contains(b.errs.String(), notTaken) {
					missing++
					continue
				}
				if strings.Contains(b.errs.String(), "switch console NAME takes it") && b.Run(t.Context(), []string{"switch", "console", "Ethernet 10", strings.Replace(line, "1/1", "1/10", 1)}) == exec.Done {
					read++
					continue
				}
				if strings.Contains(b.errs.String(), "vm console VM takes it") && b.Run(t.Context(), []string{"vm", "console", "vm001", typed}) == exec.Done {
					read++
					continue
				}
				t.Errorf("%s (%s): %s", typed, tool.Source, b.errs.String())
			}
			b.errs.Reset()
			if status := b.script(line); status == exec.NotUnderstood && !strings.Contains(line, "<") {
				t.Errorf("%s (%s): %s", line, tool.Source, b.errs.String())
			}
		}
	}
	t.Logf("%d lines are read, %d are of commands that are not here", read/4, missing/4)
}

// notTaken is the error for a command of the manuals that cxdeck does not support.
const notTaken = "is in the manuals, but cxdeck does not support it"

// TestUnsupportedCommands: no supported command is in the list of unsupported ones.
func TestUnsupportedCommands(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for _, name := range exec.ManualCommands() {
		b.errs.Reset()
		b.Run(t.Context(), append(strings.Fields(name), "x"))
		if !strings.Contains(b.errs.String(), notTaken) {
			t.Errorf("%s is supported: remove it from the list: %s", name, b.errs.String())
		}
	}
	for line, wrong := range map[string]bool{"mlxtool show regkeyz": true, "mlxtool dbg": true, "mlx5cmd -Foo": true, "vlan_config nothing": true,
		"netsh": false, "OPENSM.exe -h": false} {
		b.errs.Reset()
		if status := b.Run(t.Context(), strings.Fields(line)); (status == exec.NotUnderstood) != wrong {
			t.Errorf("%s: %s", line, b.errs.String())
		}
	}
}
