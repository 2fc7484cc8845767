package edit

import (
	"fmt"
	"unicode/utf8"

	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// StoreValues stores values of any type in one registry key, also in keys that the catalogue does not contain. Values that the
// driver reads take effect as with SetValue.
type StoreValues struct {
	// Path is the registry key: "HKLM\SOFTWARE\Vendor".
	Path   string        `json:"path"`
	Values []StoredValue `json:"values"`
}

// StoredValue is one value of a StoreValues.
type StoredValue struct {
	// Name is empty for the default value of the key.
	Name string `json:"name"`
	// Value is the value to store; a value that does not exist is deleted.
	Value registry.Value `json:"value"`
}

// MaxStored is the maximum number of values that one StoreValues stores.
const MaxStored = 100

func (StoreValues) Kind() string { return "store-values" }

func (o StoreValues) Target() string {
	if len(o.Path) <= request.MaxTarget {
		return o.Path
	}
	end := o.Path[len(o.Path)-request.MaxTarget+len("..."):]
	for !utf8.ValidString(end) {
		end = end[1:]
	}
	return "..." + end
}

func (o StoreValues) Describe() string {
	if len(o.Values) == 1 {
		v := o.Values[0]
		if !v.Value.Exists() {
			return fmt.Sprintf("delete %s of %s", NameOf(v.Name), o.Target())
		}
		return fmt.Sprintf("store %s of %s as %.60s", NameOf(v.Name), o.Target(), v.Value)
	}
	return fmt.Sprintf("store %d values of %s", len(o.Values), o.Target())
}

// NameOf returns the name of a value in a sentence.
func NameOf(name string) string {
	if name == "" {
		return "the default value"
	}
	return name
}

func (o StoreValues) Resolve(g Registry) ([]Value, error) {
	path, err := registry.NormalPath(o.Path)
	if err != nil {
		return nil, err
	}
	list := make([]Value, len(o.Values))
	for i, v := range o.Values {
		at := g.Location(path, v.Name)
		list[i] = Value{Location: at, Path: o.Path, Key: v.Name, Wanted: at.Canonical(v.Value)}
	}
	return list, nil
}

func (o StoreValues) Inverse(g Registry) (operation.Of[Registry], error) {
	values, err := o.Resolve(g)
	switch {
	case err != nil:
		return nil, err
	case len(values) == 0 || len(values) > MaxStored:
		return nil, fmt.Errorf("a plan can store 1 to %d values at once, not %d", MaxStored, len(values))
	}
	back := StoreValues{Path: o.Path}
	for i := len(values) - 1; i >= 0; i-- { // the first of two values of one name is the older one
		v := o.Values[i]
		if err := g.Fits(v.Name, v.Value); err != nil && v.Value.Exists() {
			return nil, err
		}
		back.Values = append(back.Values, StoredValue{v.Name, values[i].Actual(g.Hive)})
	}
	return back, nil
}

func (o StoreValues) Apply(g Registry) error {
	values, err := o.Resolve(g)
	if err != nil {
		return err
	}
	for i := range values {
		v := &values[i]
		if v.Wanted.Exists() {
			if err := g.Fits(v.name(), o.Values[i].Value); err != nil {
				return err
			}
		}
		v.store(g)
	}
	return nil
}
