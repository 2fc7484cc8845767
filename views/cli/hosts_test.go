package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/store"
	"cxdeck/views/cli/labs"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/saving"
)

// hostIn runs the command host on the history in a directory.
func hostIn(t *testing.T, directory string, arguments ...string) result {
	t.Helper()
	settings := filepath.Join(directory, "config.toml")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	streams := process.Streams{Out: &out, Err: &errs, Environment: func(string) (string, bool) { return "", false }}
	line := append([]string{"host", "--config", settings, "--db", historyIn(directory)}, arguments...)
	return result{Main(context.Background(), Build{Version: "1.2.3"}, line, streams), out.String(), errs.String()}
}

// TestLongArgumentsGiveShortErrors: an error that quotes an argument of 100,000 characters is one line of less than 1,000.
func TestLongArgumentsGiveShortErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	home := t.TempDir()
	execIn(t, home, "", "advance", "1s").want(t, exitDone)
	for _, line := range [][]string{
		{"host", "save", long}, {"host", "load", long}, {"host", "restore", long}, {"host", "lab", long}, {"host", long},
		{"sessions", "show", long}, {"sessions", "search", long}, {"sessions", "import", long}, {"sessions", "export", "1", long},
		{"sessions", "export", "1", long + ".csv"}, {"sessions", "export", "1", "-", "--format", long}, {"sessions", "note", "1", long},
		{"sessions", "tag", "1", long}, {"sessions", "list", "--from", long}, {"sessions", "compare", "1", long}, {"sessions", long},
		{"report", long}, {"report", "--from", long}, {"sql", long}, {"completion", long}, {"help", long}, {long}, {"exec", long},
		{"counters", long}, {"counters", "--source", long}, {"counters", "--format", long}, {"counters", "--interval", long},
		{"exec", "--lab", long, "vm", "list"}, {"exec", "--log", long, "vm", "list"}, {"exec", "--seed", long, "vm", "list"},
		{"--theme", long}, {"--screen", long}, {"--glyphs", long}, {"--config", long}, {"--" + long},
	} {
		var out, errs bytes.Buffer
		streams := process.Streams{Out: &out, Err: &errs, Environment: func(string) (string, bool) { return "", false }}
		line := append(slices.Clone(line), "--db", historyIn(home))
		code := Main(t.Context(), Build{Version: "1.2.3"}, line, streams)
		if code == exitDone || errs.Len() > 1000 || strings.Count(errs.String(), "\n") != 1 || out.Len() > 1000 {
			t.Errorf("%.60q: exit code %d, %d bytes of output, %d of errors: %.200q", line, code, out.Len(), errs.Len(), errs.String())
		}
	}
}

// editSavedHost changes the saved host of the default lab.
func editSavedHost(t *testing.T, directory string, change func(data string) string) {
	t.Helper()
	db, err := store.Open(t.Context(), historyIn(directory), store.Options{Version: "9.9"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	host, ok, err := db.Host(t.Context(), description.Default().Hash(), labs.DefaultSeed)
	if !ok || err != nil {
		t.Fatalf("no host: %v", err)
	}
	data := change(string(host.Data))
	if data == string(host.Data) {
		t.Fatal("nothing of the host was changed")
	}
	host.Data = []byte(data)
	if err := db.SaveHost(t.Context(), host); err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableHostIsKept: an unreadable host is never overwritten, and is resumed when it can be read again.
func TestUnreadableHostIsKept(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	hostIn(t, home, "list").want(t, exitFailed, "there is no history")
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	const good, bad = `"version":1,"lab"`, `"version":2,"lab"`
	editSavedHost(t, home, func(data string) string { return strings.Replace(data, good, bad, 1) })

	// Read-only mode moves nothing, and says so.
	execIn(t, home, "", "--read-only", "vm", "list").want(t, exitDone, "can't be read, and a new host is shown", "is of version 2")
	hostIn(t, home, "list").want(t, exitDone, "no: the saved host is of version 2", "current", "default", "9.9")

	r := execIn(t, home, "", "vm", "list")
	r.want(t, exitDone, "can't be read, and a new host was created; the saved one is kept as host 1 in "+historyIn(home), "cxdeck host restore 1", "is of version 2")
	if strings.Contains(r.out, "keepme") {
		t.Errorf("the unreadable host was read:\n%s", r.out)
	}
	r = execIn(t, home, "", "vm", "create", "other")
	r.want(t, exitDone)
	if r.err != "" {
		t.Errorf("the second start complains: %s", r.err)
	}
	hostIn(t, home, "restore", "1").want(t, exitFailed, "host 1 can't be read, and nothing was changed: the saved host is of version 2")
	hostIn(t, home, "--read-only", "restore", "1").want(t, exitFailed, "read-only mode is on")
	hostIn(t, home, "restore", "7").want(t, exitFailed, "there is no host 7")
	hostIn(t, home, "restore", "x").want(t, exitMistake, `"x"`)
	hostIn(t, home, "restore").want(t, exitMistake, "number")
	hostIn(t, home, "list", "x").want(t, exitMistake, "no arguments")
	hostIn(t, home, "lst").want(t, exitMistake, "list")
	hostIn(t, home).want(t, exitMistake, "list, restore")

	// Simulate a newer cxdeck that can read it.
	forceRestore(t, home, 1)
	editSavedHost(t, home, func(data string) string { return strings.Replace(data, bad, good, 1) })
	execIn(t, home, "", "vm", "list").want(t, exitDone, "keepme")
	hostIn(t, home, "restore", "2").want(t, exitDone, "Host 2, LAB-N4", "the host that it replaced is kept as host 3")
	execIn(t, home, "", "vm", "list").want(t, exitDone, "other")
	r = hostIn(t, home, "list", "--format", "json")
	var document struct {
		Schema int
		Hosts  []struct {
			Number       int64
			Problem, Why string
		}
	}
	if err := json.Unmarshal([]byte(r.out), &document); err != nil {
		t.Fatal(err)
	}
	if h := document.Hosts; document.Schema != 1 || len(h) != 2 || h[0].Number != 0 || h[1].Number != 3 || h[1].Why != "replaced by host 2" || h[1].Problem != "" {
		t.Errorf("%+v", document)
	}
	hostIn(t, home, "restore", "3").want(t, exitDone)
	execIn(t, home, "", "undo", "--yes").want(t, exitDone, "keepme")
}

// forceRestore makes a host the current one even if it can't be read.
func forceRestore(t *testing.T, directory string, id int64) {
	t.Helper()
	db, err := store.Open(t.Context(), historyIn(directory), store.Options{Version: "9.9"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.RestoreHost(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableChangeIsReportedOnce: a host with unreadable changes continues; a sentence names them once, not with each command.
func TestUnreadableChangeIsReportedOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	execIn(t, home, "", "cable", "pull", "Ethernet 7").want(t, exitDone)
	editSavedHost(t, home, func(data string) string { return strings.Replace(data, `"kind":"pull-cable"`, `"kind":"burn"`, 1) })
	execIn(t, home, "", "vm", "list").want(t, exitDone, "keepme", `change 2, "Pull the cable of Ethernet 7", as`, `kind "burn"`, "the host continues")
	r := execIn(t, home, "", "undo", "--yes")
	r.want(t, exitDone, "keepme")
	if r.err != "" {
		t.Errorf("it is reported again: %s", r.err)
	}
	execIn(t, home, "", "journal").want(t, exitDone, "set aside because it can't be read", "Pull the cable of Ethernet 7")
	hostIn(t, home, "list").want(t, exitDone, "yes")
}

// TestHostIsReadBackBeforeSaving: a state that can't be read back does not replace the saved host.
func TestHostIsReadBackBeforeSaving(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	db, err := store.Open(t.Context(), historyIn(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d, err := device.NewPlant(description.Default())
	if err != nil {
		t.Fatal(err)
	}
	left, _, err := db.Host(t.Context(), d.Hash(), labs.DefaultSeed)
	if err != nil {
		t.Fatal(err)
	}
	bad := saving.State{HostState: left, Plant: d}
	bad.Data = bytes.Replace(left.Data, []byte(`"version":1`), []byte(`"version":7`), 1)
	if err := bad.Write(t.Context(), db); err == nil || !strings.Contains(err.Error(), "could not be read back") {
		t.Errorf("got %v", err)
	}
	if now, ok, err := db.Host(t.Context(), d.Hash(), labs.DefaultSeed); !ok || err != nil || !bytes.Equal(now.Data, left.Data) {
		t.Errorf("the host was replaced: %v", err)
	}
	good := saving.State{HostState: left, Plant: d}
	good.Elapsed++
	if err := good.Write(t.Context(), db); err != nil {
		t.Error(err)
	}
}
