package local

import (
	"errors"
	"path/filepath"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
)

// Recording is a recorded machine: the folders sys and proc below Folder, the statistics of its drivers, and a clock.
type Recording struct {
	Folder, Host string
	Statistics   func(name string) map[string]uint64
	Now          func() time.Time
}

// Open opens the recorded machine as the function Open does this one, with settings and states but without the kernel's log.
func (r Recording) Open() (perf.Source, error) {
	sys := filepath.Join(r.Folder, "sys")
	s, err := newSource(sys, r.Host, newSysfsReader(sys), recordedDriver{r.Statistics}, r.Now)
	if err != nil {
		return nil, err
	}
	s.openMachine = func() machineReader { return linuxhost.Recorded(r.Folder) }
	return s, nil
}

// recordedDriver answers as the drivers of a recorded machine.
type recordedDriver struct {
	answer func(name string) map[string]uint64
}

func (d recordedDriver) statistics(name string) (map[string]uint64, error) {
	if values := d.answer(name); values != nil {
		return values, nil
	}
	return nil, errors.New("operation not supported")
}

func (recordedDriver) firmware(string) string { return "16.35.2000" }
func (recordedDriver) close()                 {}
