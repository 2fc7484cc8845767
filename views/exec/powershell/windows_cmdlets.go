package powershell

import (
	"errors"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// The program prints these commands for changes of adapters and of the registry, and accepts them as input.

// adapterCmdlet returns a cmdlet that restarts, starts or stops adapters.
func adapterCmdlet(operationOn func(string) (driver.Operation, string)) func(*invocation) (exec.Answer, error) {
	return func(p *invocation) (exec.Answer, error) {
		list, err := p.connections()
		if err != nil {
			return exec.Answer{}, err
		}
		return p.applyToConnections(list, func(name string) driver.Operation {
			o, _ := operationOn(name)
			return o
		})
	}
}

// changeProperty applies the Operation of an advanced property cmdlet to each named connection, and restarts it unless
// -NoRestart was typed.
func (p *invocation) changeProperty(change func(name, key string) driver.Operation) (exec.Answer, error) {
	names, err := p.connections()
	if err != nil {
		return exec.Answer{}, err
	}
	key, err := p.required("RegistryKeyword", "the name of a key, such as *JumboPacket")
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: p.command + " " + key + " of " + strings.Join(names, ", ")}
	for _, name := range names {
		k, err := p.call.Key(exec.KeyTarget{Connection: name}, key)
		if err != nil {
			return exec.Answer{}, err
		}
		plan.Operations = append(plan.Operations, change(name, k.Row.Name))
		if !p.flag("NoRestart") {
			plan.Operations = append(plan.Operations, driver.RestartAdapter{Connection: name})
		}
	}
	return p.call.Apply(plan)
}

func setProperty(p *invocation) (exec.Answer, error) {
	if !p.hasParameter("RegistryValue") {
		return exec.Answer{}, exec.Mistake("%s requires -RegistryValue with a value", p.command)
	}
	kind, err := dataType(p.value("RegistryDataType"))
	if err != nil {
		return exec.Answer{}, err
	}
	if answer, done, err := p.hostJumbo(); done {
		return answer, err
	}
	answer, err := p.changeProperty(func(name, key string) driver.Operation {
		return edit.SetValue{Connection: name, Key: key, Value: p.value("RegistryValue"), Type: kind}
	})
	if err == nil {
		p.noteUnusedValues()
	}
	return answer, err
}

// hostJumbo sets *JumboPacket of an adapter of the host at a virtual switch, which Windows calls "vEthernet (NAME)"; done is false
// for any other adapter.
func (p *invocation) hostJumbo() (answer exec.Answer, done bool, err error) {
	inner, ok := strings.CutPrefix(p.value("Name"), "vEthernet (")
	if !ok || !strings.HasSuffix(inner, ")") {
		return answer, false, nil
	}
	n, err := strconv.Atoi(p.value("RegistryValue"))
	if err != nil || !strings.EqualFold(p.value("RegistryKeyword"), "*JumboPacket") {
		return answer, true, exec.Mistake("an adapter of the host at a virtual switch has only *JumboPacket, a number of bytes")
	}
	answer, err = p.call.ApplyOne(virtualization.SetVMAdapter{Adapter: strings.TrimSuffix(inner, ")"), JumboPacket: &n})
	return answer, true, err
}

// dataType parses -RegistryDataType or -PropertyType; an empty word is the key's own type.
func dataType(word string) (registry.Type, error) {
	switch strings.ToUpper(word) {
	case "":
		return "", nil
	case "REG_DWORD", "DWORD":
		return registry.Number, nil
	case "REG_SZ", "STRING":
		return registry.Text, nil
	}
	return "", exec.Mistake("the type must be REG_DWORD or REG_SZ, not %s", word)
}

func removeProperty(p *invocation) (exec.Answer, error) {
	return p.changeProperty(func(name, key string) driver.Operation {
		return edit.DeleteValue{Connection: name, Key: key}
	})
}

// item finds the registry value of -Path and -Name. key is the name of a driver's key, and connection one that has it; both are
// empty for a value that no driver has.
func (p *invocation) item() (connection, key, path, name string, err error) {
	path = p.value("Path")
	if p.hasParameter("LiteralPath") {
		path = p.value("LiteralPath")
	}
	if path == "" || !p.hasParameter("Name") {
		return "", "", "", "", exec.Mistake("%s requires -Path with a registry key and -Name with the name of a value", p.command)
	}
	path, name = registryPath(path), p.value("Name")
	err = p.call.Host.ReadHost(p.call.Ctx, func(h *driver.Host) error {
		for i := range p.view.Adapters {
			for _, port := range p.view.Adapters[i].Ports {
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

func newItemProperty(p *invocation) (exec.Answer, error) {
	connection, key, path, name, err := p.item()
	if err != nil {
		return exec.Answer{}, err
	}
	if !p.hasParameter("Value") {
		return exec.Answer{}, exec.Mistake("New-ItemProperty requires -Value with a value")
	}
	kind, err := dataType(p.value("PropertyType"))
	if err != nil {
		return exec.Answer{}, err
	}
	value := registry.TextValue(p.value("Value"))
	if kind == registry.Number {
		n, ok := value.Integer()
		if !ok {
			return exec.Answer{}, exec.Mistake("-Value must be a number, not %q", p.value("Value"))
		}
		value = registry.NumberValue(n)
	}
	if key == "" {
		return p.call.ApplyOne(edit.StoreValues{Path: path, Values: []edit.StoredValue{{Name: itemName(name), Value: value}}})
	}
	return p.call.ApplyOne(edit.SetValue{Connection: connection, Key: key, Value: value.String(), Type: kind})
}

// itemName returns the name of a registry value; PowerShell's (default) is the empty name.
func itemName(name string) string {
	if strings.EqualFold(name, "(default)") {
		return ""
	}
	return name
}

func removeItemProperty(p *invocation) (exec.Answer, error) {
	connection, key, path, name, err := p.item()
	switch {
	case err != nil:
		return exec.Answer{}, err
	case key == "":
		return p.call.ApplyOne(edit.StoreValues{Path: path, Values: []edit.StoredValue{{Name: itemName(name)}}})
	}
	return p.call.ApplyOne(edit.DeleteValue{Connection: connection, Key: key})
}

func restartComputer(p *invocation) (exec.Answer, error) {
	name := p.value("ComputerName")
	if name == "" || strings.EqualFold(name, "localhost") || name == "." {
		name = p.view.Name
	}
	return p.call.ApplyOne(driver.Reboot{Host: name})
}

// reloadByDevices implements the line with Get-PnpDevice that driver reload prints.
func reloadByDevices(c *exec.Call) (exec.Answer, error) {
	line := "Get-PnpDevice " + strings.Join(c.Arguments, " ")
	for _, name := range []string{"mlx4", "mlx5"} {
		words, err := exec.Split(driver.ReloadDriver{Driver: name}.Commands()[0])
		if err == nil && strings.EqualFold(strings.Join(words, " "), line) {
			return c.ApplyOne(driver.ReloadDriver{Driver: name})
		}
	}
	return exec.Answer{}, exec.Mistake("Get-PnpDevice is accepted only as driver reload prints it; driver reload mlx4 does the same")
}

// netshRSS implements netsh int tcp set global rss, with or without spaces around =.
func netshRSS(c *exec.Call) (exec.Answer, error) {
	setting, value, ok := strings.Cut(strings.ReplaceAll(strings.Join(c.Arguments, ""), " ", ""), "=")
	on, known := map[string]string{"enabled": "1", "disabled": "0"}[strings.ToLower(value)]
	if ok && strings.EqualFold(setting, "rss") && strings.EqualFold(value, "nodynamicbalancing") {
		return exec.Answer{}, errors.New("the lab does not support dynamic balancing of RSS, only rss=enabled and rss=disabled")
	}
	if !ok || !strings.EqualFold(setting, "rss") || !known {
		return exec.Answer{}, exec.Mistake("netsh int tcp set global takes rss=enabled or rss=disabled here")
	}
	connection, _, err := stackRSS(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(edit.SetValue{Connection: connection, Key: "EnableRSS", Value: on})
}

// stackRSS returns the key of RSS in the TCP stack, and a connection that has it.
func stackRSS(c *exec.Call) (connection string, key registry.Key, err error) {
	view, err := c.View()
	if err != nil {
		return "", key, err
	}
	for i := range view.Adapters {
		connection = view.Adapters[i].Ports[0].Description.Connection
		if key, err = c.Key(exec.KeyTarget{Connection: connection}, "EnableRSS"); err == nil {
			break
		}
	}
	return connection, key, err
}

// netshShowGlobal implements netsh int tcp show global, of which the lab has the state of RSS.
func netshShowGlobal(c *exec.Call) (exec.Answer, error) {
	_, key, err := stackRSS(c)
	if err != nil {
		return exec.Answer{}, err
	}
	value := key.Stored // netsh sets and shows the same value; drivers read it when they start
	if !value.Exists() {
		value = key.Effective
	}
	state := "enabled"
	if n, isNumber := value.Integer(); isNumber && n == 0 {
		state = "disabled"
	}
	return exec.PrintLines([]string{
		"Querying active state...", "", "TCP Global Parameters", "----------------------------------------------",
		"Receive-Side Scaling State          : " + state,
	}, struct {
		RSS string `json:"receive_side_scaling"`
	}{state}), nil
}

// renameNetAdapter renames the interface of a team's VLAN; other names can't be changed in the lab.
func renameNetAdapter(p *invocation, in *struct {
	Name    string `need:"the name of an interface"`
	NewName string `need:"its new name"`
}) (exec.Answer, error) {
	for _, t := range p.view.Teams {
		for _, v := range t.VLANs {
			if strings.EqualFold(v.Name, in.Name) {
				return p.call.ApplyOne(teams.ModifyVLAN{Team: t.Name, VLAN: v.Name, Name: in.NewName, ID: v.ID, Priority: v.Priority})
			}
		}
	}
	return exec.Answer{}, request.Errorf("%q is not the interface of a team's VLAN, and only these can be renamed; "+
		"Get-NetLbfoTeamNic lists them", in.Name)
}
