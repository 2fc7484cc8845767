package exec

import (
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// scopeRow is a scope of keys as operators name it.
type scopeRow struct {
	Scope registry.Scope
	Help  string
	// elsewhere is where values are kept that are not in the registry, and what sets them; empty for values in the registry.
	elsewhere string
}

// Scopes returns all scopes, in the order in which keys are listed.
func Scopes() []scopeRow {
	return []scopeRow{
		{registry.Miniport, "of a port", ""},
		{registry.Congestion, "congestion control of a port", ""},
		{registry.BusDevice, "of a card", ""},
		{registry.BusDriver, "of the bus driver", ""},
		{registry.RoCE, "RoCE, of the driver", ""},
		{registry.Diagnostics, "dumps and traces, of the driver", ""},
		{registry.System, "of Windows", ""},
		{registry.Firmware, "of a card, in its firmware", "in the firmware of the card, where mlxconfig shows and sets it"},
		{registry.DriverParameters, "of a running driver", "in the running driver, and mlxtool sets it"},
	}
}

// ScopeElsewhere returns where the value of a key is kept that is not in the registry; empty for one that is, and for no key.
func ScopeElsewhere(r *registry.Row) string {
	for _, s := range Scopes() {
		if r != nil && s.Scope == r.Scope {
			return s.elsewhere
		}
	}
	return ""
}

// orderOf returns the place of a scope in the table of them.
func orderOf(scope registry.Scope) int {
	return slices.IndexFunc(Scopes(), func(s scopeRow) bool { return s.Scope == scope })
}

// KeysElsewhere returns the keys that are not in the registry. Nothing in the lab changes the parameters of a running driver,
// so that it works with their defaults.
func (t *KeyTarget) KeysElsewhere() (keys []registry.Key) {
	for _, r := range registry.Keys(t.Family).List(t.link, registry.Firmware, registry.DriverParameters) {
		least, most := r.Range(t.link)
		k := registry.Key{Row: r, Default: r.Default(t.link), Least: least, Most: most}
		if r.Scope == registry.DriverParameters {
			k.Effective = k.Default
		}
		keys = append(keys, k)
	}
	return keys
}

// keyElsewhere returns one of them by its name. Two may differ in their case alone: what is typed exactly comes first.
func (t *KeyTarget) keyElsewhere(name string) (registry.Key, bool) {
	keys := t.KeysElsewhere()
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range keys {
			if r := keys[i].Row; same(r.Name, name) || same(string(r.Scope)+"/"+r.Name, name) {
				return keys[i], true
			}
		}
	}
	return registry.Key{}, false
}

// Keys returns all keys of a target, by scope and then in the order of the manuals.
func (c *Call) Keys(t KeyTarget) (keys []registry.Key, err error) {
	err = c.Host.Look(c.Ctx, func(h *driver.Host) (err error) {
		if t.Adapter != "" {
			keys, err = h.AdapterKeys(t.Adapter)
		} else {
			keys, err = h.Keys(t.Connection)
		}
		return err
	})
	keys = append(keys, t.KeysElsewhere()...)
	slices.SortStableFunc(keys, func(a, b registry.Key) int { return orderOf(a.Row.Scope) - orderOf(b.Row.Scope) })
	return keys, err
}

// FaultWord returns the operators' name of a fault.
func FaultWord(kind description.FaultKind) string {
	word, _ := kind.MarshalText() // it never fails for a kind of the table
	return string(word)
}

// findFault returns the fault of a word.
func findFault(word string) (description.FaultKind, error) {
	var words []string
	for _, kind := range description.FaultKinds() {
		if strings.EqualFold(FaultWord(kind), word) {
			return kind, nil
		}
		words = append(words, FaultWord(kind))
	}
	return 0, Mistake("there is no fault %q%s", word, Suggest(word, words, "choose from "+strings.Join(words, ", ")))
}
