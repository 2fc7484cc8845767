//go:build !linux

package local

import (
	"errors"

	"cxdeck/perf"
)

// Open fails: only Linux has the statistics that it reads.
func Open() (perf.Source, error) {
	return nil, errors.New("this machine's own interfaces can be watched on Linux only; start without --source for the lab, or open a log file")
}
