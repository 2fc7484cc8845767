package driver

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
)

// StoreValues stores values of one registry key as they are: of any type, and also where the console knows nothing of
// them. Values that the driver reads count as those of SetValue do.
type StoreValues struct {
	// Path is the registry key: "HKLM\SOFTWARE\Vendor".
	Path   string        `json:"path"`
	Values []StoredValue `json:"values"`
}

// StoredValue is one value of a StoreValues.
type StoredValue struct {
	// Name is empty for the default value of the key.
	Name string `json:"name"`
	// Value is what is stored; one that does not exist is deleted.
	Value registry.Value `json:"value"`
}

func (StoreValues) Kind() string { return "store-values" }

func (o StoreValues) Target() string {
	if len(o.Path) <= longestTarget {
		return o.Path
	}
	end := o.Path[len(o.Path)-longestTarget+len("..."):]
	for !utf8.ValidString(end) {
		end = end[1:]
	}
	return "..." + end
}

func (o StoreValues) Describe() string {
	if len(o.Values) == 1 {
		v := o.Values[0]
		if !v.Value.Exists() {
			return fmt.Sprintf("delete %s of %s", valueName(v.Name), o.Target())
		}
		return fmt.Sprintf("store %s of %s as %.60s", valueName(v.Name), o.Target(), v.Value)
	}
	return fmt.Sprintf("store %d values of %s", len(o.Values), o.Target())
}

func valueName(name string) string {
	if name == "" {
		return "the default value"
	}
	return name
}

// storeLimit is how many values one Operation stores.
const storeLimit = 100

func (o StoreValues) inverse(h *Host) (Operation, error) {
	path, err := registryPath(o.Path)
	switch {
	case err != nil:
		return nil, err
	case len(o.Values) == 0 || len(o.Values) > storeLimit:
		return nil, fmt.Errorf("1 to %d values are stored at once, and not %d", storeLimit, len(o.Values))
	}
	places, back := h.atlas(), StoreValues{Path: o.Path}
	for i := len(o.Values) - 1; i >= 0; i-- { // the first of two values of one name is the older one
		v := o.Values[i]
		if err := h.hive.Fits(v.Name, v.Value); err != nil && v.Value.Exists() {
			return nil, err
		}
		back.Values = append(back.Values, StoredValue{v.Name, h.hive.Get(places.find(path, v.Name).place, v.Name)})
	}
	return back, nil
}

func (o StoreValues) apply(h *Host) error {
	path, err := registryPath(o.Path)
	if err != nil {
		return err
	}
	places := h.atlas()
	for _, v := range o.Values {
		s := places.find(path, v.Name)
		name := v.Name
		if s.row != nil {
			name = s.row.Name
		}
		if v.Value.Exists() {
			if err := h.hive.Fits(name, v.Value); err != nil {
				return err
			}
			h.hive.Set(s.place, name, s.own(v.Value))
		} else {
			h.hive.Delete(s.place, name)
		}
		if s.row != nil {
			h.changed(s.port, s.row)
		}
	}
	return nil
}

// spots are where its values belong.
func (h *Host) spots(o StoreValues) (list []spot) {
	path, err := registryPath(o.Path)
	if err != nil {
		return nil
	}
	places := h.atlas()
	for _, v := range o.Values {
		list = append(list, places.find(path, v.Name))
	}
	return list
}

// namesOf are its values as an operator knows them: those of the catalogue as SetValue names them.
func (h *Host) namesOf(o StoreValues) (list []string) {
	for i, s := range h.spots(o) {
		name := fmt.Sprintf("%s of %s", valueName(o.Values[i].Name), o.Path)
		if s.row != nil {
			d, card, _ := h.lab.Port(s.port)
			if s.row.Scope == registry.Miniport {
				name = h.nameOfKey(d.Connection, "", s.row.Name)
			} else {
				name = h.nameOfKey("", h.lab.Description().Adapters[card].Name, string(s.row.Scope)+"/"+s.row.Name)
			}
		}
		list = append(list, name)
	}
	return list
}

// Commands are those of PowerShell.
func (o StoreValues) Commands() (list []string) {
	path := cmdlet.Quote("Registry::" + fullPath(o.Path))
	for _, v := range o.Values {
		name := v.Name
		if name == "" {
			name = "(default)"
		}
		kind, value := powerShellValue(v.Value)
		switch {
		case !v.Value.Exists():
			list = append(list, fmt.Sprintf("Remove-ItemProperty -LiteralPath %s -Name %s", path, cmdlet.Quote(name)))
		case kind == "":
			list = append(list, fmt.Sprintf("# PowerShell can't store a %s; import %s of %s from a .reg file",
				v.Value.Type(), cmdlet.Quote(name), path))
		default:
			list = append(list, fmt.Sprintf("New-ItemProperty -LiteralPath %s -Name %s -PropertyType %s -Value %s -Force",
				path, cmdlet.Quote(name), kind, value))
		}
	}
	return list
}

// powerShellValue is the type of a value as PowerShell has it, and the value as it is typed there; the type is empty
// for one that it has not.
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

// splitTexts are the texts between the zeros of a value; ok is false for what is no whole text.
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
