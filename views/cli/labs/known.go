package labs

import (
	"errors"
	"sync"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/store"
)

// KnownLab is a lab whose description is available.
type KnownLab struct {
	Name string
	Layout
}

// Known returns the embedded labs and the lab of --lab, by the hash of their descriptions.
func (l *Lab) Known() (map[string]KnownLab, error) {
	labs := map[string]KnownLab{}
	add := func(name string, text []byte) error {
		d, err := l.Parse(text)
		if err == nil {
			labs[d.Hash()] = KnownLab{name, LayOut(d)}
		}
		return err
	}
	if l.File != "" {
		text, err := l.Text()
		if err == nil {
			err = add(l.File, text)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, lab := range description.NamedLabs() {
		if err := add(lab.Name, lab.Text()); err != nil {
			return nil, err
		}
	}
	return labs, add("default", description.DefaultText())
}

// ErrOtherLab reports a host whose lab description is not known.
var ErrOtherLab = errors.New("its lab description is required: give it with --lab")

// TryHost restores a saved host, and returns the error.
func TryHost(labs map[string]KnownLab, state *store.HostState) error {
	lab, ok := labs[state.LabHash]
	if !ok {
		return ErrOtherLab
	}
	plant, err := lab.Plant()
	if err != nil {
		return err
	}
	_, err = driver.RestoreOn(plant, state.Data)
	var form *setup.FormError
	if !errors.As(err, &form) {
		return err
	}
	_, err = driver.RenewHost(plant.New(state.Seed), state.Data)
	return err
}

// Snapshots returns a function that restores a host from a snapshot of a session. Its lab must be embedded, or the lab of
// --lab.
func (l *Lab) Snapshots() func(labHash string, seed uint64, state []byte) (*driver.Host, error) {
	known := sync.OnceValues(l.Known)
	return func(labHash string, _ uint64, state []byte) (*driver.Host, error) {
		labs, err := known()
		if err != nil {
			return nil, err
		}
		lab, ok := labs[labHash]
		if !ok {
			return nil, ErrOtherLab
		}
		plant, err := lab.Plant()
		if err != nil {
			return nil, err
		}
		return driver.RestoreOn(plant, state)
	}
}
