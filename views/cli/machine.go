package cli

import (
	"fmt"

	"cxdeck/perf/windows"
	"cxdeck/views/cli/process"
)

// machineWords are the commands of machine.
func machineWords() []string { return []string{"registry"} }

// runMachine reads this machine, and changes nothing on it.
func runMachine(s *session) error {
	switch {
	case len(s.arguments) == 0:
		return mistake("machine requires a command: registry")
	case s.arguments[0] != "registry":
		return mistake("unknown command \"machine %s\"%s", s.arguments[0], hint(s.arguments[0], machineWords()))
	case len(s.arguments) > 1:
		return mistake("machine registry takes no arguments, but %q was given", s.arguments[1])
	}
	omitted, err := windows.ExportRegistry(s.streams.Out, false)
	if err == nil && omitted > 0 {
		process.Complain(s.streams.Err, fmt.Errorf("%d values were left out, because a registry file can't contain their names", omitted))
	}
	return err
}
