package keyset

import (
	"cmp"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// Entry is a key of a connection, a card, a driver or Windows.
type Entry struct {
	registry.Key
	// ID is unique, and equal in all snapshots.
	ID string
	// Connection is set for a key of a port, Adapter for a shared key.
	Connection, Adapter string
	// Owner names the owner for the operator: "Ethernet 7", "ConnectX-3 Pro", "mlx5 driver", "Windows".
	Owner string
	// Port is the index of the first port that reads the key; Readers lists all ports if there are several.
	Port    int
	Readers []Reader
	// Changes is the number of its changes in the journal that were not undone.
	Changes int
}

// set returns the Operation that stores a value of the key, or deletes the value if v does not exist.
func (e *Entry) set(v registry.Value) driver.Operation {
	name := e.Row.Name
	if e.Row.Scope != registry.Miniport {
		name = string(e.Row.Scope) + "/" + name
	}
	if v.Exists() {
		return edit.SetValue{Connection: e.Connection, Adapter: e.Adapter, Key: name, Value: v.String(), Type: e.Row.OtherType(v)}
	}
	return edit.DeleteValue{Connection: e.Connection, Adapter: e.Adapter, Key: name}
}

// Port is a port, with the values that its driver would use after a restart in Outlook.
type Port struct {
	Connection, Adapter string
	Description         *description.Port
	Family              description.Family
	card                int
	Outlook             *registry.Effective
}

// Snapshot holds all keys of a host at one moment; it never changes.
type Snapshot struct {
	Entries []Entry
	Ports   []Port
	Slots   map[Slot]int
	IDs     map[string]int
	Journal []driver.Entry
	// Grades holds the grades of the stored values; see Judge.
	Grades []registry.Grade
	// Processors is the number of the host's processors.
	Processors int
}

// Slot identifies the place of a value.
type Slot struct {
	place registry.Place
	row   int // in its catalogue
	name  string
}

// Read takes a snapshot of a host.
func Read(h *driver.Host) (*Snapshot, error) {
	s := &Snapshot{Slots: map[Slot]int{}, IDs: map[string]int{}, Journal: h.Journal()}
	view := h.View()
	s.Processors = view.Processors()
	for card := range view.Adapters {
		a := &view.Adapters[card]
		for i := range a.Ports {
			if err := s.readPort(h, a, card, a.Ports[i].Description); err != nil {
				return nil, err
			}
		}
	}
	s.addUnknown(h)
	s.countChanges()
	return s, nil
}

func (s *Snapshot) readPort(h *driver.Host, a *driver.AdapterView, card int, d *description.Port) error {
	keys, err := h.Keys(d.Connection)
	if err != nil {
		return err
	}
	outlook, err := h.Registry(d.Connection)
	if err != nil {
		return err
	}
	at := len(s.Ports)
	s.Ports = append(s.Ports, Port{
		Connection: d.Connection, Adapter: a.Description.Name, Description: d, Family: a.Description.Family, card: card,
		Outlook: outlook,
	})
	p := &s.Ports[at]
	for _, k := range append(keys, p.keysOutside()...) {
		where := p.SlotOf(at, k.Row)
		if known, shared := s.Slots[where]; shared {
			s.Entries[known].share(at, k)
			continue
		}
		e := p.entry(at, a, k)
		s.Slots[where], s.IDs[e.ID] = len(s.Entries), len(s.Entries)
		s.Entries = append(s.Entries, e)
	}
	return nil
}

// share adds another port that reads the key.
func (e *Entry) share(port int, k registry.Key) {
	if len(e.Readers) == 0 {
		e.Readers = []Reader{{e.Port, e.Row, e.Effective}}
	}
	e.Readers = append(e.Readers, Reader{port, k.Row, k.Effective})
	e.Pending = e.Pending || k.Pending
}

// SlotOf returns the slot of a port's value of a key.
func (p *Port) SlotOf(at int, r *registry.Row) Slot {
	switch r.Scope {
	case registry.Miniport, registry.Congestion:
		return Slot{place: registry.Place{Scope: r.Scope, Index: at}, row: r.Index}
	case registry.BusDevice, registry.Firmware:
		return Slot{place: registry.Place{Scope: r.Scope, Index: p.card}, row: r.Index}
	case registry.System: // both families have some of them, in other rows
		return Slot{place: registry.Place{Scope: r.Scope}, name: strings.ToLower(r.Name)}
	default:
		return Slot{place: registry.Place{Scope: r.Scope, Index: int(p.Family)}, row: r.Index}
	}
}

func (p *Port) entry(at int, a *driver.AdapterView, k registry.Key) Entry {
	e := Entry{Key: k, Port: at, Adapter: p.Adapter}
	switch k.Row.Scope {
	case registry.Miniport, registry.Congestion:
		e.Connection, e.Adapter, e.Owner = p.Connection, "", p.Connection
	case registry.BusDevice, registry.Firmware:
		e.Owner = p.Adapter
	case registry.System:
		e.Owner = "Windows"
	default:
		e.Owner = a.Driver + " driver"
	}
	e.ID = strings.Join([]string{e.Owner, string(k.Row.Scope), k.Row.Name}, "\x00")
	return e
}

// Locate finds the entry of a key, by the parameters of an Operation; -1 for none.
func (s *Snapshot) Locate(connection, adapter, key string) int {
	for at := range s.Ports {
		p := &s.Ports[at]
		if connection != "" && p.Connection != connection || connection == "" && p.Adapter != adapter {
			continue
		}
		r, ok := registry.Keys(p.Family).Find(key, registry.ConnectionScopes()...)
		if !ok {
			return -1
		}
		if i, ok := s.Slots[p.SlotOf(at, r)]; ok {
			return i
		}
		return -1
	}
	return -1
}

// ValueOf returns the entry and the value of an Operation that stores or deletes a value; ok is false for other Operations,
// and for a key that the host does not have.
func (s *Snapshot) ValueOf(o driver.Operation) (at int, v registry.Value, ok bool) {
	w, ok := o.(edit.Writer)
	if !ok {
		return -1, v, false
	}
	if at = s.Locate(w.Writes()); at < 0 {
		return at, v, false
	}
	v, err := w.ValueAfter(s.Entries[at].Row)
	return at, v, err == nil
}

// stores reports whether an Operation stores values, although no entry can show them.
func (s *Snapshot) stores(o driver.Operation) bool {
	if w, ok := o.(edit.Writer); ok {
		return s.Locate(w.Writes()) >= 0
	}
	_, ok := o.(edit.StoreValues)
	return ok
}

// countChanges counts the changes of each key in the journal that were not undone.
func (s *Snapshot) countChanges() {
	undone := map[uint64]bool{}
	for i := len(s.Journal) - 1; i >= 0; i-- {
		e := &s.Journal[i]
		switch {
		case e.Err != "":
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case !undone[e.Sequence]:
			for _, o := range e.Plan.Operations {
				if at, _, ok := s.ValueOf(o); ok {
					s.Entries[at].Changes++
				}
			}
		}
	}
}

// Find returns the entry with an id, -1 for none.
func (s *Snapshot) Find(id string) int {
	if i, ok := s.IDs[id]; ok {
		return i
	}
	return -1
}

// Place returns the registry path of an entry, or a text for a key that is not in the registry.
func (e *Entry) Place() string {
	if o, ok := outside[e.Row.Scope]; ok {
		return "not in the registry: " + o.place + ", where " + o.tool
	}
	return cmp.Or(e.Path, "not in the registry")
}
