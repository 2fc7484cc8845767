package driver

import (
	"fmt"
	"strings"

	"cxdeck/driver/registry"
)

// WrittenValue is a value that a plan stored or deleted, with what the registry had when it was read back after the
// plan.
type WrittenValue struct {
	// Connection, Adapter or Path and Key name it as the Operation did.
	Connection string `json:"connection,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
	Path       string `json:"path,omitempty"`
	Key        string `json:"key"`
	// Wanted is what the plan asked for; it does not exist for a key that it deleted. Actual is what is there.
	Wanted registry.Value `json:"wanted"`
	Actual registry.Value `json:"actual"`
}

// ReadBackError is a plan that was rolled back because the registry did not keep what was stored.
type ReadBackError struct {
	// Values are those that came back otherwise.
	Values []WrittenValue
}

// Error says which values, and what to do.
func (e *ReadBackError) Error() string {
	list := make([]string, len(e.Values))
	for i, v := range e.Values {
		list[i] = fmt.Sprintf("%s of %s reads %s instead of %s", v.Key, v.Connection+v.Adapter+v.Path, orNone(v.Actual), orNone(v.Wanted))
	}
	return strings.Join(list, "; ") + "; see whether something else writes to the registry, and try again"
}

func orNone(v registry.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	return v.String()
}

// valueSlot tells values apart; upper and lower case are one.
type valueSlot struct {
	place registry.Place
	name  string
}

// readBack reads the values that a plan stored or deleted, each once, as the last Operation on it left it.
func (h *Host) readBack(plan Plan) (list []WrittenValue, err error) {
	at := map[valueSlot]int{}
	read := func(slot valueSlot, w WrittenValue) {
		w.Actual = h.hive.Get(slot.place, slot.name)
		if i, again := at[slot]; again {
			list[i] = w
			return
		}
		at[slot] = len(list)
		list = append(list, w)
	}
	for _, o := range plan.Operations {
		if o, ok := o.(StoreValues); ok {
			for i, s := range h.spots(o) {
				v := o.Values[i]
				read(valueSlot{s.place, strings.ToLower(v.Name)}, WrittenValue{Path: o.Path, Key: v.Name, Wanted: s.own(v.Value)})
			}
			continue
		}
		connection, adapter, key, ok := valueOf(o)
		if !ok {
			continue
		}
		w := WrittenValue{Connection: connection, Adapter: adapter, Key: key}
		port, r, err := h.find(connection, adapter, key)
		if err != nil {
			return nil, err
		}
		if set, ok := o.(SetValue); ok {
			if w.Wanted, err = set.parse(r); err != nil {
				return nil, err
			}
		}
		read(valueSlot{h.place(port, r.Scope), strings.ToLower(r.Name)}, w)
	}
	var wrong []WrittenValue
	for _, w := range list {
		if w.Wanted != w.Actual {
			wrong = append(wrong, w)
		}
	}
	if wrong != nil {
		return nil, &ReadBackError{wrong}
	}
	return list, nil
}
