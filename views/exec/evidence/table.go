// Package evidence has the commands that say what is wrong with the host, and that collect what shows it for a support ticket:
// diagnosis, captures of frames, files of the host, and the snapshot.
package evidence

import (
	_ "embed"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

// Family returns the commands.
func Family() *exec.Family {
	return &exec.Family{
		Texts:   texts,
		Phrases: map[string]func() string{"capture-words": captureText},
		Commands: []exec.Command{
			{Name: "host files list", Max: 1, Run: filesList},
			{Name: "host files show", Min: 1, Max: 1, Run: filesShow},
			{Name: "host files get", Min: 2, Max: 2, Flags: exec.Flags("snapshot", "force"), Run: filesGet},
			{Name: "host files remove", Min: 1, Max: 1, Changes: true, Run: filesRemove},
			{Name: "snapshot", Min: 1, Max: 1, Flags: exec.Flags("force"), Run: systemSnapshot},
			{Name: "capture list", Run: captureList},
			{Name: "capture show", Min: 1, Max: 1, Flags: exec.Flags("frames N", "for DURATION", "filter TEXT"), Run: captureShow},
			{Name: "capture", Min: 2, Max: 2, Flags: exec.Flags("frames N", "for TIME", "filter TEXT", "bytes N", "ring N", "max-size MB", "force"), Run: exec.Bound(captureFrames)},
			{Name: "diagnose fix", Min: 2, Max: 3, Changes: true, Interrupts: true, Flags: exec.Flags("yes"), Run: exec.Bound(diagnoseFix)},
			{Name: "diagnose", Max: 1, Run: exec.Bound(diagnose)},
		},
	}
}
