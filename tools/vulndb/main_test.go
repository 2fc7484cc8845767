package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConvert: the index has each module with its reports and the newest fix.
func TestConvert(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	text := `{"id":"GO-1","modified":"2026-01-02T00:00:00Z","affected":[{"package":{"name":"a.b/c"},"ranges":[{"events":[{"introduced":"0"},{"fixed":"1.2.3"}]}]}]}`
	if err := os.WriteFile(filepath.Join(from, "GO-1.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := convert(from, to); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(to, "index", "modules.json"))
	if err != nil || !strings.Contains(string(index), `"path":"a.b/c","vulns":[{"id":"GO-1","modified":"2026-01-02T00:00:00Z","fixed":"1.2.3"}]`) {
		t.Errorf("%v: %s", err, index)
	}
	if err := convert(t.TempDir(), to); err == nil {
		t.Error("a folder without reports is no error")
	}
}
