package windows

import (
	"golang.org/x/sys/windows/registry"

	"cxdeck/driver/registry/regfile"
)

// registryKey is a key of the registry, opened for reading.
type registryKey struct{ key registry.Key }

// openControl opens HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control.
func openControl() (Key, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `SYSTEM\CurrentControlSet\Control`, registry.READ)
	if err != nil {
		return nil, err
	}
	return registryKey{key}, nil
}

// LocalMachine is HKEY_LOCAL_MACHINE, for reading.
func LocalMachine() Key { return registryKey{registry.LOCAL_MACHINE} }

func (k registryKey) Subkeys() ([]string, error) { return k.key.ReadSubKeyNames(-1) }
func (k registryKey) Close() error               { return k.key.Close() }

func (k registryKey) Open(path string) (Key, error) {
	key, err := registry.OpenKey(k.key, path, registry.READ)
	if err != nil {
		return nil, err
	}
	return registryKey{key}, nil
}

// maxValue is the maximum length of a value; longer ones are skipped.
const maxValue = 1 << 20

func (k registryKey) Values() ([]regfile.Value, error) {
	names, err := k.key.ReadValueNames(-1)
	if err != nil {
		return nil, err
	}
	values := make([]regfile.Value, 0, len(names))
	for _, name := range names {
		length, kind, err := k.key.GetValue(name, nil)
		if err != nil || length > maxValue {
			continue
		}
		data := make([]byte, length)
		if length > 0 {
			if length, _, err = k.key.GetValue(name, data); err != nil || length > len(data) {
				continue // it was changed in between
			}
		}
		values = append(values, regfile.Value{Name: name, Type: regfile.Type(kind), Data: data[:length]})
	}
	return values, nil
}
