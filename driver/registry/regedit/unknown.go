package regedit

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// StoredUnknown is a stored value that no driver of the host reads.
type StoredUnknown struct {
	// Path is the registry key in the console's form.
	Path, Name string
	Value      registry.Value
	// Place is the place of a port, a card or a driver; its scope is registry.OtherPath for any other registry key.
	Place registry.Place
	// Why is the reason: "the driver has no such key".
	Why string
}

// Unknown returns the stored values that no driver of a host reads, by path and name. It omits the values that Windows writes when it installs an
// adapter.
func Unknown(g edit.Registry) (list []StoredUnknown) {
	for _, v := range g.All() {
		path := g.Path(&v)
		if path == "" {
			continue
		}
		w := wantedValue{Location: g.Location(path, v.Name), path: path, name: v.Name}
		if w.Row == nil && !w.isInstalled(g) {
			list = append(list, StoredUnknown{Path: path, Name: v.Name, Value: v.Value, Place: w.Place, Why: w.unknown()})
		}
	}
	slices.SortFunc(list, func(a, b StoredUnknown) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Path), strings.ToLower(b.Path)), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return list
}
