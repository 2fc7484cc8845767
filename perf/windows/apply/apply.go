// Package apply writes values of the registry of the Windows machine that it runs on. It holds the only calls of cxdeck that change such a
// machine; nothing is called without the operator's --allow-changes, and a backup of the keys is written first.
package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/registry/regfile"
	"cxdeck/perf/windows"
)

// Writer changes values of keys that exist below HKEY_LOCAL_MACHINE. It never creates or deletes a key.
type Writer interface {
	SetValue(path string, v regfile.Value) error
	DeleteValue(path, name string) error
}

// Machine is a machine whose registry can be read and written; it is a target of the package apply of driver/linuxhost.
type Machine struct {
	Root   windows.Key
	Writer Writer
	Now    func() time.Time
	// failed is the error of the last reading.
	failed error
}

// Machine reads the machine; an unreadable one has no interfaces.
func (m *Machine) Machine() *linuxhost.Machine {
	machine, err := windows.ReadMachine(m.Root)
	if m.failed = err; err != nil {
		return &linuxhost.Machine{}
	}
	return machine
}

// Close frees the key.
func (m *Machine) Close() { _ = m.Root.Close() } // nothing was written to it

// prefixes begin the keys that may be written, in small letters: network adapters, and services of the drivers.
var prefixes = []string{
	`system\currentcontrolset\control\class\{4d36e972-e325-11ce-bfc1-08002be10318}\`,
	`system\currentcontrolset\services\mlx4`, `system\currentcontrolset\services\mlx5`,
}

// Set gives a value its new text, or deletes it. Keys of anything but adapters and their drivers are refused, also when a journal names
// them.
func (m *Machine) Set(c linuxhost.Change) error {
	allowed := false
	for _, prefix := range prefixes {
		allowed = allowed || strings.HasPrefix(strings.ToLower(c.Registry), prefix) && !strings.Contains(c.Registry, "..")
	}
	if !allowed {
		return fmt.Errorf("%s is no key of an adapter or its driver", c.Registry)
	}
	v, err := windows.NewValue(&c)
	if err != nil {
		return err
	}
	if v.Delete {
		return m.Writer.DeleteValue(c.Registry, v.Name)
	}
	return m.Writer.SetValue(c.Registry, v)
}

// Backup writes the keys of a plan into a new registry file.
func (m *Machine) Backup(folder string, plan linuxhost.Plan) (string, error) {
	data, err := windows.EncodeBackup(m.Root, plan)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "registry-"+m.Now().UTC().Format("20060102-150405.000")+".reg")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return path, err
}
