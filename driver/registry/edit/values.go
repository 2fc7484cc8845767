package edit

import (
	"cmp"
	"fmt"

	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
)

// SetValue stores a value in the registry. Any value of the key's type can be stored; the driver validates it when it takes
// effect.
type SetValue struct {
	// Connection is the connection of the key: "Ethernet 7". The key may also belong to its card, driver or system.
	Connection string `json:"connection,omitempty"`
	// Adapter is the card of a key that its ports share: "ConnectX-3 Pro". Either Connection or Adapter is empty.
	Adapter string `json:"adapter,omitempty"`
	// Key is the name; case and the asterisk at the front are ignored. "bus-driver/PermitSriov" also names its scope.
	Key string `json:"key"`
	// Value is the value as an operator types it: "9014", "0x2336", text for a REG_SZ.
	Value string `json:"value"`
	// Type is REG_SZ or REG_DWORD for a value that is stored as another type than the key's own (registry.Row.StoredType);
	// usually empty.
	Type registry.Type `json:"type,omitempty"`
}

// DeleteValue removes a value from the registry: the driver then uses its default, if it has one.
type DeleteValue struct {
	Connection string `json:"connection,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
	Key        string `json:"key"`
}

func (SetValue) Kind() string    { return "set-value" }
func (DeleteValue) Kind() string { return "delete-value" }

func (o SetValue) Target() string    { return cmp.Or(o.Connection, o.Adapter) }
func (o DeleteValue) Target() string { return cmp.Or(o.Connection, o.Adapter) }

func (o SetValue) Writes() (connection, adapter, key string) { return o.Connection, o.Adapter, o.Key }
func (o DeleteValue) Writes() (connection, adapter, key string) {
	return o.Connection, o.Adapter, o.Key
}

func (o SetValue) Describe() string {
	text := fmt.Sprintf("set %s of %s to %s", o.Key, o.Target(), o.Value)
	if o.Type != "" {
		text += " as " + string(o.Type)
	}
	return text
}

func (o DeleteValue) Describe() string { return fmt.Sprintf("delete %s of %s", o.Key, o.Target()) }

func (o SetValue) ValueAfter(r *registry.Row) (registry.Value, error) {
	switch o.Type {
	case "", registry.Number, registry.Text:
		v, err := r.ParseAs(o.Value, o.Type)
		return r.Canonical(v), err
	default:
		return registry.Value{}, fmt.Errorf("%s can't be set as a %s; import it from a .reg file", r.Name, o.Type)
	}
}

func (DeleteValue) ValueAfter(*registry.Row) (registry.Value, error) { return registry.Value{}, nil }

func (o SetValue) Resolve(g Registry) ([]Value, error)    { return resolve(g, o) }
func (o DeleteValue) Resolve(g Registry) ([]Value, error) { return resolve(g, o) }

func resolve(g Registry, o Writer) ([]Value, error) {
	connection, adapter, key := o.Writes()
	port, r, err := g.Find(connection, adapter, key)
	if err != nil {
		return nil, err
	}
	wanted, err := o.ValueAfter(r)
	if err != nil {
		return nil, err
	}
	at := registry.Location{Place: g.Place(port, r.Scope), Row: r, Port: port}
	return []Value{{Location: at, Connection: connection, Adapter: adapter, Key: key, Wanted: wanted}}, nil
}

func (o SetValue) Inverse(g Registry) (operation.Of[Registry], error) {
	values, err := o.Resolve(g)
	switch {
	case err != nil:
		return nil, err
	case !values[0].Actual(g.Hive).Exists():
		return DeleteValue{o.Connection, o.Adapter, o.Key}, nil
	}
	return restoreValue(g, &values[0]), nil
}

func (o DeleteValue) Inverse(g Registry) (operation.Of[Registry], error) {
	values, err := o.Resolve(g)
	switch {
	case err != nil:
		return nil, err
	case !values[0].Actual(g.Hive).Exists():
		return nil, fmt.Errorf("%s does not exist", values[0].Row.Name)
	}
	return restoreValue(g, &values[0]), nil
}

// restoreValue returns the Operation that stores the current value.
func restoreValue(g Registry, v *Value) Operation {
	old := v.Actual(g.Hive)
	set := SetValue{Connection: v.Connection, Adapter: v.Adapter, Key: v.Key, Value: old.String(), Type: v.Row.OtherType(old)}
	if again, err := set.ValueAfter(v.Row); err == nil && again == old {
		return set
	}
	return StoreValues{g.PathOf(v.Port, v.Row), []StoredValue{{v.Row.Name, old}}}
}

func (o SetValue) Apply(g Registry) error    { return apply(g, o) }
func (o DeleteValue) Apply(g Registry) error { return apply(g, o) }

func apply(g Registry, o Operation) error {
	values, err := o.Resolve(g)
	if err == nil {
		values[0].store(g)
	}
	return err
}
