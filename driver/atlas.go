package driver

import (
	"fmt"
	"strings"

	"cxdeck/driver/registry"
)

// spot is where a value of the registry belongs.
type spot struct {
	place registry.Place
	// row is the key of the catalogue, nil for a value that it does not have; port is one whose driver reads it.
	row  *registry.Row
	port int
}

// decode is a value from the registry, as the lab keeps it there.
func (s spot) decode(number uint32, data []byte) registry.Value {
	if s.row == nil {
		return registry.DataValue(number, data)
	}
	return s.row.Decode(number, data)
}

// encode is the type of a value as Windows numbers it, and its bytes; ok is false for a type that Windows has not.
func (s spot) encode(v registry.Value) (number uint32, data []byte, ok bool) {
	if s.row == nil {
		number, ok = v.Type().Windows()
		return number, v.Data(), ok
	}
	return s.row.Encode(v)
}

// own is a value as the lab keeps it there.
func (s spot) own(v registry.Value) registry.Value {
	if s.row == nil {
		return v
	}
	return s.row.Own(v)
}

// atlas tells the places of the registry by their paths. It never changes.
type atlas struct {
	// values are the spots of the catalogue's keys, by path and name; keys are the places where whatever stands is kept
	// with them.
	values map[slot]spot
	keys   map[string]registry.Place
}

// atlas holds the places of the host's ports, cards, drivers and system. It is built once: none of them comes or goes.
func (h *Host) atlas() *atlas {
	if h.places == nil {
		h.places = h.buildAtlas()
	}
	return h.places
}

func (h *Host) buildAtlas() *atlas {
	a := &atlas{map[slot]spot{}, map[string]registry.Place{}}
	for port := range h.miniports {
		d, card, _ := h.lab.Port(port)
		bus := h.busClass(card)
		rows := h.catalogue(port).Rows
		for i := range rows {
			r := &rows[i]
			nn := d.Class
			if r.Scope == registry.BusDevice {
				nn = bus
			}
			path := strings.ToLower(r.Path(nn))
			if path == "" || !r.Scope.Stored() {
				continue
			}
			at := h.place(port, r.Scope)
			if r.Scope != registry.System { // those are single values among many of others
				a.keys[path] = at
			}
			if slot := valueAt(path, r.Name); r.Fits(d.Link) {
				if _, known := a.values[slot]; !known {
					a.values[slot] = spot{at, r, port}
				}
			}
		}
	}
	return a
}

// slot tells values of the registry apart, as the hive does: a path and a name in lower case.
type slot struct{ path, name string }

// valueAt is the slot of a value where the catalogue's keys are, which are found without their asterisk; the path is in
// lower case.
func valueAt(path, name string) slot {
	return slot{path, strings.ToLower(strings.TrimPrefix(name, "*"))}
}

// find is where a value belongs; the path is one that registryPath gave.
func (a *atlas) find(path, name string) spot { return a.findFolded(strings.ToLower(path), path, name) }

// findFolded is find for a path that was brought to lower case.
func (a *atlas) findFolded(folded, path, name string) spot {
	if s, ok := a.values[valueAt(folded, name)]; ok {
		return s
	}
	if at, ok := a.keys[folded]; ok {
		return spot{place: at}
	}
	return spot{place: registry.Place{Scope: registry.Elsewhere, Path: path}}
}

// path is the registry key of a stored value; it is empty for what the registry does not keep.
func (h *Host) path(v *registry.Stored) string {
	if v.Scope == registry.Elsewhere {
		return v.Path
	}
	for port := range h.miniports {
		if h.place(port, v.Scope) != v.Place() {
			continue
		}
		d, card, _ := h.lab.Port(port)
		switch r, known := h.catalogue(port).Find(v.Name, v.Scope); {
		case known && v.Scope == registry.BusDevice:
			return r.Path(h.busClass(card))
		case known:
			return r.Path(d.Class)
		case v.Scope == registry.BusDevice:
			return (&registry.Row{Family: h.family(port), Scope: v.Scope}).Path(h.busClass(card))
		case v.Scope != registry.System:
			return (&registry.Row{Family: h.family(port), Scope: v.Scope, KeyPath: h.keyPath(port, v.Scope)}).Path(d.Class)
		}
	}
	return ""
}

// keyPath is the path of the keys of a scope that name their own.
func (h *Host) keyPath(port int, scope registry.Scope) string {
	for i := range h.catalogue(port).Rows {
		if r := &h.catalogue(port).Rows[i]; r.Scope == scope {
			return r.KeyPath
		}
	}
	return ""
}

// registryRoots are the keys at the top of the registry, with the names that the console shows them by.
var registryRoots = [...][2]string{
	{"HKEY_LOCAL_MACHINE", "HKLM"}, {"HKEY_CURRENT_USER", "HKCU"}, {"HKEY_CLASSES_ROOT", "HKCR"},
	{"HKEY_USERS", "HKU"}, {"HKEY_CURRENT_CONFIG", "HKCC"},
}

// registryPath is a path as the console has it: with a short name of its root, and with CurrentControlSet for the first
// control set, which it stands for.
func registryPath(path string) (string, error) {
	root, rest, _ := strings.Cut(path, `\`)
	for _, names := range registryRoots {
		if !strings.EqualFold(root, names[0]) && !strings.EqualFold(root, names[1]) {
			continue
		}
		const current = `SYSTEM\CurrentControlSet`
		for _, set := range []string{`SYSTEM\ControlSet001`, current} {
			if below, ok := cutFold(rest, set); ok && names[1] == "HKLM" && (below == "" || below[0] == '\\') {
				rest = current + below
				break
			}
		}
		return strings.TrimSuffix(names[1]+`\`+rest, `\`), nil
	}
	return "", fmt.Errorf("%.80q is no path of the registry; one begins with HKEY_LOCAL_MACHINE or HKLM", path)
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}

// fullPath is a path as regedit has it.
func fullPath(path string) string {
	root, rest, below := strings.Cut(path, `\`)
	for _, names := range registryRoots {
		if root == names[1] {
			root = names[0]
		}
	}
	if !below {
		return root
	}
	return root + `\` + rest
}
