// Package guides has the commands that list, check, carry out and undo the guides: the procedures of the manuals, step by step.
package guides

import (
	_ "embed"

	"cxdeck/views/exec"
	"cxdeck/views/form"
)

//go:embed texts.toml
var texts string

// maxWords is the maximum number of arguments: the guide, and answers.
const maxWords = 40

// commands are the commands of guides, whose forms make plans.
type commands struct{ forms form.Makers }

// Family returns the commands; forms make the plans of plan steps.
func Family(forms form.Makers) *exec.Family {
	s := commands{forms}
	return &exec.Family{
		Texts: texts,
		Commands: []exec.Command{
			{Name: "guide list", Max: 1, Run: list},
			{Name: "guide show", Min: 1, Max: 1, Run: s.show},
			{Name: "guide check", Min: 1, Max: maxWords, Flags: exec.Flags("answers FILE", "after"), Run: s.check},
			{Name: "guide meet", Min: 1, Max: maxWords, Changes: true, Interrupts: true, Flags: exec.Flags("answers FILE"), Run: s.meet},
			{Name: "guide run", Min: 1, Max: maxWords, Changes: true, Interrupts: true, Flags: exec.Flags("answers FILE", "step", "force"), Run: s.run},
			{Name: "guide tick", Min: 1, Max: 1, Changes: true, Run: s.tick},
			{Name: "guide undo", Min: 1, Max: 1, Changes: true, Interrupts: true, Run: s.undo},
			{Name: "guide reset", Min: 1, Max: 1, Changes: true, Run: reset},
			{Name: "guide export", Min: 2, Max: maxWords, Flags: exec.Flags("answers FILE", "runbook", "force"), Run: s.export},
		},
	}
}
