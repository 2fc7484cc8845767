// Package regedit imports and exports registry files (.reg) as regedit does: it returns the Operations that import a file, and
// files of the registry and of Operations. Package regfile reads and writes the files.
package regedit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

// Import lists the changes that a registry file would make on a host.
type Import struct {
	// Operations make the changes.
	Operations []edit.Operation
	// Same counts the values that are stored already with the data of the file, or are absent as the file requests.
	Same int
	// Unknown are values of unknown keys: they are stored and have no effect.
	Unknown []UnknownValue
	// Installed is the number of values that describe the installation of an adapter of this host: Windows writes them, and the
	// plan omits them.
	Installed int
}

// UnknownValue is a value of a file that no driver of the host reads.
type UnknownValue struct {
	Line int    `json:"line"`
	Path string `json:"path"`
	Name string `json:"name"`
	// Why is the reason: "no adapter has the class key 0042".
	Why string `json:"why"`
}

// LargestFile is the maximum size of a registry file, in bytes.
const LargestFile = 64 << 20

// Read reads a registry file for an import, and returns the title of the plan; an error names the file, line and column.
func Read(name string, data []byte) (file *regfile.File, title string, err error) {
	if file, err = regfile.Parse(data); err != nil {
		return nil, "", fmt.Errorf("%s: %w; nothing was changed", name, err)
	}
	return file, "Import " + path.Base(strings.ReplaceAll(name, `\`, "/")), nil
}

// maxUnknown is the maximum number of unknown values of a file that are named.
const maxUnknown = 20

// Notes returns a sentence, without a full stop, for each value of the file that is not used; of very many it names some.
func (in *Import) Notes() (list []string) {
	for _, u := range in.Unknown[:min(len(in.Unknown), maxUnknown)] {
		list = append(list, fmt.Sprintf("line %d: %s is stored without effect: %s", u.Line, edit.NameOf(u.Name), u.Why))
	}
	switch {
	case in.Installed == 1:
		list = append(list, "one value that Windows writes when it installs an adapter is left out")
	case in.Installed > 1:
		list = append(list, fmt.Sprintf("%d values that Windows writes when it installs an adapter are left out", in.Installed))
	}
	switch more := len(in.Unknown) - maxUnknown; {
	case more == 1:
		list = append(list, "and one more value that no driver reads")
	case more > 1:
		list = append(list, fmt.Sprintf("and %d more values that no driver reads", more))
	}
	return list
}

// wantedValue is a value that a file requests.
type wantedValue struct {
	registry.Location
	path, name string
	line       int
	value      registry.Value // must be absent if it does not exist
}

// slot identifies a value: its path in lower case, and its name in the hive's form.
type slot struct{ path, name string }

// ImportFile returns the changes that a registry file would make. It changes nothing. Of several lines on the same value the
// last wins, as in regedit.
func ImportFile(g edit.Registry, f *regfile.File) (in Import, err error) {
	wanted, err := valuesOf(g, f)
	if err != nil {
		return in, err
	}
	raw := map[string]*edit.StoreValues{} // the operation that stores the values of a path unchanged
	var stores []*edit.StoreValues
	var at []int // their indexes among the Operations
	for i := range wanted {
		w := &wanted[i]
		if w.describesInstallation(g) {
			in.Installed++
			continue
		}
		if w.Row == nil {
			in.Unknown = append(in.Unknown, UnknownValue{Path: w.path, Name: w.name, Line: w.line, Why: w.unknown()})
		}
		if g.Get(w.Place, w.name) == w.value {
			in.Same++
			continue
		}
		if o, ok := w.setting(g); ok {
			in.Operations = append(in.Operations, o)
			continue
		}
		o := raw[w.path]
		if o == nil || len(o.Values) == edit.MaxStored {
			o = &edit.StoreValues{Path: w.path}
			raw[w.path], stores, at = o, append(stores, o), append(at, len(in.Operations))
			in.Operations = append(in.Operations, nil)
		}
		o.Values = append(o.Values, edit.StoredValue{Name: w.name, Value: w.value})
	}
	for i, o := range stores {
		in.Operations[at[i]] = *o
	}
	return in, nil
}

// valuesOf returns the wanted state of each value that a file names, in the order in which the values first appear.
func valuesOf(g edit.Registry, f *regfile.File) (list []wantedValue, err error) {
	total := 0
	for i := range f.Keys {
		total += len(f.Keys[i].Values)
	}
	list = make([]wantedValue, 0, total)
	at := make(map[slot]int, total)
	want := func(folded string, w wantedValue) {
		key := slot{folded, strings.ToLower(w.name)}
		if w.Place.Scope != registry.OtherPath {
			key.name = strings.TrimPrefix(key.name, "*")
		}
		if i, again := at[key]; again {
			list[i] = w
			return
		}
		at[key] = len(list)
		list = append(list, w)
	}
	for _, k := range f.Keys {
		path, err := registry.NormalPath(k.Path)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", k.Line, err)
		}
		if k.Delete {
			for _, w := range slices.Concat(storedBelow(g, path), list) {
				if _, ok := registry.BelowPath(w.path, path); ok {
					w.value, w.line = registry.Value{}, k.Line
					want(strings.ToLower(w.path), w)
				}
			}
		}
		folded := strings.ToLower(path)
		for i := range k.Values {
			v := &k.Values[i]
			w := wantedValue{Location: g.LocationFolded(folded, path, v.Name), path: path, name: v.Name, line: v.Line}
			if w.Row != nil {
				w.name = w.Row.Name
			}
			if !v.Delete {
				w.value = w.Decode(uint32(v.Type), v.Data)
			}
			want(folded, w)
		}
	}
	return list, nil
}

// storedBelow returns the stored values of a registry key and of the keys below it.
func storedBelow(g edit.Registry, path string) (list []wantedValue) {
	for _, v := range g.All() {
		p := g.Path(&v)
		if _, ok := registry.BelowPath(p, path); ok {
			list = append(list, wantedValue{Location: g.Location(p, v.Name), path: p, name: v.Name})
		}
	}
	return list
}

// setting returns the Operation that stores a value of the catalogue; ok is false for a value that only StoreValues can store.
func (w *wantedValue) setting(g edit.Registry) (o edit.Operation, ok bool) {
	if w.Row == nil {
		return nil, false
	}
	connection, adapter, key := g.NamesOf(w.Port, w.Row)
	if !w.value.Exists() {
		return edit.DeleteValue{Connection: connection, Adapter: adapter, Key: key}, true
	}
	set := edit.SetValue{Connection: connection, Adapter: adapter, Key: key, Value: w.value.String(), Type: w.Row.OtherType(w.value)}
	v, err := set.ValueAfter(w.Row)
	return set, err == nil && v == w.value
}

// unknown returns why a value is unknown.
func (w *wantedValue) unknown() string {
	if w.Place.Scope != registry.OtherPath {
		return "the driver has no such key"
	}
	if rest, ok := registry.BelowPath(w.path, `HKLM\SYSTEM\CurrentControlSet\Control\Class`); ok {
		guid, nn, _ := strings.Cut(strings.TrimPrefix(rest, `\`), `\`)
		index, below, deeper := strings.Cut(nn, `\`)
		network := strings.EqualFold(guid, "{4d36e972-e325-11ce-bfc1-08002be10318}")
		system := strings.EqualFold(guid, "{4d36e97d-e325-11ce-bfc1-08002be10318}")
		if network && !deeper || system && strings.EqualFold(below, "Parameters") {
			return "no adapter of this host has the class key " + index
		}
	}
	return "no driver of this host reads it"
}
