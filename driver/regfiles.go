package driver

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regfile"
)

// Import is what a registry file would change on a host.
type Import struct {
	// Plan makes the changes; it has no Operations when there are none.
	Plan Plan
	// Same is how many values are stored already as the file has them, or absent as it wants them.
	Same int
	// Unknown are those that the console knows nothing of: they are stored and do nothing.
	Unknown []UnknownValue
	// Installed is how many values describe the installation of an adapter of this host: Windows writes them, and the
	// plan leaves them alone.
	Installed int
}

// UnknownValue is a value of a file that no driver of the host reads.
type UnknownValue struct {
	Line int    `json:"line"`
	Path string `json:"path"`
	Name string `json:"name"`
	// Why says what is not known: "no adapter has the class key 0042".
	Why string `json:"why"`
}

// LargestImport is the largest registry file that is read, in bytes.
const LargestImport = 64 << 20

// ReadRegistryFile reads a registry file for an import, and gives the title of the plan; an error names the file, line
// and column.
func ReadRegistryFile(name string, data []byte) (file *regfile.File, title string, err error) {
	if file, err = regfile.Parse(data); err != nil {
		return nil, "", fmt.Errorf("%s: %w; nothing was changed", name, err)
	}
	return file, "Import " + path.Base(strings.ReplaceAll(name, `\`, "/")), nil
}

// mostUnknown bounds how many unknown values of a file are named.
const mostUnknown = 20

// Notes say what of a file nothing here reads, a sentence without its end for each value; of very many they name some.
func (in *Import) Notes() (list []string) {
	for _, u := range in.Unknown[:min(len(in.Unknown), mostUnknown)] {
		list = append(list, fmt.Sprintf("line %d: %s is kept as it is: %s", u.Line, valueName(u.Name), u.Why))
	}
	switch {
	case in.Installed == 1:
		list = append(list, "one value that Windows writes when it installs an adapter is left out")
	case in.Installed > 1:
		list = append(list, fmt.Sprintf("%d values that Windows writes when it installs an adapter are left out", in.Installed))
	}
	switch more := len(in.Unknown) - mostUnknown; {
	case more == 1:
		list = append(list, "and one more value that nothing here reads")
	case more > 1:
		list = append(list, fmt.Sprintf("and %d more values that nothing here reads", more))
	}
	return list
}

// wantedValue is what a file wants of a value.
type wantedValue struct {
	spot
	path, name string
	line       int
	value      registry.Value // one that does not exist is to be absent
}

// ImportRegistry finds out what a registry file would change. It changes nothing. Of several lines on the same value
// the last counts, as for regedit. It fails when a plan could not hold all changes.
func (h *Host) ImportRegistry(title string, f *regfile.File) (Import, error) {
	in := Import{Plan: Plan{Title: title}}
	wanted, err := h.wanted(f)
	if err != nil {
		return in, err
	}
	raw := map[string]*StoreValues{} // what stores the values of a path as they are
	var stores []*StoreValues
	var at []int // where they stand in the plan
	for i := range wanted {
		w := &wanted[i]
		if h.installed(w) {
			in.Installed++
			continue
		}
		if w.row == nil {
			in.Unknown = append(in.Unknown, UnknownValue{Path: w.path, Name: w.name, Line: w.line, Why: h.unknown(w)})
		}
		if h.hive.Get(w.place, w.name) == w.value {
			in.Same++
			continue
		}
		if o, ok := h.setting(w); ok {
			in.Plan.Operations = append(in.Plan.Operations, o)
			continue
		}
		o := raw[w.path]
		if o == nil || len(o.Values) == storeLimit {
			o = &StoreValues{Path: w.path}
			raw[w.path], stores, at = o, append(stores, o), append(at, len(in.Plan.Operations))
			in.Plan.Operations = append(in.Plan.Operations, nil)
		}
		o.Values = append(o.Values, StoredValue{w.name, w.value})
	}
	for i, o := range stores {
		in.Plan.Operations[at[i]] = *o
	}
	if len(in.Plan.Operations) > mostOperations {
		return Import{}, fmt.Errorf("the file makes %d changes, and a plan holds %d; split the file", len(in.Plan.Operations), mostOperations)
	}
	return in, nil
}

// wanted is what a file wants of each value that it speaks of, in the order in which it first does.
func (h *Host) wanted(f *regfile.File) (list []wantedValue, err error) {
	total := 0
	for i := range f.Keys {
		total += len(f.Keys[i].Values)
	}
	list = make([]wantedValue, 0, total)
	places, at := h.atlas(), make(map[slot]int, total)
	want := func(of slot, w wantedValue) {
		if i, again := at[of]; again {
			list[i] = w
			return
		}
		at[of] = len(list)
		list = append(list, w)
	}
	for _, k := range f.Keys {
		path, err := registryPath(k.Path)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", k.Line, err)
		}
		if k.Delete {
			for _, w := range slices.Concat(h.below(places, path), list) {
				if within(w.path, path) {
					w.value, w.line = registry.Value{}, k.Line
					want(slotOf(&w), w)
				}
			}
		}
		folded := strings.ToLower(path)
		for i := range k.Values {
			v := &k.Values[i]
			w := wantedValue{spot: places.findFolded(folded, path, v.Name), path: path, name: v.Name, line: v.Line}
			if w.row != nil {
				w.name = w.row.Name
			}
			if !v.Delete {
				w.value = w.decode(uint32(v.Type), v.Data)
			}
			want(slotOfFolded(folded, &w), w)
		}
	}
	return list, nil
}

// slotOf is the slot of a value.
func slotOf(w *wantedValue) slot { return slotOfFolded(strings.ToLower(w.path), w) }

func slotOfFolded(path string, w *wantedValue) slot {
	if w.place.Scope == registry.Elsewhere {
		return slot{path, strings.ToLower(w.name)}
	}
	return valueAt(path, w.name)
}

// below are the stored values of a registry key and those below it.
func (h *Host) below(places *atlas, path string) (list []wantedValue) {
	for _, v := range h.hive.All() {
		if p := h.path(&v); p != "" && within(p, path) {
			list = append(list, wantedValue{spot: places.find(p, v.Name), path: p, name: v.Name})
		}
	}
	return list
}

// within says whether a registry key is another one or stands below it.
func within(path, key string) bool {
	below, ok := cutFold(path, key)
	return ok && (below == "" || below[0] == '\\')
}

// setting is the Operation that stores a value of the catalogue; ok is false for one that has to be stored as it is.
func (h *Host) setting(w *wantedValue) (o Operation, ok bool) {
	if w.row == nil {
		return nil, false
	}
	d, card, _ := h.lab.Port(w.port)
	connection, adapter, key := d.Connection, "", w.row.Name
	if w.row.Scope != registry.Miniport {
		connection, adapter = "", h.lab.Description().Adapters[card].Name
		key = string(w.row.Scope) + "/" + key
	}
	if !w.value.Exists() {
		return DeleteValue{Connection: connection, Adapter: adapter, Key: key}, true
	}
	set := SetValue{Connection: connection, Adapter: adapter, Key: key, Value: w.value.String()}
	set.Type = w.row.OtherType(w.value)
	v, err := set.parse(w.row)
	return set, err == nil && v == w.value
}

// unknown says what is not known of a value.
func (h *Host) unknown(w *wantedValue) string {
	if w.place.Scope != registry.Elsewhere {
		return "the driver has no such key"
	}
	const class = `HKLM\SYSTEM\CurrentControlSet\Control\Class\`
	if rest, ok := cutFold(w.path, class); ok {
		guid, nn, _ := strings.Cut(rest, `\`)
		index, below, deeper := strings.Cut(nn, `\`)
		network := strings.EqualFold(guid, "{4d36e972-e325-11ce-bfc1-08002be10318}")
		system := strings.EqualFold(guid, "{4d36e97d-e325-11ce-bfc1-08002be10318}")
		if network && !deeper || system && strings.EqualFold(below, "Parameters") {
			return "no adapter of this host has the class key " + index
		}
	}
	return "nothing of this host reads it"
}

// ExportRegistry is what the registry of a host keeps, as a file for regedit: that of the connections that are named,
// or all when none is. Values that Windows keeps elsewhere, such as those of congestion control, are not in it. An
// *UnknownConnectionError is a name that the host does not have.
func (h *Host) ExportRegistry(connections ...string) (*regfile.File, error) {
	wanted := map[registry.Place]bool{}
	for _, name := range connections {
		port, err := h.port(name)
		if err != nil {
			return nil, err
		}
		wanted[h.place(port, registry.Miniport)] = true
	}
	at, places := map[string]int{}, h.atlas()
	f := &regfile.File{}
	for _, v := range h.hive.All() {
		if len(connections) > 0 && !wanted[v.Place()] {
			continue
		}
		path := h.path(&v)
		number, data, ok := places.find(path, v.Name).encode(v.Value)
		if path == "" || !ok {
			continue
		}
		i, begun := at[strings.ToLower(path)]
		if !begun {
			i = len(f.Keys)
			at[strings.ToLower(path)] = i
			f.Keys = append(f.Keys, regfile.Key{Path: fullPath(path)})
		}
		f.Keys[i].Values = append(f.Keys[i].Values, regfile.Value{Name: v.Name, Type: regfile.Type(number), Data: data})
	}
	slices.SortStableFunc(f.Keys, func(a, b regfile.Key) int {
		return cmp.Compare(strings.ToLower(a.Path), strings.ToLower(b.Path))
	})
	return f, nil
}
