package edit

import (
	"fmt"

	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
)

// Registry gives access to the registry of a host.
type Registry struct {
	*registry.Layout
	*registry.Hive
	// Changed is called after a change of a key that the driver of a port reads.
	Changed func(port int, r *registry.Row)
}

// Stored returns the stored value of a key of a port; it does not exist for a key that is absent.
func (g Registry) Stored(port int, r *registry.Row) registry.Value {
	return g.GetRow(g.Place(port, r.Scope), r)
}

// Operation is a change of stored values.
type Operation interface {
	operation.Of[Registry]
	// CommandsOn returns the commands for it on a real host in its current state: with the right registry path, creating absent
	// keys.
	CommandsOn(g Registry) []string
	// Resolve returns the value that it stores or deletes, and its place.
	Resolve(g Registry) ([]Value, error)
}

// Writer is an Operation on one value of the registry, which belongs to a connection or to an adapter.
type Writer interface {
	Writes() (connection, adapter, key string)
	// ValueAfter returns the value of a row's key afterwards; it does not exist when it is deleted.
	ValueAfter(r *registry.Row) (registry.Value, error)
}

// Value is one value that an Operation stores or deletes, with its location.
type Value struct {
	registry.Location
	// Connection, Adapter or Path and Key identify it as the Operation does.
	Connection, Adapter, Path, Key string
	// Wanted is the stored value; it does not exist for a value that is deleted.
	Wanted registry.Value
}

// name returns the name of the value in the registry.
func (v *Value) name() string {
	if v.Row != nil {
		return v.Row.Name
	}
	return v.Key
}

// Actual returns the stored value.
func (v *Value) Actual(h *registry.Hive) registry.Value { return h.Get(v.Place, v.name()) }

// store stores the value in the registry, or deletes it there.
func (v *Value) store(g Registry) {
	if v.Wanted.Exists() {
		g.Set(v.Place, v.name(), v.Wanted)
	} else {
		g.Delete(v.Place, v.name())
	}
	if v.Row != nil {
		g.Changed(v.Port, v.Row)
	}
}

// Idle reports that an Operation would change nothing: the registry has its values already. It is false for an Operation that
// can't be applied.
func Idle(g Registry, o Operation) bool {
	values, err := o.Resolve(g)
	for i := range values {
		if values[i].Actual(g.Hive) != values[i].Wanted {
			return false
		}
	}
	return err == nil && len(values) > 0
}

// Touches returns the values of an Operation, each with one name, however the Operation names it.
func Touches(g Registry, o Operation) (list []string) {
	values, err := o.Resolve(g)
	if writer, ok := o.(Writer); ok && err != nil { // from the journal of an older version
		connection, adapter, key := writer.Writes()
		return []string{key + " of " + connection + adapter}
	}
	for i := range values {
		switch v := &values[i]; {
		case v.Row == nil:
			list = append(list, fmt.Sprintf("%s of %s", NameOf(v.Key), v.Path))
		case v.Row.Scope == registry.Miniport:
			list = append(list, v.Row.Name+" of "+g.Owner(v.Port, v.Row.Scope))
		default:
			list = append(list, fmt.Sprintf("%s/%s of %s", v.Row.Scope, v.Row.Name, g.Owner(v.Port, v.Row.Scope)))
		}
	}
	return list
}
