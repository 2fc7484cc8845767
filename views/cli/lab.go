package cli

import (
	"fmt"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
)

// openLab builds the lab that --lab and --seed name, with its clock set to the machine's: a session of today is found
// under today. Only times depend on that, never numbers.
func (s *session) openLab() (*perf.Lab, error) {
	text, err := s.labDescription()
	if err != nil {
		return nil, err
	}
	description := device.Default()
	if text != nil {
		if description, err = device.ParseText(text); err != nil {
			return nil, mistake("%s: %v", s.options.labFile, err)
		}
	}
	description.Epoch = time.Now().Truncate(time.Second)
	lab, err := device.New(description, s.options.seed)
	if err != nil {
		return nil, fmt.Errorf("can't build the lab: %w", err)
	}
	return perf.NewLabSource(driver.NewHost(lab))
}
