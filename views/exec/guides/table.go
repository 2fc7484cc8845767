// Package guides has the commands that list, check, carry out and undo the guides: the procedures of the manuals, step by step.
package guides

import (
	_ "embed"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

// maxWords is the maximum number of arguments: the guide, and answers.
const maxWords = 40

// Family returns the commands.
func Family() *exec.Family {
	return &exec.Family{
		Texts: texts,
		Commands: []exec.Command{
			{Name: "guide list", Max: 1, Run: list},
			{Name: "guide show", Min: 1, Max: 1, Run: show},
			{Name: "guide check", Min: 1, Max: maxWords, Flags: exec.Flags("answers FILE", "after"), Run: check},
			{Name: "guide meet", Min: 1, Max: maxWords, Changes: true, Interrupts: true, Flags: exec.Flags("answers FILE"), Run: meet},
			{Name: "guide run", Min: 1, Max: maxWords, Changes: true, Interrupts: true, Flags: exec.Flags("answers FILE", "step", "force"), Run: run},
			{Name: "guide tick", Min: 1, Max: 1, Changes: true, Run: tick},
			{Name: "guide undo", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: undo},
			{Name: "guide reset", Min: 1, Max: 1, Changes: true, Run: reset},
			{Name: "guide export", Min: 2, Max: maxWords, Flags: exec.Flags("answers FILE", "force"), Run: export},
		},
	}
}
