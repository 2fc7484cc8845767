package apply

import (
	"errors"
	"time"

	"golang.org/x/sys/windows/registry"

	"cxdeck/driver/registry/regfile"
	"cxdeck/perf/windows"
)

// Open opens the registry of this machine for changes.
func Open() (*Machine, error) {
	return &Machine{Root: windows.LocalMachine(), Writer: machineWriter{}, Now: time.Now}, nil
}

// machineWriter writes the registry of this machine.
type machineWriter struct{}

func (machineWriter) SetValue(path string, v regfile.Value) error {
	return change(path, func(key registry.Key) error {
		switch v.Type {
		case regfile.Text:
			text, ok := v.Text()
			if !ok {
				return errors.New("the text can't be written")
			}
			return key.SetStringValue(v.Name, text)
		case regfile.DWord:
			number, ok := v.Number()
			if !ok {
				return errors.New("the number can't be written")
			}
			return key.SetDWordValue(v.Name, uint32(number))
		}
		return errors.New("values of this type can't be written")
	})
}

func (machineWriter) DeleteValue(path, name string) error {
	return change(path, func(key registry.Key) error { return key.DeleteValue(name) })
}

// change opens a key that exists for one change.
func change(path string, do func(registry.Key) error) error {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, path, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(do(key), key.Close())
}
