package cli

import (
	"cxdeck/perf"
	"cxdeck/perf/windows"
)

func openMachine() (perf.Source, error) { return windows.Open() }
