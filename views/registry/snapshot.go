package registry

import (
	"cmp"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// entry is a key at the place where its value is kept.
type entry struct {
	driver.Key
	// id is unique, and the same in the next snapshot.
	id string
	// connection is the connection of a port's key, adapter the card of one that ports share; one of the two is empty.
	connection, adapter string
	// owner is whose it is, for the operator: "Ethernet 7", "ConnectX-3 Pro", "mlx5 driver", "Windows".
	owner string
	// port is the number of the first of the snapshot's ports that read it; readers are all of them when it has
	// several.
	port    int
	readers []reader
	// changes is how often the journal of the host has it changed and not undone.
	changes int
}

// set is the Operation that stores a value of the key, or deletes it when there is none.
func (e *entry) set(v registry.Value) driver.Operation {
	name := e.Row.Name
	if e.Row.Scope != registry.Miniport {
		name = string(e.Row.Scope) + "/" + name
	}
	if v.Exists() {
		return driver.SetValue{Connection: e.connection, Adapter: e.adapter, Key: name, Value: v.String(), Type: e.Row.OtherType(v)}
	}
	return driver.DeleteValue{Connection: e.connection, Adapter: e.adapter, Key: name}
}

// port is a port with what its driver would make of all stored values.
type port struct {
	connection, adapter string
	description         *description.Port
	family              description.Family
	card                int
	outlook             *registry.Effective
}

// snapshot is all keys of a host at one moment; it never changes.
type snapshot struct {
	entries []entry
	ports   []port
	slots   map[slot]int
	ids     map[string]int
	journal []driver.Entry
	// grades are the grades of the stored values; see judge.
	grades []registry.Grade
	// processors is how many the host has.
	processors int
}

// slot is where a value is kept.
type slot struct {
	place registry.Place
	row   int // in its catalogue
	name  string
}

// connectionScopes are the scopes in which the driver looks for the key of a connection, in this order.
var connectionScopes = [...]registry.Scope{
	registry.Miniport, registry.Congestion, registry.BusDevice, registry.RoCE, registry.BusDriver, registry.Diagnostics,
	registry.System,
}

// read takes a snapshot of a host.
func read(h *driver.Host) (*snapshot, error) {
	s := &snapshot{slots: map[slot]int{}, ids: map[string]int{}, journal: h.Journal()}
	view := h.View()
	s.processors = view.Processors()
	for card := range view.Adapters {
		a := &view.Adapters[card]
		for i := range a.Ports {
			if err := s.readPort(h, a, card, a.Ports[i].Description); err != nil {
				return nil, err
			}
		}
	}
	s.countChanges()
	return s, nil
}

func (s *snapshot) readPort(h *driver.Host, a *driver.AdapterView, card int, d *description.Port) error {
	keys, err := h.Keys(d.Connection)
	if err != nil {
		return err
	}
	outlook, err := h.Registry(d.Connection)
	if err != nil {
		return err
	}
	at := len(s.ports)
	s.ports = append(s.ports, port{
		connection: d.Connection, adapter: a.Description.Name, description: d, family: a.Description.Family, card: card,
		outlook: outlook,
	})
	p := &s.ports[at]
	for _, k := range append(keys, p.keysOutside()...) {
		where := p.slotOf(at, k.Row)
		if known, shared := s.slots[where]; shared {
			s.entries[known].share(at, k)
			continue
		}
		e := p.entry(at, a, k)
		s.slots[where], s.ids[e.id] = len(s.entries), len(s.entries)
		s.entries = append(s.entries, e)
	}
	return nil
}

// share takes up that another port reads the key, too.
func (e *entry) share(port int, k driver.Key) {
	if len(e.readers) == 0 {
		e.readers = []reader{{e.port, e.Row, e.Effective}}
	}
	e.readers = append(e.readers, reader{port, k.Row, k.Effective})
	e.Pending = e.Pending || k.Pending
}

// slotOf is where a port's value of a key is kept.
func (p *port) slotOf(at int, r *registry.Row) slot {
	switch r.Scope {
	case registry.Miniport, registry.Congestion:
		return slot{place: registry.Place{Scope: r.Scope, Index: at}, row: r.Index}
	case registry.BusDevice, registry.Firmware:
		return slot{place: registry.Place{Scope: r.Scope, Index: p.card}, row: r.Index}
	case registry.System: // both families have some of them, in other rows
		return slot{place: registry.Place{Scope: r.Scope}, name: strings.ToLower(r.Name)}
	default:
		return slot{place: registry.Place{Scope: r.Scope, Index: int(p.family)}, row: r.Index}
	}
}

func (p *port) entry(at int, a *driver.AdapterView, k driver.Key) entry {
	e := entry{Key: k, port: at, adapter: p.adapter}
	switch k.Row.Scope {
	case registry.Miniport, registry.Congestion:
		e.connection, e.adapter, e.owner = p.connection, "", p.connection
	case registry.BusDevice, registry.Firmware:
		e.owner = p.adapter
	case registry.System:
		e.owner = "Windows"
	default:
		e.owner = a.Driver + " driver"
	}
	e.id = strings.Join([]string{e.owner, string(k.Row.Scope), k.Row.Name}, "\x00")
	return e
}

// locate finds the entry that an Operation on a value means, -1 for none.
func (s *snapshot) locate(connection, adapter, key string) int {
	for at := range s.ports {
		p := &s.ports[at]
		if connection != "" && p.connection != connection || connection == "" && p.adapter != adapter {
			continue
		}
		r, ok := registry.Keys(p.family).Find(key, connectionScopes[:]...)
		if !ok {
			return -1
		}
		if i, ok := s.slots[p.slotOf(at, r)]; ok {
			return i
		}
		return -1
	}
	return -1
}

// valueOf is the key and the value of an Operation that stores or deletes one; ok is false for any other, and for a key
// that the host does not have.
func (s *snapshot) valueOf(o driver.Operation) (at int, v registry.Value, ok bool) {
	w, ok := o.(driver.Writer)
	if !ok {
		return -1, v, false
	}
	if at = s.locate(w.Writes()); at < 0 {
		return at, v, false
	}
	v, err := w.ValueAfter(s.entries[at].Row)
	return at, v, err == nil
}

// stores says whether the host can do an Operation that stores values, although no entry can show it.
func (s *snapshot) stores(o driver.Operation) bool {
	switch o := o.(type) {
	case driver.StoreValues:
		return true
	case driver.SetValue:
		return s.locate(o.Connection, o.Adapter, o.Key) >= 0
	}
	return false
}

// countChanges counts how often the journal has each key changed and not undone.
func (s *snapshot) countChanges() {
	undone := map[uint64]bool{}
	for i := len(s.journal) - 1; i >= 0; i-- {
		e := &s.journal[i]
		switch {
		case e.Err != "":
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case !undone[e.Sequence]:
			for _, o := range e.Plan.Operations {
				if at, _, ok := s.valueOf(o); ok {
					s.entries[at].changes++
				}
			}
		}
	}
}

// find is the entry with an id, -1 for none.
func (s *snapshot) find(id string) int {
	if i, ok := s.ids[id]; ok {
		return i
	}
	return -1
}

// path is the registry key of an entry; what is not in the registry says so.
func (e *entry) path() string {
	if o, ok := outside[e.Row.Scope]; ok {
		return "not in the registry: " + o.place + ", where " + o.tool
	}
	return cmp.Or(e.Path, "not in the registry")
}
