//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestKilledExportIsAllOrNothing kills exports at random times. A file with the requested name is complete, and the history is
// unchanged.
func TestKilledExportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	rounds := 4
	if os.Getenv("CXDECK_LONG") != "" {
		rounds = 20
	}
	home, directory := t.TempDir(), t.TempDir()
	if got := ask(t, home, "exec", "advance", "3m"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	before := ask(t, home, "sessions", "show", "1", "--format", "json")
	random := rand.New(rand.NewPCG(5, 14))
	for _, form := range []string{"csv", "db"} {
		whole := filepath.Join(directory, "whole."+form)
		began := time.Now()
		if got := ask(t, home, "sessions", "export", "1", whole); got.code != 0 {
			t.Fatalf("%+v", got)
		}
		took, want, killed := time.Since(began), size(t, whole), 0
		for round := 0; killed < rounds && round < 4*rounds; round++ { // some end before they are killed
			path := filepath.Join(directory, fmt.Sprintf("%d.%s", round, form))
			command := exec.Command(binary, "sessions", "export", "1", path)
			command.Env = append(environment(home), "TMPDIR="+home) // a killed process leaves its copy of the history there
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(time.Duration(random.Int64N(int64(took))), func() { _ = command.Process.Kill() })
			if command.Wait() != nil {
				killed++
			}
			if _, err := os.Stat(path); err == nil && size(t, path) != want {
				t.Errorf("round %d: %s has %d bytes, and whole %d", round, path, size(t, path), want)
			}
		}
		if got := ask(t, home, "sessions", "export", "1", filepath.Join(directory, "after."+form)); got.code != 0 {
			t.Errorf("an export after the kills: %+v", got)
		}
		t.Logf("%s: %d exports were killed", form, killed)
		if killed < rounds {
			t.Errorf("%s: only %d exports of %d were killed", form, killed, 4*rounds)
		}
	}
	if after := ask(t, home, "sessions", "show", "1", "--format", "json"); after.out != before.out || after.code != 0 {
		t.Errorf("the session was\n%s\nand is\n%s", before.out, after.out)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
