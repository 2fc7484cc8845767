package build

import (
	"runtime/debug"
	"testing"

	"cxdeck/store/engine"
)

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
		d := c.build.Describe(c.info)
		if d.Commit != c.commit || d.Modified != c.modified || (d.Commit == "") != (d.Date == "") {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if d := (Build{}).Describe(recorded("false")); d.Engine != engine.Library+" v9.9.9" {
		t.Errorf("the library is %q", d.Engine)
	}
}
