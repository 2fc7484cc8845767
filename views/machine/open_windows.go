package machine

import (
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/perf"
	"cxdeck/perf/windows"
	registry "cxdeck/perf/windows/apply"
)

// Read reads this machine once.
func Read() (*linuxhost.Machine, error) { return windows.ReadMachine(windows.LocalMachine()) }

// OpenTarget opens this machine for changes.
func OpenTarget() (apply.Closing, error) { return registry.Open() }

func sheets(m *linuxhost.Machine) []perf.Sheet { return windows.Sheets(m) }
