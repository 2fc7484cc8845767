package cli

import (
	"encoding/json"
	"regexp"
	"runtime"
	"testing"

	"cxdeck/store/engine"
)

func TestVersionAsJSON(t *testing.T) {
	t.Parallel()
	first := runLine(t, "version", "--json")
	var d map[string]any
	if err := json.Unmarshal([]byte(first.out), &d); err != nil || first.code != exitDone {
		t.Fatalf("exit code %d, %v: %s%s", first.code, err, first.out, first.err)
	}
	for key, want := range map[string]any{"schema": 1.0, "version": "1.2.3", "go": runtime.Version(),
		"platform": runtime.GOOS + "/" + runtime.GOARCH, "cgo": engine.CGO} {
		if d[key] != want {
			t.Errorf("%s is %v, not %v", key, d[key], want)
		}
	}
	for _, key := range []string{"commit", "date", "modified", "sqlite_library"} {
		if d[key] == nil {
			t.Errorf("there is no %s in %s", key, first.out)
		}
	}
	if version, _ := d["sqlite"].(string); !regexp.MustCompile(`^3\.\d+\.\d+$`).MatchString(version) {
		t.Errorf("the version of SQLite is %q", version)
	}
	if second := runLine(t, "version", "--json"); second.out != first.out {
		t.Errorf("a second call printed %s", second.out)
	}
	if got := runLine(t, "version", "--json", "now"); got.code != exitMistake {
		t.Errorf("an argument was accepted: %+v", got)
	}
}
