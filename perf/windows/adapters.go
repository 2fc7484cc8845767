package windows

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"cxdeck/driver/registry/regfile"
	"cxdeck/perf"
	"cxdeck/perf/pdh"
)

// Key is a registry key that is open for reading.
type Key interface {
	Subkeys() ([]string, error)
	// Open opens a key below it.
	Open(path string) (Key, error)
	Values() ([]regfile.Value, error)
	Close() error
}

const (
	controlPath  = `HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control`
	networkClass = `{4D36E972-E325-11CE-BFC1-08002BE10318}`
	maxAdapters  = 4096
)

// Adapter is a network adapter in the registry.
type Adapter struct {
	// Key is the name of its key below the network class: "0005".
	Key string
	// Connection is its name in Windows, empty for an adapter without one, and Description the name of the device.
	Connection, Description   string
	Version, Provider, Device string
	Values                    []regfile.Value
}

// Mellanox reports whether it is an adapter of Mellanox or NVIDIA.
func (a *Adapter) Mellanox() bool {
	device := strings.ToLower(a.Device)
	return strings.Contains(device, "ven_15b3") || strings.Contains(device, `mlx4\`) || strings.Contains(device, `ipoib`)
}

// ReadAdapters reads the adapters of the network class below HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control. A key that can't be
// read, such as Properties, is skipped.
func ReadAdapters(control Key) ([]Adapter, error) {
	class, err := control.Open(`Class\` + networkClass)
	if err != nil {
		return nil, fmt.Errorf("the network class in the registry can't be read: %w", err)
	}
	defer class.Close() //nolint:errcheck // opened for reading
	names, err := class.Subkeys()
	if err != nil {
		return nil, fmt.Errorf("the network class in the registry can't be read: %w", err)
	}
	slices.Sort(names)
	var adapters []Adapter
	for _, name := range names {
		if len(name) != 4 || strings.Trim(name, "0123456789") != "" || len(adapters) == maxAdapters {
			continue
		}
		adapter, err := readAdapter(control, class, name)
		if err == nil {
			adapters = append(adapters, adapter)
		}
	}
	return adapters, nil
}

func readAdapter(control, class Key, name string) (a Adapter, err error) {
	key, err := class.Open(name)
	if err != nil {
		return a, err
	}
	defer key.Close() //nolint:errcheck // opened for reading
	if a.Values, err = key.Values(); err != nil {
		return a, err
	}
	a.Key = name
	slices.SortFunc(a.Values, func(x, y regfile.Value) int { return strings.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name)) })
	a.Description, a.Version, a.Provider = a.text("DriverDesc"), a.text("DriverVersion"), a.text("ProviderName")
	if a.Device = a.text("DeviceInstanceID"); a.Device == "" {
		a.Device = a.text("MatchingDeviceId")
	}
	identifier := a.text("NetCfgInstanceId")
	if identifier == "" || strings.ContainsAny(identifier, `\/`) {
		return a, nil
	}
	connection, err := control.Open(`Network\` + networkClass + `\` + identifier + `\Connection`)
	if err != nil {
		return a, nil // a hidden adapter has no connection
	}
	defer connection.Close() //nolint:errcheck // opened for reading
	values, err := connection.Values()
	if err == nil {
		a.Connection = textOf(values, "Name")
	}
	return a, nil
}

func (a *Adapter) text(name string) string { return textOf(a.Values, name) }

// textOf returns a text of a key without control characters; empty for another type.
func textOf(values []regfile.Value, name string) string {
	for i := range values {
		if strings.EqualFold(values[i].Name, name) {
			text, _ := values[i].Text()
			return perf.CleanText(text, perf.NameLimit)
		}
	}
	return ""
}

// WriteRegistry writes the keys of the adapters as regedit exports them. Only Mellanox adapters are written, unless all is set. It
// returns the number of values that a registry file can't contain, such as values with control characters in their names.
func WriteRegistry(w io.Writer, adapters []Adapter, all bool) (omitted int, err error) {
	file := &regfile.File{Version: regfile.Version5, Encoding: regfile.UTF16}
	for i := range adapters {
		if all || adapters[i].Mellanox() {
			key := regfile.Key{Path: controlPath + `\Class\` + networkClass + `\` + adapters[i].Key}
			for _, value := range adapters[i].Values {
				if _, err := regfile.Encode(&regfile.File{Keys: []regfile.Key{{Path: key.Path, Values: []regfile.Value{value}}}}); err != nil {
					omitted++
					continue
				}
				key.Values = append(key.Values, value)
			}
			file.Keys = append(file.Keys, key)
		}
	}
	if len(file.Keys) == 0 {
		return 0, errors.New("the registry has no key of a Mellanox adapter")
	}
	data, err := regfile.Encode(file)
	if err != nil {
		return omitted, err
	}
	_, err = io.Copy(w, bytes.NewReader(data))
	return omitted, err
}

// DisplayValue returns a value as regedit shows it.
func DisplayValue(v *regfile.Value) string {
	if text, ok := v.Text(); ok {
		return perf.CleanText(text, perf.NameLimit)
	}
	if number, ok := v.Number(); ok {
		return fmt.Sprintf("0x%08x (%d)", number, number)
	}
	if v.Type == regfile.MultiText && len(v.Data)%2 == 0 {
		units := make([]uint16, len(v.Data)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(v.Data[2*i:])
		}
		return perf.CleanText(strings.Join(strings.FieldsFunc(string(utf16.Decode(units)), func(r rune) bool { return r == 0 }), " "), perf.NameLimit)
	}
	return fmt.Sprintf("%s, %d bytes", v.Type, len(v.Data))
}

// readAdapters reads the adapters and reports whether they changed.
func (s *source) readAdapters() bool {
	if s.root == nil {
		return false
	}
	adapters, err := ReadAdapters(s.root)
	if err != nil || slices.EqualFunc(adapters, s.adapters, equalAdapters) {
		return false
	}
	s.adapters = adapters
	return true
}

func equalAdapters(a, b Adapter) bool {
	return a.Key == b.Key && a.Connection == b.Connection && a.Description == b.Description && a.Version == b.Version &&
		slices.EqualFunc(a.Values, b.Values, func(x, y regfile.Value) bool {
			return x.Name == y.Name && x.Type == y.Type && bytes.Equal(x.Data, y.Data)
		})
}

// takeInventory lists the ports of the counters, with the driver and the standard keys of their adapters.
func (s *source) takeInventory(series []perf.Series) *perf.Inventory {
	v := pdh.NewInventory(s.host, "this machine", series)
	v.Nodes[0].Identity[0].Value = "Performance Monitor"
	for n := 1; n < len(v.Nodes); n++ {
		if adapter := s.adapterOf(v.Nodes[n].Name); adapter != nil {
			v.Nodes[n].Detail = adapter.Key
			v.Nodes[n].Identity = append(v.Nodes[n].Identity, adapter.identity()...)
		}
	}
	if s.machine != nil {
		if m, err := ReadMachine(s.machine); err == nil {
			v.Sheets = Sheets(m)
		}
	}
	return v
}

// adapterOf finds the adapter of an instance, which is its connection or its description. Performance Monitor writes ( ) # / in
// instances as [ ] _ _.
func (s *source) adapterOf(instance string) *Adapter {
	form := strings.NewReplacer("(", "[", ")", "]", "#", "_", "/", "_", `\`, "_")
	for _, pick := range []func(*Adapter) string{func(a *Adapter) string { return a.Connection }, func(a *Adapter) string { return a.Description }} {
		for i := range s.adapters {
			if name := pick(&s.adapters[i]); name != "" && strings.EqualFold(form.Replace(name), form.Replace(instance)) {
				return &s.adapters[i]
			}
		}
	}
	return nil
}

// identity lists the fields of the side panel: the driver, and the stored standard keys, which begin with *.
func (a *Adapter) identity() []perf.Field {
	fields := []perf.Field{{Label: "Device", Value: a.Description}, {Label: "Driver", Value: strings.TrimSpace(a.Provider + " " + a.Version)}, {Label: "Key", Value: a.Key}}
	for i := range a.Values {
		if name := a.Values[i].Name; strings.HasPrefix(name, "*") && a.Mellanox() {
			fields = append(fields, perf.Field{Label: perf.CleanText(name, perf.NameLimit), Value: DisplayValue(&a.Values[i])})
		}
	}
	return slices.DeleteFunc(fields, func(f perf.Field) bool { return f.Value == "" })
}
