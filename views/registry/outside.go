package registry

import (
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// outside says where the values are kept that are not in the registry, and what sets them: such keys can be read about,
// and not edited.
var outside = map[registry.Scope]struct{ place, tool string }{
	registry.Firmware:         {"in the firmware of the card", "mlxconfig sets it"},
	registry.DriverParameters: {"in the running driver", "mlxtool sets it"},
}

// outsideScopes are the scopes of such keys.
var outsideScopes = [...]registry.Scope{registry.Firmware, registry.DriverParameters}

// allScopes are the scopes of all keys shown: first connectionScopes, then outsideScopes.
var allScopes = [...]registry.Scope{
	registry.Miniport, registry.Congestion, registry.BusDevice, registry.RoCE, registry.BusDriver, registry.Diagnostics,
	registry.System, registry.Firmware, registry.DriverParameters,
}

// cannotStore is why no value of the key can be stored, empty for a key of the registry.
func (e *entry) cannotStore() string {
	o, ok := outside[e.Row.Scope]
	if !ok {
		return ""
	}
	return e.Row.Name + " is " + o.place + ", where " + o.tool
}

// keysOutside are the keys of a port that are not in the registry.
func (p *port) keysOutside() (list []driver.Key) {
	for _, r := range registry.Keys(p.family).List(p.description.Link, outsideScopes[:]...) {
		least, most := r.Range(p.description.Link)
		k := driver.Key{Row: r, Default: r.Default(p.description.Link), Least: least, Most: most}
		if r.Scope == registry.DriverParameters { // nothing in the lab changes them
			k.Effective = k.Default
		}
		list = append(list, k)
	}
	return list
}
