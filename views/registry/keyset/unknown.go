package keyset

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// unknownGroup is the group of stored values that no driver reads.
const unknownGroup = "Unknown"

// maxUnknown is the maximum number of such values that are shown. A registry file may have many more.
const maxUnknown = 2000

// IsUnknown reports whether no driver of the host reads the value: it was imported, or exported from a real host.
func (e *Entry) IsUnknown() bool { return e.Row.Scope == registry.OtherPath }

// addUnknown adds the stored values that no driver reads, so that nothing of a registry is hidden. They have no effect and can't be edited.
func (s *Snapshot) addUnknown(h *driver.Host) {
	if len(s.Ports) == 0 {
		return
	}
	list := h.UnknownValues()
	group := unknownGroup
	if len(list) > maxUnknown {
		group = fmt.Sprintf("%s (%d of %d)", unknownGroup, maxUnknown, len(list))
		list = list[:maxUnknown]
	}
	for i := range list {
		u := &list[i]
		name := u.Name
		if name == "" {
			name = "(Default)"
		}
		e := Entry{Owner: unknownGroup, ID: strings.ToLower(strings.Join([]string{unknownGroup, u.Path, u.Name}, "\x00"))}
		e.Row = &registry.Row{Name: name, Index: -1, Scope: registry.OtherPath, Group: group, Type: u.Value.Type(), Stride: 1,
			Summary: "Unknown: " + u.Why + ". The value is kept and exported as it is."}
		e.Path, e.Stored = u.Path, u.Value
		for at := range s.Ports {
			p := &s.Ports[at]
			switch {
			case u.Place.Scope == registry.Miniport && u.Place.Index == at:
				e.Port, e.Connection, e.Owner = at, p.Connection, p.Connection
			case u.Place.Scope == registry.BusDevice && u.Place.Index == p.card && e.Owner == unknownGroup:
				e.Port, e.Adapter, e.Owner = at, p.Adapter, p.Adapter
			}
		}
		if _, taken := s.IDs[e.ID]; taken {
			continue
		}
		s.IDs[e.ID] = len(s.Entries)
		s.Entries = append(s.Entries, e)
	}
}

// unknownPath returns the labels of the tree of adapters: below the port or the card, or below a branch of its own.
func (e *Entry) unknownPath(p *Port) []string {
	switch {
	case e.Connection != "":
		return []string{p.Adapter, p.Connection, e.Row.Group}
	case e.Adapter != "":
		return []string{p.Adapter, scopeWords[registry.BusDevice], e.Row.Group}
	}
	return []string{e.Row.Group}
}
