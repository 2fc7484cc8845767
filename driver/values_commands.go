package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
	"cxdeck/driver/teams"
)

// Commands are those of PowerShell and of the driver's tools. They go by the key's name alone, as most keys have one
// place; Host.Commands knows the host, too.
func (o SetValue) Commands() []string {
	r, ok := anyRow(o.Connection != "", o.Key)
	if !ok {
		return nil
	}
	stored := r.StoredType()
	if r.MustCreate {
		stored = ""
	}
	return setCommands(r, r.Path("nn"), o, stored)
}

// Commands are those of PowerShell.
func (o DeleteValue) Commands() []string {
	r, ok := anyRow(o.Connection != "", o.Key)
	if !ok {
		return nil
	}
	return deleteCommands(r, r.Path("nn"), o)
}

// Commands are what an operator would type on the real host for an Operation, as it is now: with the right place in the
// registry, creating what is absent, and with the device names of cards.
func (h *Host) Commands(o Operation) []string {
	switch o := o.(type) {
	case SetValue:
		if port, r, err := h.find(o.Connection, o.Adapter, o.Key); err == nil {
			k := h.key(port, r, h.readRegistry(port))
			return setCommands(r, k.Path, o, r.TypeOf(k.Stored))
		}
	case DeleteValue:
		if port, r, err := h.find(o.Connection, o.Adapter, o.Key); err == nil {
			return deleteCommands(r, h.key(port, r, h.readRegistry(port)).Path, o)
		}
	case StoreValues:
		return h.storeCommands(o)
	case teams.Operation:
		return h.teamSet().CommandsOf(o)
	case ResetCard:
		if a, err := h.adapter(o.Adapter); err == nil {
			return resetCommands(h.deviceName(a))
		}
	}
	if commands, ok := h.virtualCommands(o); ok {
		return commands
	}
	return o.Commands()
}

// anyRow is the key of a name in either driver family.
func anyRow(connection bool, name string) (*registry.Row, bool) {
	scopes := adapterScopes
	if connection {
		scopes = connectionScopes[:]
	}
	for _, family := range []description.Family{description.WinOF2, description.WinOF} {
		if r, ok := registry.Keys(family).Find(name, scopes...); ok {
			return r, true
		}
	}
	return nil, false
}

// storeCommands are those of PowerShell, which store numbers of class keys as strings.
func (h *Host) storeCommands(o StoreValues) []string {
	typed := StoreValues{Path: o.Path, Values: slices.Clone(o.Values)}
	for i, s := range h.spots(o) {
		v := &typed.Values[i].Value
		if s.row != nil && s.row.TypeOf(s.own(*v)) == registry.Text {
			*v = registry.TextValue(s.row.Spell(s.own(*v)))
		}
	}
	return typed.Commands()
}

// setCommands are the commands for a value whose key now has a value of the type stored; it is empty for an absent one.
func setCommands(r *registry.Row, path string, o SetValue, stored registry.Type) []string {
	value, as := o.Value, cmp.Or(o.Type, r.StoredType())
	if v, err := o.parse(r); err == nil {
		value = r.Spell(v)
	}
	switch {
	case r.Name == "EnableRSS":
		state := "enabled"
		if value == "0" {
			state = "disabled"
		}
		return []string{"netsh int tcp set global rss=" + state}
	case r.Scope == registry.Congestion && o.Connection != "":
		return []string{fmt.Sprintf("Mlx5Cmd.exe -Qosconfig -Dcqcn -Name %s -Set -%s %s", cmdlet.Quote(o.Connection), r.Name, value)}
	case r.Scope == registry.Miniport && stored == "":
		return []string{fmt.Sprintf("New-NetAdapterAdvancedProperty -Name %s -RegistryKeyword %s -RegistryValue %s -RegistryDataType %s -NoRestart",
			cmdlet.Pattern(o.Connection), cmdlet.Quote(r.Name), cmdlet.Quote(value), as)}
	case r.Scope == registry.Miniport && (stored == as || path == ""):
		return []string{fmt.Sprintf("Set-NetAdapterAdvancedProperty -Name %s -RegistryKeyword %s -RegistryValue %s -NoRestart",
			cmdlet.Pattern(o.Connection), cmdlet.Quote(r.Name), cmdlet.Quote(value))}
	case path == "":
		return nil
	}
	kind := "DWord"
	if as == registry.Text {
		kind = "String"
	}
	return []string{fmt.Sprintf("New-ItemProperty -Path %s -Name %s -Value %s -PropertyType %s -Force",
		cmdlet.Quote(providerPath(path)), cmdlet.Quote(r.Name), cmdlet.Quote(value), kind)}
}

func deleteCommands(r *registry.Row, path string, o DeleteValue) []string {
	switch {
	case r.Scope == registry.Miniport:
		return []string{fmt.Sprintf("Remove-NetAdapterAdvancedProperty -Name %s -RegistryKeyword %s -NoRestart",
			cmdlet.Pattern(o.Connection), cmdlet.Quote(r.Name))}
	case r.Scope == registry.Congestion || path == "":
		return nil
	}
	return []string{fmt.Sprintf("Remove-ItemProperty -Path %s -Name %s", cmdlet.Quote(providerPath(path)), cmdlet.Quote(r.Name))}
}

// providerPath is a registry key as PowerShell's provider names it.
func providerPath(path string) string { return strings.Replace(path, `HKLM\`, `HKLM:\`, 1) }
