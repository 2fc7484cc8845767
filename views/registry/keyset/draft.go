package keyset

import (
	"reflect"
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// Draft holds the edits that wait for a review, by the ids of their entries, so that they stay valid for the next snapshot.
type Draft struct {
	Edits []Edit
	at    map[string]int // by id
	// Others are changes from files that no entry can show: values of unknown keys, or of another type than the key's. They
	// are reviewed and applied unchanged.
	Others []driver.Operation
}

// Edit is a value to store; a value that does not exist deletes the stored one.
type Edit struct {
	ID    string
	value registry.Value
}

// Len returns the number of changes.
func (d *Draft) Len() int { return len(d.Edits) + len(d.Others) }

// EditOf returns the edit of an entry.
func (d *Draft) EditOf(id string) (registry.Value, bool) {
	if i, ok := d.at[id]; ok {
		return d.Edits[i].value, true
	}
	return registry.Value{}, false
}

// Set puts an edit in the draft; the stored value removes the edit.
func (d *Draft) Set(e *Entry, v registry.Value) {
	if v == e.Stored {
		d.Drop(e.ID)
		return
	}
	if i, ok := d.at[e.ID]; ok {
		d.Edits[i].value = v
		return
	}
	d.Edits = append(d.Edits, Edit{e.ID, v})
	d.index()
}

// Drop removes the edit of an entry; it reports whether there was one.
func (d *Draft) Drop(id string) bool {
	i, ok := d.at[id]
	if ok {
		d.Edits = slices.Delete(d.Edits, i, i+1)
		d.index()
	}
	return ok
}

// Clear empties the draft.
func (d *Draft) Clear() { *d = Draft{} }

func (d *Draft) index() {
	d.at = make(map[string]int, len(d.Edits))
	for i := range d.Edits {
		d.at[d.Edits[i].ID] = i
	}
}

// Reconcile removes edits that a new snapshot has stored already, and edits of keys that it no longer has.
func (d *Draft) Reconcile(s *Snapshot) {
	before := len(d.Edits)
	d.Edits = slices.DeleteFunc(d.Edits, func(e Edit) bool {
		i := s.Find(e.ID)
		return i < 0 || s.Entries[i].Stored == e.value
	})
	if len(d.Edits) != before {
		d.index()
	}
}

// Operations returns the Operations of the edits, in the order in which the edits were made.
func (d *Draft) Operations(s *Snapshot) (list []driver.Operation) {
	for i := range d.Edits {
		if at := s.Find(d.Edits[i].ID); at >= 0 {
			list = append(list, s.Entries[at].set(d.Edits[i].value))
		}
	}
	return append(list, d.Others...)
}

// AddOperations puts the values of Operations in the draft, in Others if no entry can show them. It returns the number of
// Operations that it left out: values of keys that the host does not have, and Operations that store no value.
func (d *Draft) AddOperations(s *Snapshot, operations []driver.Operation) (left int) {
	for _, o := range operations {
		at, v, ok := s.ValueOf(o)
		switch {
		case ok:
			d.Set(&s.Entries[at], v)
		case s.stores(o):
			d.Others = append(d.Others, o)
		default:
			left++
		}
	}
	return left
}

// Done removes an applied change from the draft.
func (d *Draft) Done(s *Snapshot, o driver.Operation) {
	if at, _, ok := s.ValueOf(o); ok {
		d.Drop(s.Entries[at].ID)
		return
	}
	d.Others = slices.DeleteFunc(d.Others, func(other driver.Operation) bool { return reflect.DeepEqual(other, o) })
}

// changes returns the edits of the keys that a port reads.
func (d *Draft) changes(s *Snapshot, port int) map[*registry.Row]registry.Value {
	list := map[*registry.Row]registry.Value{}
	p := &s.Ports[port]
	for i := range d.Edits {
		at := s.Find(d.Edits[i].ID)
		if at < 0 {
			continue
		}
		e := &s.Entries[at]
		if s.Slots[p.SlotOf(port, e.Row)] == at {
			list[e.rowOn(port)] = d.Edits[i].value
		}
	}
	return list
}

// ForecastValues returns the values that the driver of a port would use with the draft applied.
func (d *Draft) ForecastValues(s *Snapshot, port int) *registry.Effective {
	changes := d.changes(s, port)
	if len(changes) == 0 {
		return s.Ports[port].Outlook
	}
	return s.Ports[port].Outlook.Propose(changes)
}
