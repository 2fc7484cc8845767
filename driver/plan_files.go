package driver

import (
	"fmt"
	"path/filepath"
	"strings"

	"cxdeck/driver/registry/regfile"
)

// File is a file that is to be written.
type File struct {
	Path string
	Data []byte
}

// UnknownEndError is the name of a file whose end does not say what a plan is to be written as.
type UnknownEndError struct{ Path string }

// Error names the ends that there are.
func (e *UnknownEndError) Error() string {
	return fmt.Sprintf("%q does not say what to write: .ps1 is a PowerShell script, .reg a registry file, .txt text for a ticket",
		filepath.Base(e.Path))
}

// Files is a plan for a real host, as the end of the path says: a PowerShell script with the one that takes it back
// beside it, a registry file, or text for a change ticket. What a registry file can't do is left, and fails it only
// when that is all. It fails with an *UnknownEndError, and when the plan can't be applied.
func (h *Host) Files(plan Plan, path string) (files []File, left []string, err error) {
	end := filepath.Ext(path)
	switch strings.ToLower(end) {
	case ".ps1":
		script, inverse, err := h.PowerShell(plan)
		return []File{{path, []byte(script)}, {strings.TrimSuffix(path, end) + "-undo" + end, []byte(inverse)}}, nil, err
	case ".reg":
		file, left, err := h.RegistryFile(plan)
		if err != nil {
			return nil, nil, err
		}
		if len(file.Keys) == 0 {
			return nil, left, fmt.Errorf("a registry file can't do any of it: %s; a .ps1 script can", strings.Join(left, ", "))
		}
		data, err := regfile.Encode(file)
		return []File{{path, data}}, left, err
	case ".txt":
		ticket, err := h.Ticket(plan)
		return []File{{path, []byte(ticket)}}, nil, err
	default:
		return nil, nil, &UnknownEndError{path}
	}
}
