package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/store"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/saving"
)

// execIn runs exec on the history in a directory; input is its standard input, or empty for none.
func execIn(t *testing.T, directory, input string, arguments ...string) result {
	t.Helper()
	settings := filepath.Join(directory, "config.toml")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	streams := process.Streams{Out: &out, Err: &errs, Environment: func(string) (string, bool) { return "", false }}
	if input != "" {
		path := filepath.Join(directory, "input.txt")
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
	line := append([]string{"exec", "--config", settings, "--db", historyIn(directory)}, arguments...)
	code := Main(context.Background(), Build{Version: "1.2.3"}, line, streams)
	return result{code, out.String(), errs.String()}
}

func historyIn(directory string) string { return filepath.Join(directory, "h.db") }

// want fails the test unless the run ended with an exit code, and printed all texts.
func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, text := range texts {
		if !strings.Contains(r.out+r.err, text) {
			t.Errorf("%q is not in\n%s%s", text, r.out, r.err)
		}
	}
}

// While exec lets time pass, the host is kept every five minutes, so that a replay has its rates at any moment.
func TestExecKeepsStatesWhileTimePasses(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "advance", "32m").want(t, exitDone)
	db, err := store.Open(t.Context(), historyIn(home), store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	times, err := db.Snapshots(t.Context(), 1)
	if err != nil || len(times) < 7 {
		t.Fatalf("%d states, %v", len(times), err)
	}
	for i := range times[1:] {
		if apart := times[i+1].Sub(times[i]); apart > 6*time.Minute {
			t.Errorf("%s between two states", apart)
		}
	}
}

func TestExecResumesTheHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone, "Pull the cable of Ethernet 7: done.")
	execIn(t, home, "", "adapter", "show", "Ethernet 7").want(t, exitDone, "no cable")
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone, "its cable is unplugged already")
	execIn(t, home, "", "vm", "create", "vm001").want(t, exitFailed, "there is a virtual machine \"vm001\" already")
	execIn(t, home, "", "advance", "5s").want(t, exitDone)
	execIn(t, home, "", "reg", "set", "Ethernet 8", "*JumboPacket", "1514").want(t, exitDone, "It takes effect after a restart")
	execIn(t, home, "", "undo", "--yes").want(t, exitDone, "Undo: Set *JumboPacket")
	execIn(t, home, "", "undo", "--yes").want(t, exitDone, "Undo: Pull the cable of Ethernet 7")
	execIn(t, home, "", "undo", "--yes").want(t, exitFailed, "nothing to undo")
	execIn(t, home, "", "journal").want(t, exitDone, "failed: ", "undid 1", "undid 3")

	changes := 0
	for _, s := range sessionsIn(t, home) {
		changes += s.Changes
		if s.Source.Name != saving.SessionName || s.Running {
			t.Errorf("session %+v", s)
		}
	}
	if changes != 5 {
		t.Errorf("%d changes in the history, want 5", changes)
	}
}

// TestExecRecordsSamples: a run in which time passes is a session with samples, also if the host gets more counters meanwhile.
func TestExecRecordsSamples(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "counters").want(t, exitDone)
	execIn(t, home, "advance 90s\nreg set \"Ethernet 3\" RssMonitoringEnabled 1\nadapter restart \"Ethernet 3\"\nadvance 30s\n").want(t, exitDone)
	execIn(t, home, "", "counters", "--interval", "10s", "--count", "2").want(t, exitDone)
	all := sessionsIn(t, home)
	if len(all) != 2 {
		t.Fatalf("%d sessions, want 2", len(all))
	}
	for i, want := range []struct {
		samples, changes int
		lasts            time.Duration
	}{{21, 0, 20 * time.Second}, {121, 2, 2 * time.Minute}} { // the newest comes first
		if s := all[i]; int(s.Samples) != want.samples || s.Changes != want.changes || s.Ended.Sub(s.Started) != want.lasts {
			t.Errorf("session %d has %d samples of %s and %d changes, want %+v", s.ID, s.Samples, s.Ended.Sub(s.Started), s.Changes, want)
		}
	}
}

// sessionsIn returns the sessions of the history in a directory.
func sessionsIn(t *testing.T, directory string) []store.Session {
	t.Helper()
	db, err := store.Open(t.Context(), historyIn(directory), store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all, err := db.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExecResetsTheLab(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone)
	execIn(t, home, "", "--seed", "5", "cable", "pull", "Ethernet 8").want(t, exitDone)
	execIn(t, home, "", "lab", "reset").want(t, exitFailed, "(changes in its journal: 1); add --yes")
	execIn(t, home, "", "--read-only", "lab", "reset", "--yes").want(t, exitFailed, "read-only mode is on")
	execIn(t, home, "advance 5s\nlab reset --yes\ncable pull \"Ethernet 5\"\n").want(t, exitDone, "is a new host")
	execIn(t, home, "", "adapter", "show", "Ethernet 7").want(t, exitDone, "up, Ethernet")
	execIn(t, home, "", "adapter", "show", "Ethernet 5").want(t, exitDone, "no cable")
	execIn(t, home, "", "--seed", "5", "adapter", "show", "Ethernet 8").want(t, exitDone, "no cable")
	execIn(t, home, "", "--ephemeral", "lab", "reset", "--yes").want(t, exitDone)
	if all := sessionsIn(t, home); len(all) != 4 {
		t.Errorf("%d sessions, want one for each host and run that changed it", len(all))
	}
}

// TestSeparateRunsEqualOneScript: saving and restoring the host between the lines of a script changes no counter.
func TestSeparateRunsEqualOneScript(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const read = `counters "\Network Interface(*)\Packets Received Errors" "\Network Interface(*)\Bytes Total/sec" --interval 1s`
	home, pieces := t.TempDir(), t.TempDir()
	script := []string{"advance 7300ms", `cable pull "Ethernet 7"`, "advance 4s", "undo --yes", `adapter restart "Ethernet 5"`, "advance 11s", read}
	whole := execIn(t, home, strings.Join(script, "\n"), "--json")
	whole.want(t, exitDone)
	var last result
	for _, line := range script {
		last = execIn(t, pieces, line, "--json")
		last.want(t, exitDone)
	}
	lines := strings.Split(strings.TrimSpace(whole.out), "\n")
	if got, want := countersOf(t, last.out), countersOf(t, lines[len(lines)-1]); got != want {
		t.Errorf("in separate runs\n%s\nin one script\n%s", got, want)
	}
}

// countersOf returns the counters of a document, without its time.
func countersOf(t *testing.T, document string) string {
	t.Helper()
	var read struct {
		Result struct {
			Samples []struct{ Counters json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(document), &read); err != nil || len(read.Result.Samples) != 1 {
		t.Fatalf("%v: %.200s", err, document)
	}
	return string(read.Result.Samples[0].Counters)
}

func TestEphemeralAndReadOnlySaveNothing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "--ephemeral", "cable", "pull", "Ethernet 7").want(t, exitDone)
	execIn(t, home, "", "--read-only", "adapter", "show", "Ethernet 7").want(t, exitDone, "up, Ethernet")
	execIn(t, home, "", "help").want(t, exitDone)
	execIn(t, home, "", "lab", "export").want(t, exitDone, "[[adapter]]")
	if left, err := filepath.Glob(historyIn(home) + "*"); err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone)
	execIn(t, home, "", "--read-only", "adapter", "show", "Ethernet 7").want(t, exitDone, "no cable")
	execIn(t, home, "", "--read-only", "undo").want(t, exitFailed, "read-only mode is on")
	execIn(t, home, "", "--read-only", "counters", "--interval", "1s").want(t, exitDone)
	execIn(t, home, "", "journal").want(t, exitDone, "Pull the cable of Ethernet 7  applied")
}

func TestExecReportsAnotherHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone)
	execIn(t, home, "", "--seed", "5", "cable", "pull", "Ethernet 8").
		want(t, exitDone, "a new host was created: the last saved host has the seed 1, and this one 5; --seed 1 resumes it")
	again := execIn(t, home, "", "--seed", "5", "adapter", "show", "Ethernet 8")
	if again.want(t, exitDone, "no cable"); again.err != "" {
		t.Errorf("it said %q", again.err)
	}
	execIn(t, home, "", "adapter", "show", "Ethernet 7").want(t, exitDone, "no cable")

	lab := execIn(t, home, "", "lab", "export")
	path := filepath.Join(home, "my.toml")
	if err := os.WriteFile(path, []byte(strings.Replace(lab.out, `name = "LAB-N4"`, `name = "MINE"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	execIn(t, home, "", "--lab", path, "advance", "1s").want(t, exitDone, "MINE", "has another lab description")
	execIn(t, home, "", "--lab", "large", "--ephemeral", "adapter", "list").want(t, exitDone, "Ethernet 16")
}

func TestExecWaitsForTheHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone)
	db, err := store.Open(t.Context(), historyIn(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	execIn(t, home, "", "undo", "--wait", "0").want(t, exitFailed, "in use by a running cxdeck (process number", "--read-only", "--ephemeral")
	execIn(t, home, "", "undo", "--wait", "50ms").want(t, exitFailed, "did not end within 50ms")
	execIn(t, home, "", "undo", "--wait", "-1s").want(t, exitMistake, "--wait: a wait must be 0 to 24h")
	execIn(t, home, "", "undo", "--wait", "soon").want(t, exitMistake, `--wait: invalid duration "soon"`)
	execIn(t, home, "", "--read-only", "journal").want(t, exitDone, "Pull the cable")
	time.AfterFunc(100*time.Millisecond, func() { _ = db.Close() })
	execIn(t, home, "", "undo", "--yes").want(t, exitDone) // waits for the lock
}

func TestExecUnreadableHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone)
	db, err := store.Open(t.Context(), historyIn(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := db.NewestHost(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	host.Data = []byte(`{"version":99}`)
	if err := db.SaveHost(t.Context(), host); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got := execIn(t, home, "", "adapter", "show", "Ethernet 7")
	got.want(t, exitDone, "can't be read, and a new host was created; the saved one is kept as host 1", "up, Ethernet")
	if strings.Count(got.err, "\n") != 1 {
		t.Errorf("not one sentence: %q", got.err)
	}
}

func TestExecExitCodes(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	home := t.TempDir()
	script := "undo\nfoo\nadapter list\n"
	execIn(t, home, script, "--ephemeral").want(t, exitFailed, "line 1: there is nothing to undo")
	execIn(t, home, script, "--ephemeral", "--keep-going").want(t, exitMistake, "line 1: ", "line 2: ", "Ethernet 7")
	execIn(t, home, "undo\nadapter list\n", "--ephemeral", "--keep-going").want(t, exitFailed)
	execIn(t, home, "").want(t, exitMistake, "requires a command")
	execIn(t, home, "", "foo").want(t, exitMistake, "unknown command")
	// One argument may be a whole line, or several.
	execIn(t, home, "", "--ephemeral", `Get-VMNetworkAdapter -VMName vm001 | Set-VMNetworkAdapter -IovWeight 0 -WhatIf`).want(t,
		exitDone, "vm001")
	execIn(t, home, "", "--ephemeral", "vm stop vm001\nvm show 'vm001'").want(t, exitDone, "Off")
	execIn(t, home, "", "--ephemeral", "vm stop vm01x").want(t, exitFailed, "line 1: ", "vm01x")
	execIn(t, home, "", "adapter", "list", "--ephemeral", "--json").want(t, exitDone, `{"schema":1,"command":"adapter list","status":0`)
	execIn(t, home, "", "--ephemeral", "counters", `\*(*)\*`, "--list", "--json").want(t, exitDone, `"counters":[`)
	execIn(t, home, "", "--ephemeral", "--", "adapter", "show", "--json").want(t, exitMistake, "--json")
	execIn(t, home, "", "--lab", filepath.Join(home, "none.toml"), "adapter", "list").want(t, exitMistake, "no lab file")
	execIn(t, home, "", "--db", home, "adapter", "list").want(t, exitFailed)
	log := filepath.Join(home, "log.json")
	execIn(t, home, "", "--ephemeral", "--log", log, "cable", "pull", "Ethernet 7").want(t, exitDone)
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), `"line":"cable pull 'Ethernet 7'","status":0`) {
		t.Errorf("the log says %s, %v", text, err)
	}
	execIn(t, home, "", "cable", "--help").want(t, exitDone, "pull the cable of a port")
	execIn(t, home, "", "--lab", "manual-winof2", "lab", "export").want(t, exitDone, "mt4115", `connection = "Ethernet"`)
	execIn(t, home, "", "--lab", "manual-winoff", "lab", "export").want(t, exitMistake, "did you mean manual-winof?")
	execIn(t, home, "", "--lab", "nothing-like-it", "lab", "export").want(t, exitMistake, "manual-ib, manual-winof, manual-winof2")
	// After the name of a tool with its own help, --help and -h belong to the tool.
	execIn(t, home, "", "vlan_config.exe", "--help").want(t, exitDone, "vlan_config showlist [IPoIB]")
	execIn(t, home, "", "--help", "vlan_config").want(t, exitDone, "vlan_config showlist [IPoIB]")
	execIn(t, home, "", "--help").want(t, exitDone, "cxdeck exec [COMMAND...]")
	execIn(t, home, "", "part_man", "-h").want(t, exitDone, "part_man.exe -help")
}

// BenchmarkHostState measures encoding a host after a minute of the lab, which its owner waits for.
func BenchmarkHostState(b *testing.B) {
	for _, c := range []struct {
		name        string
		description func() *description.Description
	}{{"default", description.Default}, {"large", description.Large}} {
		b.Run(c.name, func(b *testing.B) {
			lab, err := device.New(c.description(), 1)
			if err != nil {
				b.Fatal(err)
			}
			host := driver.NewHost(lab)
			host.Advance(time.Minute)
			var state saving.State
			for b.Loop() {
				if state, err = saving.StateOf(host); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(state.Data)), "bytes")
		})
	}
}
