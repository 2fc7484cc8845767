package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/cli/process"
	"cxdeck/views/train"
)

// TestTrainByLines holds that an exercise runs without a terminal, that its record is kept, and that the exit code says whether it was
// solved.
func TestTrainByLines(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	home := t.TempDir()
	db := filepath.Join(home, "cxdeck.db")
	solved := trainIn(t, "hint\ncable plug \"Ethernet 9\"\nadvance 30s\n", "cable-out", "--seed", "2", "--db", db)
	for _, want := range []string{"Since the rack was cleaned", "The lines hint, check and", "Hint 1    Look at the column State", "Solved.", "Broken    The cable of Ethernet 9 was unplugged.", "$ cable plug \"Ethernet 9\"", ", 1 hint"} {
		if !strings.Contains(solved.out, want) {
			t.Errorf("the output lacks %q:\n%s", want, solved.out)
		}
	}
	if solved.code != exitDone {
		t.Errorf("the exit code is %d: %s", solved.code, solved.err)
	}
	open := trainIn(t, "no such command\n", "cable-out", "--db", db)
	if open.code != exitFailed || !strings.Contains(open.out, "Not solved: 1 problem is left") || !strings.Contains(open.err, "no such command") {
		t.Errorf("an unsolved exercise gives %d\n%s\n%s", open.code, open.out, open.err)
	}
	if gaveUp := trainIn(t, "give-up\n", "cable-out", "--db", db); gaveUp.code != exitFailed || !strings.Contains(gaveUp.out, "Given up. This is the solution.") {
		t.Errorf("giving up gives %d\n%s", gaveUp.code, gaveUp.out)
	}
	for _, line := range []string{"hint", "check", "give-up"} {
		if r := trainIn(t, "help "+line+"\n", "cable-out", "--db", db); !strings.Contains(r.out, line+" ") || r.err != "" {
			t.Errorf("help %s gives\n%s\n%s", line, r.out, r.err)
		}
	}
	list := trainIn(t, "", "list", "--format", "json", "--db", db)
	var answer struct {
		Exercises []struct {
			Name  string
			Best  *train.Record
			Tries int
		}
	}
	if err := json.Unmarshal([]byte(list.out), &answer); err != nil {
		t.Fatal(err)
	}
	if row := answer.Exercises[0]; len(answer.Exercises) != 20 || row.Name != "cable-out" || row.Tries != 2 || row.Best == nil || row.Best.Hints != 1 {
		t.Errorf("the list begins with %+v", answer.Exercises[0])
	}
	if text := trainIn(t, "", "--db", db).out; !strings.Contains(text, "cable-out         A port is silent") || !strings.Contains(text, ", 1 hint") {
		t.Errorf("the list is\n%s", text)
	}
}

// TestTrainMistakes holds that each mistake gives one sentence.
func TestTrainMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	broken := file("broken.toml", "name = \"own\"\nlevel = 9\n")
	unsolvable := file("unsolvable.toml", `name = "own"
title = "Mine"
level = 1
story = "Something is wrong."
break = ['cable pull "Ethernet 7"']
broken = "The cable was out."
signs = ["No link."]
rules = ["cable-out"]
hints = ["Look."]
steps = [{ text = "Restart.", run = ['adapter restart "Ethernet 7"'] }]
`)
	for _, c := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"cable-ot"}, `there is no exercise "cable-ot"; did you mean cable-out?`},
		{[]string{"check"}, "train check requires the name of one file"},
		{[]string{"cable-out", "extra"}, `unexpected argument "extra" after train cable-out`},
		{[]string{"check", broken}, broken + ": level must be 1 to 5, not 9"},
		{[]string{filepath.Join(folder, "none.toml")}, "none.toml can't be read"},
		{[]string{"check", unsolvable}, unsolvable + ": the steps do not solve it: Ethernet 7 still has a problem"},
		{[]string{"cable-out", "--seed", "0"}, "the seed of an exercise must be at least 1"},
	} {
		got := trainIn(t, "", c.arguments...)
		if got.code == exitDone || !strings.Contains(got.err, c.want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%q gives %d %q, want %q", c.arguments, got.code, got.err, c.want)
		}
	}
}

// trainIn runs train; input is its standard input, or empty for none.
func trainIn(t *testing.T, input string, arguments ...string) result {
	t.Helper()
	home := t.TempDir()
	settings := filepath.Join(home, "config.toml")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	streams := process.Streams{Out: &out, Err: &errs, Environment: func(string) (string, bool) { return "", false }}
	if input != "" {
		path := filepath.Join(home, "input.txt")
		if err := os.WriteFile(path, []byte(input), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		streams.In = file
	}
	line := append([]string{"train", "--config", settings}, arguments...)
	if !slices.Contains(arguments, "--db") {
		line = append(line, "--db", filepath.Join(home, "cxdeck.db"))
	}
	code := Main(t.Context(), Build{Version: "1.2.3"}, line, streams)
	return result{code, out.String(), errs.String()}
}
