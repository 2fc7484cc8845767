package script

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

// UnknownEndError is the name of a file whose extension is not a format of a plan.
type UnknownEndError struct{ Path string }

// Error lists the extensions.
func (e *UnknownEndError) Error() string {
	return fmt.Sprintf("unknown file type %q: use .ps1 for a PowerShell script, .reg for a registry file, .md for a runbook, .txt for a ticket",
		filepath.Base(e.Path))
}

// Files returns a plan for a real host in the format of the path's extension: a PowerShell script or a registry file, each with
// another one that undoes it, a runbook, or text for a change ticket. left lists Operations that a registry file can't express;
// when it can express none, Files fails. It fails with an *UnknownEndError for another extension, and when the plan can't be applied.
func Files(h *driver.Host, plan driver.Plan, path string) (files []File, left []string, err error) {
	if path == "" {
		return nil, nil, errors.New("a file requires a name, and the name given is empty")
	}
	end := filepath.Ext(path)
	undo := strings.TrimSuffix(path, end) + "-undo" + end
	switch strings.ToLower(end) {
	case ".ps1":
		script, inverse, err := PowerShell(h, plan)
		return []File{{Path: path, Data: []byte(script)}, {Path: undo, Data: []byte(inverse)}}, nil, err
	case ".reg":
		return registryFiles(h, plan, path, undo)
	case ".md":
		runbook, err := Runbook(h, plan)
		return []File{{Path: path, Data: []byte(runbook)}}, nil, err
	case ".txt":
		ticket, err := Ticket(h, plan)
		return []File{{Path: path, Data: []byte(ticket)}}, nil, err
	default:
		return nil, nil, &UnknownEndError{path}
	}
}

// registryFiles returns the values of a plan as a file for regedit, with another one that restores the old values, and the
// Operations that are not in them. It fails when a registry file can express no Operation of the plan.
func registryFiles(h *driver.Host, plan driver.Plan, path, undo string) (files []File, left []string, err error) {
	file, left, err := h.RegistryFile(plan)
	if err != nil {
		return nil, nil, err
	}
	if len(file.Keys) == 0 {
		return nil, left, fmt.Errorf("a registry file can't contain any of it: %s; a .ps1 script can", strings.Join(left, ", "))
	}
	done, back, err := applied(h, plan)
	if err != nil {
		return nil, nil, err
	}
	inverse, _, err := done.RegistryFile(driver.Plan{Operations: valuesOnly(back)})
	if err != nil {
		return nil, nil, err
	}
	data, err := regfile.Encode(file)
	if err != nil {
		return nil, nil, err
	}
	restoring, err := regfile.Encode(inverse)
	return []File{{Path: path, Data: data}, {Path: undo, Data: restoring}}, left, err
}

// valuesOnly returns the Operations that change values of the registry. Restarts are left out: a file has no restart in it, and a
// restart right after another one is refused.
func valuesOnly(operations []driver.Operation) (values []driver.Operation) {
	for _, o := range operations {
		if _, ok := o.(edit.Operation); ok {
			values = append(values, o)
		}
	}
	return values
}
