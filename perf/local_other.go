//go:build !linux

package perf

import "errors"

// NewLocalSource fails: only Linux has the statistics that it reads.
func NewLocalSource() (Source, error) {
	return nil, errors.New("this machine's own interfaces can be watched on Linux only; start without --source for the lab, or open a log file")
}
