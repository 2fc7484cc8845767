package registrykey

import (
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
)

// scopeRow is a scope of keys, with its help.
type scopeRow struct {
	Scope registry.Scope
	Help  string
	// elsewhere is the place of values outside the registry, and the tool that sets them; it is empty for the registry.
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

// ScopeElsewhere returns the place of a key's value outside the registry; it is empty for a key in the registry, and for nil.
func ScopeElsewhere(r *registry.Row) string {
	for _, s := range Scopes() {
		if r != nil && s.Scope == r.Scope {
			return s.elsewhere
		}
	}
	return ""
}

// orderOf returns the index of a scope in Scopes.
func orderOf(scope registry.Scope) int {
	return slices.IndexFunc(Scopes(), func(s scopeRow) bool { return s.Scope == scope })
}

// KeysElsewhere returns the keys outside the registry. Nothing in the lab changes the parameters of a running driver, so their
// defaults are in effect.
func (t *Target) KeysElsewhere() (keys []registry.Key) {
	for _, r := range registry.Keys(t.Family).List(t.link, registry.Firmware, registry.DriverParameters) {
		minimum, maximum := r.Range(t.link)
		k := registry.Key{Row: r, Default: r.Default(t.link), Min: minimum, Max: maximum}
		if r.Scope == registry.DriverParameters {
			k.Effective = k.Default
		}
		keys = append(keys, k)
	}
	return keys
}

// keyElsewhere finds a key outside the registry by its name. Two names may differ only in case, so an exact match wins.
func (t *Target) keyElsewhere(name string) (registry.Key, bool) {
	keys := t.KeysElsewhere()
	for _, equal := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range keys {
			if r := keys[i].Row; equal(r.Name, name) || equal(string(r.Scope)+"/"+r.Name, name) {
				return keys[i], true
			}
		}
	}
	return registry.Key{}, false
}

// List returns all keys of a target, sorted by scope and then in the order of the manuals.
func List(c *exec.Call, t Target) (keys []registry.Key, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
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
