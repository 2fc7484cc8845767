//go:build !linux

package machine

import (
	"errors"

	"cxdeck/driver/linuxhost/apply"
)

var errNotLinux = errors.New("the adapters of this machine can be read and changed on Linux only")

func openLocalReader() (localReader, error) { return nil, errNotLinux }

// OpenTarget opens this machine for changes.
func OpenTarget() (apply.Closing, error) { return nil, errNotLinux }
