package registry

import (
	"fmt"
	"strings"
)

// Location is the place of a value in the registry, with its key.
type Location struct {
	Place Place
	// Row is the key in the catalogue, nil for a value that is not in it; Port is a port whose driver reads it.
	Row  *Row
	Port int
}

// Decode converts a value of the registry to the lab's form.
func (s Location) Decode(number uint32, data []byte) Value {
	if s.Row == nil {
		return DataValue(number, data)
	}
	return s.Row.Decode(number, data)
}

// Encode returns the Windows type number of a value, and its bytes; ok is false for a type that Windows lacks.
func (s Location) Encode(v Value) (number uint32, data []byte, ok bool) {
	if s.Row == nil {
		number, ok = v.Type().Windows()
		return number, v.Data(), ok
	}
	return s.Row.Encode(v)
}

// Canonical converts a value to the lab's form.
func (s Location) Canonical(v Value) Value {
	if s.Row == nil {
		return v
	}
	return s.Row.Canonical(v)
}

// pathIndex finds the places of the registry by their paths.
type pathIndex struct {
	// values are the locations of the catalogue's keys; keys are the places of registry keys that contain other values, too.
	values map[pathAndName]Location
	keys   map[string]Place
}

// pathAndName are a path and a name in lower case, the name without its asterisk.
type pathAndName struct{ path, name string }

// buildPathIndex collects the places of ports, cards, drivers and system, which never change.
func (l *Layout) buildPathIndex() *pathIndex {
	a := &pathIndex{map[pathAndName]Location{}, map[string]Place{}}
	for port := range l.ports {
		rows := l.Catalogue(port).Rows
		for i := range rows {
			r := &rows[i]
			path := strings.ToLower(l.PathOf(port, r))
			if path == "" || !r.Scope.Stored() {
				continue
			}
			at := l.Place(port, r.Scope)
			if r.Scope != System { // single values among many others
				a.keys[path] = at
			}
			if key := (pathAndName{path, foldName(r.Name)}); r.Fits(l.ports[port].Link) {
				if _, known := a.values[key]; !known {
					a.values[key] = Location{at, r, port}
				}
			}
		}
	}
	return a
}

func foldName(name string) string { return strings.ToLower(strings.TrimPrefix(name, "*")) }

// Location returns the location of a value; the path is one that NormalPath returned.
func (l *Layout) Location(path, name string) Location {
	return l.LocationFolded(strings.ToLower(path), path, name)
}

// LocationFolded is Location for a path in lower case, which avoids folding it again.
func (l *Layout) LocationFolded(folded, path, name string) Location {
	a := l.paths()
	if s, ok := a.values[pathAndName{folded, foldName(name)}]; ok {
		return s
	}
	if at, ok := a.keys[folded]; ok {
		return Location{Place: at}
	}
	return Location{Place: Place{Scope: OtherPath, Path: path}}
}

// roots are the top-level keys of the registry, with their short names.
var roots = [...][2]string{
	{"HKEY_LOCAL_MACHINE", "HKLM"}, {"HKEY_CURRENT_USER", "HKCU"}, {"HKEY_CLASSES_ROOT", "HKCR"},
	{"HKEY_USERS", "HKU"}, {"HKEY_CURRENT_CONFIG", "HKCC"},
}

// NormalPath returns a path in the console's form: with the short name of its root, and with CurrentControlSet for the first
// control set, to which it is an alias.
func NormalPath(path string) (string, error) {
	root, rest, _ := strings.Cut(path, `\`)
	for _, names := range roots {
		if !strings.EqualFold(root, names[0]) && !strings.EqualFold(root, names[1]) {
			continue
		}
		const current = `SYSTEM\CurrentControlSet`
		for _, set := range []string{`SYSTEM\ControlSet001`, current} {
			if below, ok := BelowPath(rest, set); ok && names[1] == "HKLM" {
				rest = current + below
				break
			}
		}
		return strings.TrimSuffix(names[1]+`\`+rest, `\`), nil
	}
	return "", fmt.Errorf("invalid registry path %.80q; it must begin with HKEY_LOCAL_MACHINE or HKLM", path)
}

// BelowPath returns the part of a path below a registry key, with its backslash, and empty for the key itself; ok is false
// for a path elsewhere.
func BelowPath(path, key string) (below string, ok bool) {
	if len(path) < len(key) || !strings.EqualFold(path[:len(key)], key) {
		return "", false
	}
	below = path[len(key):]
	return below, below == "" || below[0] == '\\'
}

// FullPath returns a path in regedit's form, with the full name of its root.
func FullPath(path string) string {
	root, rest, below := strings.Cut(path, `\`)
	for _, names := range roots {
		if root == names[1] {
			root = names[0]
		}
	}
	if !below {
		return root
	}
	return root + `\` + rest
}
