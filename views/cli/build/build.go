// Package build says which build of the program this is: version, commit, compiler and SQLite. It prints nothing.
package build

import (
	"runtime"
	"runtime/debug"

	"cxdeck/store/engine"
)

// Build identifies the program. The linker sets it in a release build; empty fields are read from what the Go command recorded.
type Build struct {
	Version string
	// Commit is the full hash, and Date the commit's time in RFC 3339: a build at another time is the same.
	Commit, Date string
}

// schema is the schema version of the JSON of version.
const schema = 1

// Document is the JSON of cxdeck version.
type Document struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	// Modified reports that the source differed from the commit.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	CGO      bool   `json:"cgo"`
	SQLite   string `json:"sqlite"`
	Engine   string `json:"sqlite_library"`
}

// Describe adds to the linker's facts those that the Go command recorded.
func (b Build) Describe(info *debug.BuildInfo) Document {
	d := Document{
		Schema: schema, Version: b.Version, Commit: b.Commit, Date: b.Date, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, CGO: engine.CGO, SQLite: engine.Version(), Engine: engine.Library,
	}
	if info == nil {
		return d
	}
	recorded := map[string]string{}
	for _, setting := range info.Settings {
		recorded[setting.Key] = setting.Value
	}
	if d.Commit == "" {
		d.Commit, d.Date = recorded["vcs.revision"], recorded["vcs.time"]
	}
	d.Modified = recorded["vcs.modified"] == "true" && (b.Commit == "" || b.Commit == recorded["vcs.revision"])
	for _, dependency := range info.Deps {
		if dependency.Path == engine.Library {
			d.Engine += " " + dependency.Version
		}
	}
	return d
}
