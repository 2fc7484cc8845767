package machine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cxdeck/driver/linuxhost"
	"cxdeck/perf/windows"
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
	data, err := encodePlan(machine, plan, strings.ToLower(filepath.Ext(path)))
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	s.print("The plan is in %s. Nothing was changed.", path)
	return nil
}

// encodePlan returns a plan in the form of a file's ending.
func encodePlan(machine *linuxhost.Machine, plan linuxhost.Plan, ending string) ([]byte, error) {
	inRegistry := !slices.ContainsFunc(plan, func(c linuxhost.Change) bool { return c.Registry == "" })
	switch {
	case ending == ".reg" && inRegistry:
		return windows.EncodePlan(plan)
	case ending == ".ps1" && inRegistry, ending == ".sh" && !inRegistry:
	case inRegistry:
		return nil, exec.Mistake("the name of the file must end with .reg or .ps1, not %q", ending)
	default:
		return nil, exec.Mistake("the name of the file must end with .sh, not %q", ending)
	}
	var b bytes.Buffer
	if ending == ".sh" {
		b.WriteString("#!/bin/sh\nset -e\n")
	} else {
		b.WriteString("$ErrorActionPreference = 'Stop'\n")
	}
	for _, line := range plan.Commands(machine) {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b, "# To undo:")
	for _, line := range plan.Inverse().Commands(machine) {
		fmt.Fprintln(&b, "# "+line)
	}
	if ending == ".ps1" { // Windows PowerShell reads UTF-8 with a mark only
		return append([]byte("\ufeff"), bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))...), nil
	}
	return b.Bytes(), nil
}
