package registry

import (
	"reflect"
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// draft is the edits that wait for a review. They are kept as they were typed, by the ids of their entries, so that
// they outlive a snapshot.
type draft struct {
	edits []edit
	at    map[string]int // by id
	// others are changes that no entry of the screen can show: values of keys that nobody knows, or of another type
	// than their key has, as a file brought them. They stay as they are, are reviewed and applied with the rest.
	others []driver.Operation
}

// edit is one value that is to be stored, or deleted when it does not exist.
type edit struct {
	id    string
	value registry.Value
}

// len is how many changes there are.
func (d *draft) len() int { return len(d.edits) + len(d.others) }

// editOf is the edit of an entry.
func (d *draft) editOf(id string) (registry.Value, bool) {
	if i, ok := d.at[id]; ok {
		return d.edits[i].value, true
	}
	return registry.Value{}, false
}

// set puts an edit in the draft; one that changes nothing takes it out.
func (d *draft) set(e *entry, v registry.Value) {
	if v == e.Stored {
		d.drop(e.id)
		return
	}
	if i, ok := d.at[e.id]; ok {
		d.edits[i].value = v
		return
	}
	d.edits = append(d.edits, edit{e.id, v})
	d.index()
}

// drop takes the edit of an entry out; it says whether there was one.
func (d *draft) drop(id string) bool {
	i, ok := d.at[id]
	if ok {
		d.edits = slices.Delete(d.edits, i, i+1)
		d.index()
	}
	return ok
}

// clear empties the draft.
func (d *draft) clear() { *d = draft{} }

func (d *draft) index() {
	d.at = make(map[string]int, len(d.edits))
	for i := range d.edits {
		d.at[d.edits[i].id] = i
	}
}

// reconcile takes out what a new snapshot has stored already, or no longer has.
func (d *draft) reconcile(s *snapshot) {
	before := len(d.edits)
	d.edits = slices.DeleteFunc(d.edits, func(e edit) bool {
		i := s.find(e.id)
		return i < 0 || s.entries[i].Stored == e.value
	})
	if len(d.edits) != before {
		d.index()
	}
}

// operations are what the edits come to, in the order in which they were made.
func (d *draft) operations(s *snapshot) (list []driver.Operation) {
	for i := range d.edits {
		if at := s.find(d.edits[i].id); at >= 0 {
			list = append(list, s.entries[at].set(d.edits[i].value))
		}
	}
	return append(list, d.others...)
}

// addOperations puts the values of Operations in the draft, unchanged when no entry can show them. It says how many it could
// not: edits of keys that the host does not have, and edits that are not values.
func (d *draft) addOperations(s *snapshot, operations []driver.Operation) (left int) {
	for _, o := range operations {
		at, v, ok := s.valueOf(o)
		switch {
		case ok:
			d.set(&s.entries[at], v)
		case s.stores(o):
			d.others = append(d.others, o)
		default:
			left++
		}
	}
	return left
}

// done takes a change out of the draft that was applied.
func (d *draft) done(s *snapshot, o driver.Operation) {
	if at, _, ok := s.valueOf(o); ok {
		d.drop(s.entries[at].id)
		return
	}
	d.others = slices.DeleteFunc(d.others, func(other driver.Operation) bool { return reflect.DeepEqual(other, o) })
}

// changes are the edits that a port would read.
func (d *draft) changes(s *snapshot, port int) map[*registry.Row]registry.Value {
	list := map[*registry.Row]registry.Value{}
	p := &s.ports[port]
	for i := range d.edits {
		at := s.find(d.edits[i].id)
		if at < 0 {
			continue
		}
		e := &s.entries[at]
		if s.slots[p.slotOf(port, e.Row)] == at {
			list[e.rowOn(port)] = d.edits[i].value
		}
	}
	return list
}

// forecastValues is what the driver of a port would make of what is stored, with the draft applied.
func (d *draft) forecastValues(s *snapshot, port int) *registry.Effective {
	changes := d.changes(s, port)
	if len(changes) == 0 {
		return s.ports[port].outlook
	}
	return s.ports[port].outlook.Propose(changes)
}
