package regedit

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

// Export returns the values of a registry as a file: of the given connections, or of the whole registry if none is given. It omits values that Windows
// keeps elsewhere, such as congestion control settings. It returns a *request.UnknownConnectionError for an unknown connection.
func Export(g edit.Registry, connections ...string) (*regfile.File, error) {
	wanted := map[registry.Place]bool{}
	for _, name := range connections {
		port, err := g.Port(name)
		if err != nil {
			return nil, err
		}
		wanted[g.Place(port, registry.Miniport)] = true
	}
	b := NewBuilder(g)
	for _, v := range g.All() {
		path := g.Path(&v)
		if len(connections) > 0 && !wanted[v.Place()] || path == "" {
			continue
		}
		if number, data, ok := g.Location(path, v.Name).Encode(v.Value); ok {
			k := b.key(registry.FullPath(path))
			k.Values = append(k.Values, regfile.Value{Name: v.Name, Type: regfile.Type(number), Data: data})
		}
	}
	slices.SortStableFunc(b.File.Keys, func(a, b regfile.Key) int {
		return cmp.Compare(strings.ToLower(a.Path), strings.ToLower(b.Path))
	})
	return b.File, nil
}

// Builder builds a file from Operations, with the last value of each name.
type Builder struct {
	File     *regfile.File
	registry edit.Registry
	keys     map[string]int
}

// NewBuilder returns a Builder with an empty file for a host.
func NewBuilder(g edit.Registry) *Builder { return &Builder{&regfile.File{}, g, map[string]int{}} }

// Add adds the values of an Operation to the file; whole is false when the file can't express all of them.
func (b *Builder) Add(o edit.Operation) (whole bool, err error) {
	values, err := o.Resolve(b.registry)
	if err != nil {
		return false, err
	}
	store, verbatim := o.(edit.StoreValues)
	whole = true
	for i := range values {
		v := &values[i]
		path, name, value := v.Path, v.Key, v.Wanted
		if verbatim {
			value = store.Values[i].Value
		} else {
			path, name = b.registry.PathOf(v.Port, v.Row), v.Row.Name
		}
		whole = b.add(path, name, value) && whole
	}
	return whole, nil
}

// add adds a value to the file, or replaces the value with its name; it is false for a value that a file can't express.
func (b *Builder) add(path, name string, v registry.Value) bool {
	normal, err := registry.NormalPath(path)
	if err != nil {
		return false
	}
	value := regfile.Value{Name: name, Delete: !v.Exists()}
	if v.Exists() {
		number, data, ok := b.registry.Location(normal, name).Encode(v)
		if !ok {
			return false
		}
		value.Type, value.Data = regfile.Type(number), data
	}
	k := b.key(registry.FullPath(path))
	for j := range k.Values {
		if strings.EqualFold(k.Values[j].Name, name) {
			k.Values[j] = value
			return true
		}
	}
	k.Values = append(k.Values, value)
	return true
}

// key returns the key at a path, creating it if absent.
func (b *Builder) key(full string) *regfile.Key {
	i, found := b.keys[strings.ToLower(full)]
	if !found {
		i = len(b.File.Keys)
		b.keys[strings.ToLower(full)] = i
		b.File.Keys = append(b.File.Keys, regfile.Key{Path: full})
	}
	return &b.File.Keys[i]
}
