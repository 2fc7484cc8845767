package machine

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/script"
	"cxdeck/perf"
	"cxdeck/perf/windows"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

// export writes a plan into a new file: a registry file, or a script of its commands with the old values.
func (s *Command) export(arguments []string) error {
	if len(arguments) < 3 {
		return exec.Mistake("local export requires a file, an interface and SETTING=VALUE")
	}
	path := arguments[0]
	machine, plan, err := s.plan(arguments[1:])
	if err != nil {
		return err
	}
	if len(plan) == 0 {
		return errors.New("nothing changes: the settings have these values")
	}
	files, err := Files(machine, plan, path)
	if err != nil {
		return exec.Mistake("%v", err)
	}
	if err := deck.WriteFiles(files, false); err != nil {
		return err
	}
	s.print("The plan is in %s, and what undoes it in %s. Nothing was changed.", files[0].Path, files[1].Path)
	return nil
}

// Files returns a plan of this machine in the format of the path's extension, with the old values, and a second file that undoes it: a
// shell script on Linux; a registry file or a PowerShell script on Windows.
func Files(machine *linuxhost.Machine, plan linuxhost.Plan, path string) ([]script.File, error) {
	end := filepath.Ext(path)
	data, err := encodePlan(machine, plan, strings.ToLower(end))
	if err != nil {
		return nil, err
	}
	undo, err := encodePlan(machine, plan.Inverse(), strings.ToLower(end))
	return []script.File{{Path: path, Data: data}, {Path: strings.TrimSuffix(path, end) + "-undo" + end, Data: undo}}, err
}

// encodePlan returns a plan in the form of a file's ending.
func encodePlan(machine *linuxhost.Machine, plan linuxhost.Plan, ending string) ([]byte, error) {
	inRegistry := !slices.ContainsFunc(plan, func(c linuxhost.Change) bool { return c.Registry == "" })
	switch {
	case ending == ".reg" && inRegistry:
		return windows.EncodePlan(plan)
	case ending == ".ps1" && inRegistry, ending == ".sh" && !inRegistry:
	case inRegistry:
		return nil, fmt.Errorf("the name of the file must end with .reg or .ps1, not %q", ending)
	default:
		return nil, fmt.Errorf("the name of the file must end with .sh, not %q", ending)
	}
	var b bytes.Buffer
	if ending == ".sh" {
		b.WriteString("#!/bin/sh\nset -e\n")
	} else {
		b.WriteString("$ErrorActionPreference = 'Stop'\n")
	}
	commands := plan.Commands(machine)
	for n, c := range plan {
		about := perf.CleanText(fmt.Sprintf("%s of %s: %s -> %s", c.Name, c.Interface, c.Old, c.New), perf.NameLimit) // one line, whatever is in the names
		fmt.Fprintf(&b, "# %s\n%s\n", about, commands[n])
	}
	if ending == ".ps1" { // Windows PowerShell reads UTF-8 with a mark only
		return append([]byte("\ufeff"), bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))...), nil
	}
	return b.Bytes(), nil
}
