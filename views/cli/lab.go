package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	maker "cxdeck/driver/twin"
	"cxdeck/perf"
	"cxdeck/perf/regular"
	"cxdeck/views/cli/twin"
	"cxdeck/views/exec"
)

// layout is a lab that is built at the first call of plant. The hash of its description is available before.
type layout struct {
	hash  func() (string, error)
	plant func() (*device.Plant, error)
}

func layOut(d *description.Description) layout {
	plant := sync.OnceValues(func() (*device.Plant, error) {
		plant, err := device.NewPlant(d)
		if err != nil {
			return nil, fmt.Errorf("can't build the lab: %w", err)
		}
		return plant, nil
	})
	return layout{func() (string, error) { return d.Hash(), nil }, plant}
}

// layOutText is layOut for the text of a description, which is parsed at the first call of plant. The hash of the default lab is
// available before.
func (s *session) layOutText(text []byte) layout {
	plant := sync.OnceValues(func() (*device.Plant, error) {
		if s.options.labFile == "" {
			return device.NewCheckedPlant(description.Default(), description.DefaultHash), nil
		}
		d, err := s.parseLab(text)
		if err != nil {
			return nil, err
		}
		return device.NewCheckedPlant(d, d.Hash()), nil
	})
	hash := func() (string, error) {
		if s.options.labFile == "" {
			return description.DefaultHash, nil
		}
		plant, err := plant()
		if err != nil {
			return "", err
		}
		return plant.Hash(), nil
	}
	return layout{hash, plant}
}

// readTables decodes the embedded tables of a lab, each at most once, in the order of their use.
func readTables() {
	limits.All()
	registry.Keys(description.WinOF)
	registry.Keys(description.WinOF2)
	perf.Catalogue()
	eventlog.Catalogue()
	healing.All()
	cmdlet.All()
}

// labText returns the text of the lab description that --lab names: an embedded one, a twin, or a file.
func (s *session) labText() ([]byte, error) {
	if s.options.labFile == "" {
		return description.DefaultText(), nil
	}
	for _, lab := range description.NamedLabs() {
		if lab.Name == s.options.labFile {
			return lab.Text(), nil
		}
	}
	words := labWords()
	for _, twins := range s.twinStores() {
		if text, ok, err := twins.Text(s.options.labFile); ok || err != nil {
			return text, unreadable("--lab", s.options.labFile, err)
		}
		names, _ := twins.Names() // a folder that can't be read has no names for the hint
		words = append(words, names...)
	}
	data, err := regular.Read(s.options.labFile, maxLabBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, mistake("--lab: there is no lab and no lab file %s%s", s.options.labFile, hint(s.options.labFile, words))
	}
	return data, unreadable("--lab", s.options.labFile, err)
}

// twinStores returns the twins beside the history file, and the twins of the state directory where --db selects another history.
func (s *session) twinStores() []twin.Store {
	stores := []twin.Store{twin.StoreIn(s.options.db)}
	if usual := twin.StoreIn(defaultHistory()); usual != stores[0] {
		stores = append(stores, usual)
	}
	return stores
}

const maxLabBytes = 16 << 20

// unreadable returns the error for an unreadable file of a flag; nil stays nil.
func unreadable(flag, path string, err error) error {
	if err == nil {
		return nil
	}
	var kind *regular.KindError
	var size *regular.SizeError
	if errors.As(err, &kind) || errors.As(err, &size) {
		return mistake("%s: %s can't be read: %v; check the name after %s", flag, path, exec.FailureReason(err), flag)
	}
	return fmt.Errorf("%s: %s can't be read: %w", flag, path, exec.FailureReason(err))
}

// parseLab parses the text of a lab description.
func (s *session) parseLab(text []byte) (*description.Description, error) {
	description, err := description.ParseText(text)
	if err == nil {
		err = healing.CheckSchedules(description)
	}
	if err == nil {
		err = maker.Check(description)
	}
	if err != nil {
		return nil, mistake("%s: %v", s.options.labFile, err)
	}
	return description, nil
}

// describeLab returns the description of the requested lab.
func (s *session) describeLab() (*description.Description, error) {
	text, err := s.labText()
	if err != nil {
		return nil, err
	}
	return s.parseLab(text)
}
