//go:build !windows

package cli

import (
	"cxdeck/perf"
	"cxdeck/perf/local"
)

func openMachine() (perf.Source, error) { return local.Open() }
