package keyset

import (
	"cxdeck/driver/registry"
)

// outside lists the places of values outside the registry, and the tools that set them. Such keys are shown, but can't be
// edited.
var outside = map[registry.Scope]struct{ place, tool string }{
	registry.Firmware:         {"in the firmware of the card", "mlxconfig sets it"},
	registry.DriverParameters: {"in the running driver", "mlxtool sets it"},
}

// outsideScopes are the scopes of such keys.
var outsideScopes = [...]registry.Scope{registry.Firmware, registry.DriverParameters}

// AllScopes returns the scopes of all keys shown.
func AllScopes() []registry.Scope { return append(registry.ConnectionScopes(), outsideScopes[:]...) }

// CannotStore returns why no value of the key can be stored; empty for a key of the registry.
func (e *Entry) CannotStore() string {
	if e.IsUnknown() {
		return e.Row.Name + " is unknown to the drivers; i imports a .reg file that changes it"
	}
	o, ok := outside[e.Row.Scope]
	if !ok {
		return ""
	}
	return e.Row.Name + " is " + o.place + ", where " + o.tool
}

// keysOutside returns the keys of a port that are not in the registry.
func (p *Port) keysOutside() (list []registry.Key) {
	for _, r := range registry.Keys(p.Family).List(p.Description.Link, outsideScopes[:]...) {
		minimum, maximum := r.Range(p.Description.Link)
		k := registry.Key{Row: r, Default: r.Default(p.Description.Link), Min: minimum, Max: maximum}
		if r.Scope == registry.DriverParameters { // nothing in the lab changes them
			k.Effective = k.Default
		}
		list = append(list, k)
	}
	return list
}
