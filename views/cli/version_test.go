package cli

import (
	"encoding/json"
	"regexp"
	"runtime"
	"runtime/debug"
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

// TestBuildFacts: the linker's facts come first; without them the Go command's are used.
func TestBuildFacts(t *testing.T) {
	t.Parallel()
	recorded := func(modified string) *debug.BuildInfo {
		return &debug.BuildInfo{
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-28T12:00:00Z"}, {Key: "vcs.modified", Value: modified}},
			Deps:     []*debug.Module{{Path: engine.Library, Version: "v9.9.9"}},
		}
	}
	for name, c := range map[string]struct {
		build    Build
		info     *debug.BuildInfo
		commit   string
		modified bool
	}{
		"nothing recorded":          {Build{Version: "1"}, nil, "", false},
		"a build from the source":   {Build{Version: "1"}, recorded("true"), "abc", true},
		"a release":                 {Build{"1", "abc", "2026-11-28T12:00:00Z"}, recorded("false"), "abc", false},
		"a release from a tarball":  {Build{"1", "abc", "2026-11-28T12:00:00Z"}, &debug.BuildInfo{}, "abc", false},
		"a tarball in another tree": {Build{"1", "def", "2026-11-27T12:00:00Z"}, recorded("true"), "def", false},
	} {
		d := c.build.describe(c.info)
		if d.Commit != c.commit || d.Modified != c.modified || (d.Commit == "") != (d.Date == "") {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if d := (Build{}).describe(recorded("false")); d.Engine != engine.Library+" v9.9.9" {
		t.Errorf("the library is %q", d.Engine)
	}
}
