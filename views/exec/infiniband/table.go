package infiniband

import (
	_ "embed"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

// Family returns the commands of the subnet.
func Family() *exec.Family {
	return &exec.Family{
		Texts: texts,
		Commands: []exec.Command{
			{Name: "subnet show", Run: exec.Bound(show)},
			{Name: "subnet ports", Max: 1, Run: exec.Bound(ports)},
			{Name: "subnet traps", Run: exec.Bound(traps)},
			{Name: "subnet link", Min: 2, Max: 2, Changes: true, Interrupts: true, Run: exec.Bound(link)},
			{Name: "subnet manager", Min: 1, Max: 2, Changes: true, Interrupts: true, Flags: exec.Flags("priority N", "routing ENGINE", "partitions FILE"), Run: exec.Bound(manager)},
			{Name: "subnet export", Min: 1, Max: 1, Flags: exec.Flags("force"), Run: exec.Bound(export)},
		},
	}
}
