package labs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
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

// Lab is a lab as the operator chose it, and the run of the program that uses its host.
type Lab struct {
	// File is what --lab names: an embedded lab, a twin or a file; empty for the default lab.
	File string
	Seed uint64
	// History is the file of the history, DefaultHistory its name without --db; twins are in the folders of both.
	History, DefaultHistory string
	// Version is the version of this program.
	Version string
	// Actor is the run of the program that changes the host.
	Actor driver.Actor
	// Ready is called with the info of the source as soon as its host is ready; it may be nil.
	Ready func(info perf.SourceInfo)
}

// DefaultSeed is the seed without --seed. It is fixed, so that a run can be repeated.
const DefaultSeed = 1

// Words returns the names of the embedded labs.
func Words() []string {
	var words []string
	for _, lab := range description.NamedLabs() {
		words = append(words, lab.Name)
	}
	return words
}

// Layout is a lab that is built at the first call of Plant. The hash of its description is available before.
type Layout struct {
	Hash  func() (string, error)
	Plant func() (*device.Plant, error)
}

// LayOut returns the lab of a description.
func LayOut(d *description.Description) Layout {
	plant := sync.OnceValues(func() (*device.Plant, error) {
		plant, err := device.NewPlant(d)
		if err != nil {
			return nil, fmt.Errorf("can't build the lab: %w", err)
		}
		return plant, nil
	})
	return Layout{func() (string, error) { return d.Hash(), nil }, plant}
}

// LayOutText is LayOut for the text of a description, which is parsed at the first call of Plant. The hash of the default lab is
// available before.
func (l *Lab) LayOutText(text []byte) Layout {
	plant := sync.OnceValues(func() (*device.Plant, error) {
		if l.File == "" {
			return device.NewCheckedPlant(description.Default(), description.DefaultHash), nil
		}
		d, err := l.Parse(text)
		if err != nil {
			return nil, err
		}
		return device.NewCheckedPlant(d, d.Hash()), nil
	})
	hash := func() (string, error) {
		if l.File == "" {
			return description.DefaultHash, nil
		}
		plant, err := plant()
		if err != nil {
			return "", err
		}
		return plant.Hash(), nil
	}
	return Layout{hash, plant}
}

// ReadTables decodes the embedded tables of a lab, each at most once, in the order of their use.
func ReadTables() {
	limits.All()
	registry.Keys(description.WinOF)
	registry.Keys(description.WinOF2)
	perf.Catalogue()
	eventlog.Catalogue()
	healing.All()
	cmdlet.All()
}

// Text returns the text of the lab description that --lab names: an embedded one, a twin, or a file.
func (l *Lab) Text() ([]byte, error) {
	if l.File == "" {
		return description.DefaultText(), nil
	}
	for _, lab := range description.NamedLabs() {
		if lab.Name == l.File {
			return lab.Text(), nil
		}
	}
	words := Words()
	for _, twins := range l.TwinStores() {
		if text, ok, err := twins.Text(l.File); ok || err != nil {
			return text, Unreadable("--lab", l.File, err)
		}
		names, _ := twins.Names() // a folder that can't be read has no names for the hint
		words = append(words, names...)
	}
	data, err := regular.Read(l.File, MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exec.Mistake("--lab: there is no lab and no lab file %s%s", l.File, exec.Suggest(l.File, words, "choose from "+strings.Join(words, ", ")))
	}
	return data, Unreadable("--lab", l.File, err)
}

// TwinStores returns the twins beside the history, and the twins beside the default history if that is another one.
func (l *Lab) TwinStores() []twin.Store {
	return twin.Stores(l.History, l.DefaultHistory)
}

// MaxText limits the description of a lab, in bytes.
const MaxText = 16 << 20

// Unreadable returns the error for an unreadable file of a flag; nil stays nil.
func Unreadable(flag, path string, err error) error {
	if err == nil {
		return nil
	}
	var kind *regular.KindError
	var size *regular.SizeError
	if errors.As(err, &kind) || errors.As(err, &size) {
		return exec.Mistake("%s: %s can't be read: %v; check the name after %s", flag, path, exec.FailureReason(err), flag)
	}
	return fmt.Errorf("%s: %s can't be read: %w", flag, path, exec.FailureReason(err))
}

// Parse parses the text of a lab description.
func (l *Lab) Parse(text []byte) (*description.Description, error) {
	description, err := description.ParseText(text)
	if err == nil {
		err = healing.CheckSchedules(description)
	}
	if err == nil {
		err = maker.Check(description)
	}
	if err != nil {
		return nil, exec.Mistake("%s: %v", l.File, err)
	}
	return description, nil
}

// Describe returns the description of the requested lab.
func (l *Lab) Describe() (*description.Description, error) {
	text, err := l.Text()
	if err != nil {
		return nil, err
	}
	return l.Parse(text)
}
