package driver

import (
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regfile"
)

// RegistryFile is the values of a plan as a file for regedit, the last one of each. What a file can't do is left out
// and named: restarts, and values that Windows keeps elsewhere. It fails when the plan can't be applied.
func (h *Host) RegistryFile(plan Plan) (f *regfile.File, left []string, err error) {
	if err := h.Check(plan); err != nil {
		return nil, nil, err
	}
	b := regfileBuilder{places: h.atlas(), file: &regfile.File{}, keys: map[string]int{}}
	for _, o := range plan.Operations {
		written := false
		if connection, adapter, key, ok := valueOf(o); ok {
			port, r, err := h.find(connection, adapter, key)
			if err != nil {
				return nil, nil, err
			}
			v := registry.Value{}
			if set, ok := o.(SetValue); ok {
				if v, err = set.parse(r); err != nil {
					return nil, nil, err
				}
			}
			written = b.add(h.path(&registry.Stored{Scope: r.Scope, Index: h.place(port, r.Scope).Index, Name: r.Name}), r.Name, v)
		} else if o, ok := o.(StoreValues); ok {
			written = true
			for _, v := range o.Values {
				written = b.add(o.Path, v.Name, v.Value) && written
			}
		}
		if !written {
			left = append(left, o.Describe())
		}
	}
	return b.file, left, nil
}

// regfileBuilder puts values together by their keys.
type regfileBuilder struct {
	places *atlas
	file   *regfile.File
	keys   map[string]int
}

// add puts a value into the file, in place of one of its name; it is false for one that a file can't have.
func (b *regfileBuilder) add(path, name string, v registry.Value) bool {
	normal, err := registryPath(path)
	if err != nil {
		return false
	}
	value := regfile.Value{Name: name, Delete: !v.Exists()}
	if v.Exists() {
		number, data, ok := b.places.find(normal, name).encode(v)
		if !ok {
			return false
		}
		value.Type, value.Data = regfile.Type(number), data
	}
	full := fullPath(path)
	i, begun := b.keys[strings.ToLower(full)]
	if !begun {
		i = len(b.file.Keys)
		b.keys[strings.ToLower(full)] = i
		b.file.Keys = append(b.file.Keys, regfile.Key{Path: full})
	}
	k := &b.file.Keys[i]
	for j := range k.Values {
		if strings.EqualFold(k.Values[j].Name, name) {
			k.Values[j] = value
			return true
		}
	}
	k.Values = append(k.Values, value)
	return true
}
