// Package setup has the commands of the QoS wizards: the plans of driver/lossless/plans with a flag for every field of a form,
// and the checks that follow a plan.
package setup

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
		Phrases: map[string]func() string{"profiles": profilesHelp, "modes": modesHelp, "parameters": parametersHelp},
		Commands: []exec.Command{
			{Name: "qos setup lossless", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Flags: exec.Flags("priority N", "ports PORTS", "share PERCENT", "only", "trust-dscp", "no-control", "plan"), Run: exec.Bound(lossless)},
			{Name: "qos setup trust", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: exec.Flags("mark MARKS", "plan"), Run: exec.Bound(trust)},
			{Name: "qos setup shares", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Flags: exec.Flags("plan"), Run: exec.Bound(shares)},
			{Name: "qos setup pause", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: exec.Flags("plan"), Run: exec.Bound(pause)},
			{Name: "qos setup limit", Min: 2, Max: exec.Any, Changes: true, Interrupts: true, Flags: exec.Flags("plan"), Run: exec.Bound(limit)},
			{Name: "qos setup congestion", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Flags: exec.Flags("profile PROFILE", "priorities PRIORITIES", "preview", "plan"), Run: exec.Bound(congestion)},
			{Name: "qos setup roce", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: exec.Flags("driver", "plan"), Run: exec.Bound(roce)},
			{Name: "qos setup dropless", Min: 2, Max: 2, Changes: true, Interrupts: true, Flags: exec.Flags("timeout N", "plan"), Run: exec.Bound(dropless)},
		},
	}
}
