//go:build !linux

package local

import (
	"errors"

	"cxdeck/perf"
)

// Open fails: this package reads Linux only.
func Open() (perf.Source, error) {
	return nil, errors.New("this machine's own interfaces can be watched on Linux and Windows only; start without --source for the lab, or open a log file")
}
