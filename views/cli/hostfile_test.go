package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// TestHostFiles: a host file takes machines, journal and undo to another history; the host that it replaces is kept.
func TestHostFiles(t *testing.T) {
	t.Parallel()
	home, away := t.TempDir(), t.TempDir()
	file := filepath.Join(home, "host.json")
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	hostIn(t, home, "save", file).want(t, exitDone, "LAB-N4 as of", "is saved in")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	hostIn(t, home, "save", file).want(t, exitFailed, "exists already: choose another name", "exists")
	hostIn(t, home, "save", "-").want(t, exitMistake, "a host can't be written to -: name a file")
	hostIn(t, away, "load", file).want(t, exitDone, "it replaced no host. cxdeck resumes it.")
	execIn(t, away, "", "vm", "list").want(t, exitDone, "keepme")
	execIn(t, away, "", "journal").want(t, exitDone, "keepme")
	execIn(t, away, "", "undo", "--yes").want(t, exitDone)
	if r := execIn(t, away, "", "vm", "list"); strings.Contains(r.out, "keepme") {
		t.Errorf("undo left the machine:\n%s", r.out)
	}
	hostIn(t, away, "load", file).want(t, exitDone, "the host that it replaced is kept as host 1")
	execIn(t, away, "", "vm", "list").want(t, exitDone, "keepme")
	hostIn(t, away, "reset").want(t, exitDone, "kept as host 2", "restore 2")
	if r := execIn(t, away, "", "vm", "list"); strings.Contains(r.out, "keepme") {
		t.Errorf("the reset host has the machine:\n%s", r.out)
	}
	lab := hostIn(t, away, "lab", file)
	lab.want(t, exitDone)
	if lab.out != string(description.DefaultText()) {
		t.Error("the file has another description than its lab")
	}
}

func TestHostFilesAreChecked(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "host.json")
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	hostIn(t, home, "save", file).want(t, exitDone)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ data, want string }{
		"empty":   {"", "is not a host file"},
		"other":   {`{"schema": 1}`, "is not a host file"},
		"cut":     {string(good[:len(good)/2]), "is not a host file"},
		"newer":   {strings.Replace(string(good), `"version":1,"name"`, `"version":2,"name"`, 1), "version 2"},
		"seed":    {strings.Replace(string(good), `"seed":"1"`, `"seed":"-1"`, 1), "invalid seed"},
		"elapsed": {strings.Replace(string(good), `"elapsed_ns":`, `"elapsed_ns":-1`, 1), "can't be loaded"},
		"lab":     {strings.Replace(string(good), `"lab":"`, `"lab":"[[`, 1), "description of its lab is invalid"},
		"state":   {strings.Replace(string(good), `"state":{`, `"state":{"x":1},"y":{`, 1), "can't be loaded"},
	} {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		r := hostIn(t, home, "load", path)
		if r.want(t, exitFailed, c.want); strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("%s: %q, %q", name, r.out, r.err)
		}
	}
	hostIn(t, home, "load", home).want(t, exitFailed, "directory")
	hostIn(t, home, "load", filepath.Join(home, "absent")).want(t, exitFailed, "no such file")
	hostIn(t, home, "load").want(t, exitMistake, "one file")
	hostIn(t, home, "--read-only", "load", file).want(t, exitFailed, "read-only")
	hostIn(t, home, "--seed", "9", "save", filepath.Join(home, "new")).want(t, exitFailed, "no host of this lab with seed 9")
	execIn(t, home, "", "vm", "list").want(t, exitDone, "keepme") // the host is unchanged
}
