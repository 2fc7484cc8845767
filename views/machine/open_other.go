//go:build !linux && !windows

package machine

import (
	"errors"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/perf"
)

var errOther = errors.New("the adapters of this machine can be read and changed on Linux and Windows only")

// Read reads this machine once.
func Read() (*linuxhost.Machine, error) { return nil, errOther }

// OpenTarget opens this machine for changes.
func OpenTarget() (apply.Closing, error) { return nil, errOther }

func sheets(*linuxhost.Machine) []perf.Sheet { return nil }
