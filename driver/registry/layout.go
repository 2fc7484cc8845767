package registry

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// Layout has the registry places of a host's ports, cards, drivers and system. It depends only on the description of the lab
// and never changes. Ports and cards have their numbers in device.Lab.
type Layout struct {
	lab   *description.Description
	ports []portPlace
	paths func() *pathIndex
}

type portPlace struct {
	*description.Port
	card   int
	family description.Family
}

// NewLayout returns the layout of a host with the adapters of a lab.
func NewLayout(lab *description.Description) *Layout {
	l := &Layout{lab: lab}
	for card := range lab.Adapters {
		a := &lab.Adapters[card]
		for i := range a.Ports {
			l.ports = append(l.ports, portPlace{&a.Ports[i], card, a.Family})
		}
	}
	l.paths = sync.OnceValue(l.buildPathIndex)
	return l
}

// Lab returns the description of the lab.
func (l *Layout) Lab() *description.Description { return l.lab }

// Ports returns the number of ports.
func (l *Layout) Ports() int { return len(l.ports) }

// Port returns the number of a connection; an error is a *request.UnknownConnectionError.
func (l *Layout) Port(connection string) (int, error) {
	port := slices.IndexFunc(l.ports, func(p portPlace) bool { return p.Connection == connection })
	if port < 0 {
		return 0, &request.UnknownConnectionError{Connection: connection}
	}
	return port, nil
}

// Adapter returns the number of a card; an error is a *request.UnknownAdapterError.
func (l *Layout) Adapter(name string) (int, error) {
	for i := range l.lab.Adapters {
		if l.lab.Adapters[i].Name == name {
			return i, nil
		}
	}
	return 0, &request.UnknownAdapterError{Adapter: name}
}

// Description returns the description of a port.
func (l *Layout) Description(port int) *description.Port { return l.ports[port].Port }

// Card returns the description of the card of a port.
func (l *Layout) Card(port int) *description.Adapter { return &l.lab.Adapters[l.ports[port].card] }

// FirstPort returns the first port of a card; every card has one.
func (l *Layout) FirstPort(card int) int {
	return slices.IndexFunc(l.ports, func(p portPlace) bool { return p.card == card })
}

// HasClass reports whether a port has the class key with an index.
func (l *Layout) HasClass(index string) bool {
	return slices.ContainsFunc(l.ports, func(p portPlace) bool { return strings.EqualFold(p.Class, index) })
}

// Catalogue returns the keys of the driver of a port.
func (l *Layout) Catalogue(port int) *Catalogue { return Keys(l.ports[port].family) }

// Place returns the place of the keys of a scope for a port.
func (l *Layout) Place(port int, scope Scope) Place {
	p := &l.ports[port]
	switch scope {
	case Miniport, Congestion:
		return Place{Scope: scope, Index: port}
	case BusDevice:
		return Place{Scope: scope, Index: p.card}
	case System:
		return Place{Scope: scope}
	default:
		return Place{Scope: scope, Index: int(p.family)}
	}
}

// BusClass returns the index of the class key of a card's bus device: the described one, else it starts at 0073, the manuals' example.
func (l *Layout) BusClass(card int) string {
	if described := l.lab.Adapters[card].BusClass; described != "" {
		return described
	}
	index := 73
	for i := range l.lab.Adapters[:card] {
		if l.lab.Adapters[i].Family == description.WinOF {
			index++
		}
	}
	return fmt.Sprintf("%04d", index)
}

// Path returns the registry key of a stored value; empty for settings outside the registry.
func (l *Layout) Path(v *Stored) string {
	if v.Scope == OtherPath {
		return v.Path
	}
	for port := range l.ports {
		p := &l.ports[port]
		if l.Place(port, v.Scope) != v.Place() {
			continue
		}
		r, known := l.Catalogue(port).Find(v.Name, v.Scope)
		switch {
		case !known && v.Scope == System:
			continue
		case !known:
			r = &Row{Family: p.family, Scope: v.Scope, KeyPath: l.keyPath(port, v.Scope)}
		}
		return l.PathOf(port, r)
	}
	return ""
}

// PathOf returns the registry key that contains a key of a port; empty for settings outside the registry.
func (l *Layout) PathOf(port int, r *Row) string {
	if r.Scope == BusDevice {
		return r.Path(l.BusClass(l.ports[port].card))
	}
	return r.Path(l.ports[port].Class)
}

// keyPath returns the registry key of a scope whose rows give it.
func (l *Layout) keyPath(port int, scope Scope) string {
	rows := l.Catalogue(port).Rows
	for i := range rows {
		if rows[i].Scope == scope {
			return rows[i].KeyPath
		}
	}
	return ""
}

// ConnectionScopes returns the scopes of the keys of a connection, in the order of a search.
func ConnectionScopes() []Scope {
	return []Scope{Miniport, Congestion, BusDevice, RoCE, BusDriver, Diagnostics, System}
}

// AdapterScopes returns the scopes of the keys that the ports of a card share, in the order of a search.
func AdapterScopes() []Scope { return ConnectionScopes()[2:] }

// Find returns the key with a name, and its port or the first port of the card whose ports share it: connection or adapter is
// empty. It ignores case and the asterisk at the front; "bus-driver/LogNumQP" also names the scope. It returns an
// *UnknownKeyError, with the nearest name, for an unknown key.
func (l *Layout) Find(connection, adapter, name string) (port int, r *Row, err error) {
	target, scopes := connection, ConnectionScopes()
	if connection != "" && adapter != "" {
		return 0, nil, fmt.Errorf("name either a connection or an adapter, not both")
	}
	if connection == "" {
		card, err := l.Adapter(adapter)
		if err != nil {
			return 0, nil, err
		}
		port, target, scopes = l.FirstPort(card), adapter, AdapterScopes()
	} else if port, err = l.Port(connection); err != nil {
		return 0, nil, err
	}
	link, catalogue := l.ports[port].Link, l.Catalogue(port)
	if r, ok := catalogue.Find(name, scopes...); ok && r.Fits(link) {
		return port, r, nil
	}
	if r, ok := catalogue.Find(name, ConnectionScopes()...); ok && connection == "" {
		return 0, nil, fmt.Errorf("%s belongs to a connection; name one of %s instead of the card", r.Name, adapter)
	}
	nearest := catalogue.Nearest(name, scopes...)
	if r, ok := catalogue.Find(nearest, scopes...); ok && !r.Fits(link) {
		nearest = "" // only ports of the other link type have it
	}
	return 0, nil, &UnknownKeyError{Target: target, Key: name, Nearest: nearest}
}

// UnknownKeyError is a key that a connection or card does not have.
type UnknownKeyError struct {
	Target, Key string
	// Nearest is the name that was probably meant; empty when no name is similar.
	Nearest string
}

// Error names it and the remedy.
func (e *UnknownKeyError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("%s has no key %q; did you mean %s?", e.Target, request.Word(e.Key), e.Nearest)
	}
	return fmt.Sprintf("%s has no key %q; reg list lists its keys", e.Target, request.Word(e.Key))
}

// NamesOf returns the names of a port's key in an Operation: with the connection for the port's own key, else with the card.
func (l *Layout) NamesOf(port int, r *Row) (connection, adapter, key string) {
	if r.Scope == Miniport {
		return l.ports[port].Connection, "", r.Name
	}
	return "", l.Card(port).Name, string(r.Scope) + "/" + r.Name
}

// Owner returns the owner of a port's keys of a scope: a connection, a card, a driver ("mlx5") or the host.
func (l *Layout) Owner(port int, scope Scope) string {
	p := &l.ports[port]
	switch scope {
	case Miniport, Congestion:
		return p.Connection
	case BusDevice:
		return l.lab.Adapters[p.card].Name
	case System:
		return l.lab.Host.Name
	default:
		return p.family.Driver()
	}
}
