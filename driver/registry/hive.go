package registry

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Place is where the values of a scope are kept: for each port, card, driver family, or once.
type Place struct {
	Scope Scope
	// Index is the port's number, the card's number or the driver family; 0 for the system.
	Index int
}

type slot struct {
	place Place
	name  string // as plain gives it
}

// Hive is the stored values. Its zero value is empty and ready for reading; one goroutine owns it.
type Hive struct {
	values map[slot]Stored
}

// Stored is one value of a hive with its place and name.
type Stored struct {
	Scope Scope  `json:"scope"`
	Index int    `json:"index"`
	Name  string `json:"name"`
	Value Value  `json:"value"`
}

// Get is the value of a key at a place; it does not exist for a key that is absent.
func (h *Hive) Get(at Place, name string) Value { return h.values[slot{at, plain(name)}].Value }

// Of is the value of a key at a place, as Get.
func (h *Hive) Of(at Place, r *Row) Value { return h.values[slot{at, r.folded}].Value }

// Set stores the value of a key at a place.
func (h *Hive) Set(at Place, name string, v Value) {
	if h.values == nil {
		h.values = map[slot]Stored{}
	}
	h.values[slot{at, plain(name)}] = Stored{at.Scope, at.Index, name, v}
}

// Delete removes the value of a key at a place.
func (h *Hive) Delete(at Place, name string) { delete(h.values, slot{at, plain(name)}) }

// Clone is a copy that goes its own way.
func (h *Hive) Clone() *Hive { return &Hive{maps.Clone(h.values)} }

// All are the stored values, by scope, index and name.
func (h *Hive) All() []Stored {
	slots := slices.SortedFunc(maps.Keys(h.values), func(a, b slot) int {
		return cmp.Or(strings.Compare(string(a.place.Scope), string(b.place.Scope)),
			cmp.Compare(a.place.Index, b.place.Index), strings.Compare(a.name, b.name))
	})
	all := make([]Stored, len(slots))
	for i, s := range slots {
		all[i] = h.values[s]
	}
	return all
}

// mostValues is how many values a hive may have.
const mostValues = 100_000

// Load is a hive of values that All gave. It fails when there are too many, or a value does not exist.
func Load(values []Stored) (*Hive, error) {
	if len(values) > mostValues {
		return nil, fmt.Errorf("the registry has more than %d values", mostValues)
	}
	h := &Hive{}
	for _, v := range values {
		if !v.Value.Exists() || len(v.Value.text) > longestText || len(v.Name) > longestText {
			return nil, fmt.Errorf("the registry value %q is damaged", v.Name)
		}
		h.Set(Place{v.Scope, v.Index}, v.Name, v.Value)
	}
	return h, nil
}
