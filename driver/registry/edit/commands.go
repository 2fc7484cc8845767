package edit

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
)

// Commands returns the commands of PowerShell and of the driver's tools. They depend only on the key's name, as most keys have
// one place; CommandsOn also considers the host.
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

func (o DeleteValue) Commands() []string {
	r, ok := anyRow(o.Connection != "", o.Key)
	if !ok {
		return nil
	}
	return deleteCommands(r, r.Path("nn"), o)
}

// anyRow returns the key with a name in either driver family.
func anyRow(connection bool, name string) (*registry.Row, bool) {
	scopes := registry.AdapterScopes()
	if connection {
		scopes = registry.ConnectionScopes()
	}
	for _, family := range []description.Family{description.WinOF2, description.WinOF} {
		if r, ok := registry.Keys(family).Find(name, scopes...); ok {
			return r, true
		}
	}
	return nil, false
}

func (o SetValue) CommandsOn(g Registry) []string {
	port, r, err := g.Find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return o.Commands()
	}
	return setCommands(r, g.PathOf(port, r), o, r.TypeOf(g.Stored(port, r)))
}

func (o DeleteValue) CommandsOn(g Registry) []string {
	port, r, err := g.Find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return o.Commands()
	}
	return deleteCommands(r, g.PathOf(port, r), o)
}

// CommandsOn stores numbers of class keys as strings.
func (o StoreValues) CommandsOn(g Registry) []string {
	typed := StoreValues{Path: o.Path, Values: slices.Clone(o.Values)}
	values, err := o.Resolve(g)
	for i := range values {
		if r := values[i].Row; err == nil && r != nil && r.TypeOf(values[i].Wanted) == registry.Text {
			typed.Values[i].Value = registry.TextValue(r.WindowsText(values[i].Wanted))
		}
	}
	return typed.Commands()
}

// setCommands returns the commands for a value whose key now has a value of the type stored; stored is empty for an absent one.
func setCommands(r *registry.Row, path string, o SetValue, stored registry.Type) []string {
	value, as := o.Value, cmp.Or(o.Type, r.StoredType())
	if v, err := o.ValueAfter(r); err == nil {
		value = r.WindowsText(v)
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
		return []string{property("New", o.Connection, r).With("RegistryValue", value).With("RegistryDataType", as).Switch("NoRestart").String()}
	case r.Scope == registry.Miniport && (stored == as || path == ""):
		return []string{property("Set", o.Connection, r).With("RegistryValue", value).Switch("NoRestart").String()}
	case path == "":
		return nil
	}
	kind := "DWord"
	if as == registry.Text {
		kind = "String"
	}
	return []string{cmdlet.New("New-ItemProperty").With("Path", providerPath(path)).With("Name", r.Name).With("Value", value).
		With("PropertyType", kind).Switch("Force").String()}
}

func deleteCommands(r *registry.Row, path string, o DeleteValue) []string {
	switch {
	case r.Scope == registry.Miniport:
		return []string{property("Remove", o.Connection, r).Switch("NoRestart").String()}
	case r.Scope == registry.Congestion || path == "":
		return nil
	}
	return []string{cmdlet.New("Remove-ItemProperty").With("Path", providerPath(path)).With("Name", r.Name).String()}
}

// property returns a command for a key of a connection.
func property(verb, connection string, r *registry.Row) cmdlet.Line {
	return cmdlet.New(verb+"-NetAdapterAdvancedProperty").With("Name", connection).With("RegistryKeyword", r.Name)
}

// providerPath returns a registry key in the form of PowerShell's provider.
func providerPath(path string) string { return strings.Replace(path, `HKLM\`, `HKLM:\`, 1) }

func (o StoreValues) Commands() (list []string) {
	path := "Registry::" + registry.FullPath(o.Path)
	for _, v := range o.Values {
		name := v.Name
		if name == "" {
			name = "(default)"
		}
		kind, value := powerShellValue(v.Value)
		switch {
		case !v.Value.Exists():
			list = append(list, cmdlet.New("Remove-ItemProperty").With("LiteralPath", path).With("Name", name).String())
		case kind == "":
			list = append(list, fmt.Sprintf("# PowerShell can't store a %s; import %s of %s from a .reg file",
				v.Value.Type(), cmdlet.Quote(name), cmdlet.Quote(path)))
		default:
			list = append(list, cmdlet.New("New-ItemProperty").With("LiteralPath", path).With("Name", name).
				With("PropertyType", kind).With("Value", cmdlet.Expression(value)).Switch("Force").String())
		}
	}
	return list
}

// powerShellValue returns PowerShell's name for the type of a value, and the value in its notation; the name is empty for a
// type that PowerShell lacks.
func powerShellValue(v registry.Value) (kind, value string) {
	data := v.Data()
	switch v.Type() {
	case registry.Number:
		return "DWord", fmt.Sprintf("0x%x", v.Number())
	case registry.LongNumber:
		if len(data) == 8 {
			return "QWord", fmt.Sprintf("0x%x", binary.LittleEndian.Uint64(data))
		}
	case registry.Text:
		return "String", cmdlet.Quote(v.String())
	case registry.ExpandText:
		if texts, ok := splitTexts(data); ok && len(texts) == 1 {
			return "ExpandString", cmdlet.Quote(texts[0])
		}
	case registry.MultiText:
		if texts, ok := splitTexts(data); ok {
			for i := range texts {
				texts[i] = cmdlet.Quote(texts[i])
			}
			return "MultiString", "@(" + strings.Join(texts, ", ") + ")"
		}
	case registry.Binary:
		digits := make([]string, len(data))
		for i, b := range data {
			digits[i] = fmt.Sprintf("0x%02x", b)
		}
		return "Binary", "([byte[]]@(" + strings.Join(digits, ",") + "))"
	case registry.Nothing:
	}
	return "", ""
}

// splitTexts returns the texts between the zeros of a value; ok is false for incomplete text.
func splitTexts(data []byte) (list []string, ok bool) {
	if len(data)%2 != 0 {
		return nil, false
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	s := strings.TrimRight(string(utf16.Decode(units)), "\x00")
	return strings.Split(s, "\x00"), !strings.ContainsRune(s, utf8.RuneError)
}
