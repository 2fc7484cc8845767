package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/perf"
)

// readTables reads the embedded tables that a lab needs, each of which is read once. It runs beside the opening of the
// history: together they are a third of the time to the first frame.
func readTables() {
	registry.Keys(device.WinOF)
	registry.Keys(device.WinOF2)
	perf.Catalogue()
	driver.Events()
}

// labText is the description of the lab that --lab names, as it was written: an embedded one, or a file.
func (s *session) labText() ([]byte, error) {
	if s.options.labFile == "" {
		return device.DefaultText(), nil
	}
	for _, lab := range device.NamedLabs() {
		if lab.Name == s.options.labFile {
			return lab.Text(), nil
		}
	}
	info, err := os.Stat(s.options.labFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, mistake("--lab: there is no lab, and no lab file, %s%s", s.options.labFile, hint(s.options.labFile, labWords()))
	case err != nil:
		return nil, fmt.Errorf("can't read the lab: %w", err)
	case info.Size() > 16<<20:
		return nil, mistake("%s is larger than 16 MiB: no lab description is; check the name after --lab", s.options.labFile)
	}
	data, err := os.ReadFile(s.options.labFile)
	if err != nil {
		return nil, fmt.Errorf("can't read the lab: %w", err)
	}
	return data, nil
}

// parseLab reads a description of a lab.
func (s *session) parseLab(text []byte) (*device.Description, error) {
	description, err := device.ParseText(text)
	if err != nil {
		return nil, mistake("%s: %v", s.options.labFile, err)
	}
	return description, nil
}

// describeLab is the description of the lab that is wanted.
func (s *session) describeLab() (*device.Description, error) {
	text, err := s.labText()
	if err != nil {
		return nil, err
	}
	return s.parseLab(text)
}
