package windows

import (
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// The program prints these commands for changes of adapters and of the registry, and accepts them as input.

// findItem finds the registry value of -Path and -Name. key is the name of a driver's key, and connection one that has it; both are
// empty for a value that no driver has.
func findItem(p *powershell.Invocation) (connection, key, path, name string, err error) {
	path = p.Value("Path")
	if p.Has("LiteralPath") {
		path = p.Value("LiteralPath")
	}
	if path == "" || !p.Has("Name") {
		return "", "", "", "", exec.Mistake("%s requires -Path with a registry key and -Name with the name of a value", p.Command)
	}
	path, name = registryPath(path), p.Value("Name")
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for i := range p.View.Adapters {
			for _, port := range p.View.Adapters[i].Ports {
				keys, err := h.Keys(port.Description.Connection)
				if err != nil {
					return err
				}
				for _, k := range keys {
					if k.Row.Scope.Stored() && strings.EqualFold(k.Path, path) && strings.EqualFold(k.Row.Name, name) {
						connection, key = port.Description.Connection, string(k.Row.Scope)+"/"+k.Row.Name
						return nil
					}
				}
			}
		}
		return nil
	})
	return connection, key, path, name, err
}

// registryPath converts PowerShell's spelling of a registry path to the program's, which begins with HKLM\ or HKCU\.
func registryPath(path string) string {
	for _, prefix := range []string{"Microsoft.PowerShell.Core\\Registry::", "Registry::"} {
		if len(path) >= len(prefix) && strings.EqualFold(path[:len(prefix)], prefix) {
			path = path[len(prefix):]
		}
	}
	for _, root := range []struct{ long, short string }{
		{`HKLM:\`, `HKLM\`}, {`HKEY_LOCAL_MACHINE\`, `HKLM\`}, {`HKCU:\`, `HKCU\`}, {`HKEY_CURRENT_USER\`, `HKCU\`},
	} {
		if len(path) >= len(root.long) && strings.EqualFold(path[:len(root.long)], root.long) {
			return root.short + path[len(root.long):]
		}
	}
	return path
}

func newItemProperty(p *powershell.Invocation) (exec.Answer, error) {
	connection, key, path, name, err := findItem(p)
	if err != nil {
		return exec.Answer{}, err
	}
	if !p.Has("Value") {
		return exec.Answer{}, exec.Mistake("New-ItemProperty requires -Value with a value")
	}
	kind, err := powershell.RegistryType(p.Value("PropertyType"))
	if err != nil {
		return exec.Answer{}, err
	}
	value := registry.TextValue(p.Value("Value"))
	if kind == registry.Number {
		n, ok := value.Integer()
		if !ok {
			return exec.Answer{}, exec.Mistake("-Value must be a number, not %q", p.Value("Value"))
		}
		value = registry.NumberValue(n)
	}
	if key == "" {
		return p.Call.ApplyOne(edit.StoreValues{Path: path, Values: []edit.StoredValue{{Name: itemName(name), Value: value}}})
	}
	return p.Call.ApplyOne(edit.SetValue{Connection: connection, Key: key, Value: value.String(), Type: kind})
}

// itemName returns the name of a registry value; PowerShell's (default) is the empty name.
func itemName(name string) string {
	if strings.EqualFold(name, "(default)") {
		return ""
	}
	return name
}

func removeItemProperty(p *powershell.Invocation) (exec.Answer, error) {
	connection, key, path, name, err := findItem(p)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case key == "":
		return p.Call.ApplyOne(edit.StoreValues{Path: path, Values: []edit.StoredValue{{Name: itemName(name)}}})
	}
	return p.Call.ApplyOne(edit.DeleteValue{Connection: connection, Key: key})
}
