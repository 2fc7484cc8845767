package machine

import (
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/perf"
	"cxdeck/perf/local"
)

// Read reads this machine once.
func Read() (*linuxhost.Machine, error) {
	reader := linuxhost.Open()
	defer reader.Close()
	return reader.Machine(), nil
}

// OpenTarget opens this machine for changes.
func OpenTarget() (apply.Closing, error) { return apply.Open() }

func sheets(m *linuxhost.Machine) []perf.Sheet { return local.Sheets(m) }
