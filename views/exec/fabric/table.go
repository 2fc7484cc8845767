// Package fabric has the commands of switch ports and of the far end of a path: their settings and counters.
package fabric

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
		Phrases: map[string]func() string{"switch-settings": settingsHelp, "far-settings": farSettingsHelp},
		Commands: []exec.Command{
			{Name: "switch show", Max: 1, Run: exec.Bound(switchShow)},
			{Name: "switch counters", Max: 1, Run: exec.Bound(switchCounters)},
			{Name: "switch set", Min: 2, Max: exec.Any, Changes: true, Interrupts: true, Run: exec.Bound(switchSet)},
			{Name: "far show", Max: 1, Run: exec.Bound(farEndShow)},
			{Name: "far set", Min: 2, Max: exec.Any, Changes: true, Interrupts: true, Run: exec.Bound(farEndSet)},
		},
	}
}
