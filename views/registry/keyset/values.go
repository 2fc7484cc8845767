package keyset

import (
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/profile"
)

// EntriesOf returns the entries of a connection, without shared keys, in the order of the catalogue.
func (s *Snapshot) EntriesOf(connection string) (list []int) {
	for i := range s.Entries {
		if s.Entries[i].Connection == connection {
			list = append(list, i)
		}
	}
	return list
}

// ValuesOn returns the values of the same keys on another port.
func (s *Snapshot) ValuesOn(own []int, p *Port) map[int]registry.Value {
	values := map[int]registry.Value{}
	for _, i := range own {
		e := &s.Entries[i]
		if at := s.Locate(p.Connection, "", string(e.Row.Scope)+"/"+e.Row.Name); at >= 0 {
			values[i] = s.Entries[at].Stored
		}
	}
	return values
}

// Touches reports whether a plan changes a value.
func (s *Snapshot) Touches(plan driver.Plan) bool {
	return slices.ContainsFunc(plan.Operations, func(o driver.Operation) bool { _, _, ok := s.ValueOf(o); return ok })
}

// ValuesBefore returns the values of entries before the change with index at of the journal.
func (s *Snapshot) ValuesBefore(at int, entries []int) map[int]registry.Value {
	values := map[int]registry.Value{}
	for _, i := range entries {
		values[i] = s.Entries[i].Stored
	}
	for _, e := range slices.Backward(s.Journal[at:]) {
		if e.Err != "" {
			continue
		}
		for _, o := range e.Inverse.Operations {
			if i, v, ok := s.ValueOf(o); ok {
				if _, asked := values[i]; asked {
					values[i] = v
				}
			}
		}
	}
	return values
}

// Profiled returns the values that a profile would store for a connection.
func (s *Snapshot) Profiled(connection string, p profile.Profile) map[int]registry.Value {
	values := map[int]registry.Value{}
	for _, value := range p.Values {
		at := s.Locate(connection, "", value.Key)
		if at < 0 {
			continue
		}
		if value.Delete {
			values[at] = registry.Value{}
		} else if v, err := s.Entries[at].Row.Parse(value.Value); err == nil {
			values[at] = v
		}
	}
	return values
}
