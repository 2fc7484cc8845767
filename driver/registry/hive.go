package registry

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Place is the location of a scope's values: for each port, card or driver family, or once.
type Place struct {
	Scope Scope
	// Index is the port's number, the card's number or the driver family; 0 for the system.
	Index int
	// Path is the registry key of a value that has the scope Elsewhere: "HKLM\\SOFTWARE\\Vendor"; empty for all others.
	Path string
}

type slot struct {
	place Place
	name  string // as lookupName returns it
}

// slotOf returns the slot of a value: paths and names are folded to lower case, and the asterisk of a name is removed where the
// catalogue has keys.
func slotOf(at Place, name string) slot {
	if at.Scope == OtherPath {
		at.Path = strings.ToLower(at.Path)
		return slot{at, strings.ToLower(name)}
	}
	return slot{at, lookupName(name)}
}

// Hive holds the stored values. Its zero value is empty and ready to use; one goroutine owns it.
type Hive struct {
	values map[slot]Stored
	// size is the length of all values in bytes.
	size int
}

// Stored is one value of a hive with its place and name.
type Stored struct {
	Scope Scope  `json:"scope"`
	Index int    `json:"index"`
	Path  string `json:"path,omitempty"`
	Name  string `json:"name"`
	Value Value  `json:"value"`
}

// size returns its length in bytes; 0 for a value that does not exist.
func (s Stored) size() int { return len(s.Path) + len(s.Name) + len(s.Value.text) }

// Place returns its location.
func (s *Stored) Place() Place { return Place{s.Scope, s.Index, s.Path} }

// Get returns the value of a key at a place; it does not exist for a key that is absent.
func (h *Hive) Get(at Place, name string) Value { return h.values[slotOf(at, name)].Value }

// GetRow is Get for a row of the catalogue.
func (h *Hive) GetRow(at Place, r *Row) Value { return h.values[slot{at, r.folded}].Value }

// Set stores the value of a key at a place.
func (h *Hive) Set(at Place, name string, v Value) {
	if h.values == nil {
		h.values = map[slot]Stored{}
	}
	to := slotOf(at, name)
	stored := Stored{at.Scope, at.Index, at.Path, name, v}
	h.size += stored.size() - h.values[to].size()
	h.values[to] = stored
}

// Delete removes the value of a key at a place.
func (h *Hive) Delete(at Place, name string) {
	from := slotOf(at, name)
	h.size -= h.values[from].size()
	delete(h.values, from)
}

// Clone returns an independent copy.
func (h *Hive) Clone() *Hive { return &Hive{maps.Clone(h.values), h.size} }

// All returns the stored values, by scope, index and name.
func (h *Hive) All() []Stored {
	slots := slices.SortedFunc(maps.Keys(h.values), func(a, b slot) int {
		return cmp.Or(strings.Compare(string(a.place.Scope), string(b.place.Scope)),
			cmp.Compare(a.place.Index, b.place.Index), strings.Compare(a.place.Path, b.place.Path), strings.Compare(a.name, b.name))
	})
	all := make([]Stored, len(slots))
	for i, s := range slots {
		all[i] = h.values[s]
	}
	return all
}

// Limits of a hive: the number of values and their bytes together, and the bytes of one value from a file.
const (
	maxValues   = 250_000
	maxBytes    = 32 << 20
	maxDataSize = 16 << 10
)

// Len returns the number of values.
func (h *Hive) Len() int { return len(h.values) }

// Fits returns why a hive that has some values can't take one more; nil when it can.
func (h *Hive) Fits(name string, v Value) error {
	switch {
	case len(h.values) >= maxValues:
		return fmt.Errorf("the registry of the lab has %d values, the maximum", maxValues)
	case h.size+len(name)+len(v.text) > maxBytes:
		return fmt.Errorf("the registry of the lab has %d MB, the maximum", maxBytes>>20)
	case len(v.text) > maxDataSize:
		return fmt.Errorf("the registry of the lab takes values of at most %d bytes, and %.80q has more", maxDataSize, name)
	case len(name) > maxTextSize:
		return fmt.Errorf("the name %.40q of a value is longer than %d bytes", name, maxTextSize)
	}
	return nil
}

// Load returns a hive of the values that All returned. It fails when there are too many, or a value does not exist.
func Load(values []Stored) (*Hive, error) {
	if len(values) > maxValues {
		return nil, fmt.Errorf("the registry has more than %d values", maxValues)
	}
	h := &Hive{values: make(map[slot]Stored, len(values))}
	for _, v := range values {
		if !v.Value.Exists() || len(v.Value.text) > maxDataSize || len(v.Name) > maxTextSize || len(v.Path) > maxTextSize {
			return nil, fmt.Errorf("the registry value %.80q is damaged", v.Name)
		}
		h.Set(v.Place(), v.Name, v.Value)
	}
	if h.size > maxBytes {
		return nil, fmt.Errorf("the registry has more than %d MB", maxBytes>>20)
	}
	return h, nil
}
