//go:build !windows

package windows

import (
	"errors"
	"io"
)

// ExportRegistry fails: only Windows has a registry.
func ExportRegistry(io.Writer, bool) (omitted int, err error) {
	return 0, errors.New("this machine is not a Windows machine: it has no registry")
}
