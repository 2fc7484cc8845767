package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
)

// TestDiagnoseSession diagnoses recorded sessions, and parts of them.
func TestDiagnoseSession(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	directory := t.TempDir()
	diagnose := func(arguments ...string) result {
		settings := []string{"diagnose", "--config", filepath.Join(directory, "config.toml"), "--db", historyIn(directory)}
		return runLine(t, slices.Concat(settings, arguments)...)
	}
	refused := func(reason string, arguments ...string) {
		t.Helper()
		got := diagnose(arguments...)
		if got.code == exitDone || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, reason) {
			t.Errorf("%q: %d, %q, %q", arguments, got.code, got.out, got.err)
		}
	}
	execIn(t, directory, "", "help").want(t, exitDone) // creates the settings, but no history
	refused("there is no history")
	refused("there is no history", "1")
	execIn(t, directory, "fault set \"Ethernet 7\" bad-cable 0.5\nadvance 30s\nfault clear \"Ethernet 7\" bad-cable\nadvance 15s\n").want(t, exitDone)
	const damaged = "Ethernet 7 receives damaged frames"
	diagnose().want(t, 2, "ERROR - ", ": "+damaged)
	diagnose("1").want(t, 2, "ERROR - ", damaged, "(damaged-frames, ", " to ")
	diagnose("1", "Ethernet 7", "--to", "+25s").want(t, 2, damaged, "(damaged-frames, since ")
	diagnose("1", "--format", "json").want(t, 2, `"command":"diagnose","status":2`, `"rule":"damaged-frames"`, `"until":"`)
	if got := diagnose("1", "Ethernet 7", "--from", "+38s"); got.code != exitDone || !strings.HasPrefix(got.out, "OK - nothing is wrong") {
		t.Errorf("after the fault: %d, %q, %q", got.code, got.out, got.err)
	}
	refused("no such session; sessions list", "9")
	refused("no such session; sessions list", "9", "--from", "+5s")
	refused("is not the number of a session", "Ethernet 7")
	refused("there is no connection", "1", "Ethernet 77")
	refused("accepts one name", "1", "Ethernet", "7")
	refused("--from", "1", "--from", "+20s", "--to", "+5s")
	refused("belongs to the diagnosis of a session", "--source", "local", "--from", "+5s")
}

// TestDiagnoseWithoutTopology refuses a session that names no ports in one sentence.
func TestDiagnoseWithoutTopology(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	execIn(t, directory, "", "help").want(t, exitDone) // creates the settings
	made, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(made))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), historyIn(directory), store.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	recorder, err := db.Begin(t.Context(), source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	for range 12 {
		if err := source.Next(t.Context(), time.Second, &column); err != nil {
			t.Fatal(err)
		}
		recorder.Schema(source.Schema(), &perf.Inventory{Host: "LAB-N4"})
		recorder.Column(&column)
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got := runLine(t, "diagnose", "1", "--config", filepath.Join(directory, "config.toml"), "--db", historyIn(directory))
	const want = "cxdeck: session 1 has no topology: the rules require the ports of the counters, and it names none\n"
	if got.code != exitFailed || got.out != "" || got.err != want {
		t.Errorf("%d, %q, %q", got.code, got.out, got.err)
	}
}
