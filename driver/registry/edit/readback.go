package edit

import (
	"fmt"
	"strings"

	"cxdeck/driver/registry"
)

// WrittenValue is a value that a plan stored or deleted, with the value read back from the registry after the plan.
type WrittenValue struct {
	// Connection, Adapter or Path and Key identify it as the Operation does.
	Connection string `json:"connection,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
	Path       string `json:"path,omitempty"`
	Key        string `json:"key"`
	// Wanted is the value that the plan requested; it does not exist for a key that it deleted. Actual is the value read back.
	Wanted registry.Value `json:"wanted"`
	Actual registry.Value `json:"actual"`
}

// ReadBackError is the failure of a plan that was rolled back because the registry did not keep the stored values.
type ReadBackError struct {
	// Values are the values that differ from the plan.
	Values []WrittenValue
}

// Error names the values and the remedy.
func (e *ReadBackError) Error() string {
	list := make([]string, len(e.Values))
	for i, v := range e.Values {
		list[i] = fmt.Sprintf("%s of %s reads %s instead of %s", v.Key, v.Connection+v.Adapter+v.Path, OrNothing(v.Actual), OrNothing(v.Wanted))
	}
	return strings.Join(list, "; ") + "; check whether another program writes to the registry, and try again"
}

// OrNothing returns a value in a sentence: "nothing" for one that does not exist.
func OrNothing(v registry.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	return v.String()
}

// valueSlot identifies a value, ignoring case.
type valueSlot struct {
	place registry.Place
	name  string
}

// ReadBack reads the values that Operations stored or deleted, each once, with the value of the last Operation on it.
func ReadBack(g Registry, operations []Operation) (list []WrittenValue, err error) {
	at := map[valueSlot]int{}
	for _, o := range operations {
		values, err := o.Resolve(g)
		if err != nil {
			return nil, err
		}
		for i := range values {
			v := &values[i]
			w := WrittenValue{v.Connection, v.Adapter, v.Path, v.Key, v.Wanted, v.Actual(g.Hive)}
			slot := valueSlot{v.Place, strings.ToLower(v.name())}
			if i, again := at[slot]; again {
				list[i] = w
				continue
			}
			at[slot] = len(list)
			list = append(list, w)
		}
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
