package registry

import (
	"slices"
	"strings"

	"cxdeck/driver/registry"
)

// reader is a port that reads a key which it shares with other ports.
type reader struct {
	port int
	// row is the key in the catalogue of the port's driver.
	row *registry.Row
	// effective is what the driver of the port works with now.
	effective registry.Value
}

// rowOn is the key in the catalogue of a port's driver.
func (e *entry) rowOn(port int) *registry.Row {
	for _, r := range e.readers {
		if r.port == port {
			return r.row
		}
	}
	return e.Row
}

// allReaders are all ports that read the key.
func (e *entry) allReaders() []reader {
	if len(e.readers) == 0 {
		return []reader{{e.port, e.Row, e.Effective}}
	}
	return e.readers
}

// reads says whether one of some connections reads the key.
func (s *snapshot) reads(e *entry, connections []string) bool {
	return slices.ContainsFunc(e.allReaders(), func(r reader) bool { return slices.Contains(connections, s.ports[r.port].connection) })
}

// effects are the values that the ports work with now, each with the ports that do: one for a key that they agree on.
func (s *snapshot) effects(e *entry) (values []registry.Value, connections [][]string) {
	for _, r := range e.allReaders() {
		at := slices.Index(values, r.effective)
		if at < 0 {
			at = len(values)
			values, connections = append(values, r.effective), append(connections, nil)
		}
		connections[at] = append(connections[at], s.ports[r.port].connection)
	}
	return values, connections
}

// differs says whether the ports that share a key work with different values.
func (e *entry) differs() bool {
	return slices.ContainsFunc(e.readers, func(r reader) bool { return r.effective != e.Effective })
}

// effective is what is in effect, for a cell: all values where the ports that share the key differ.
func (e *entry) effective() string {
	if !e.differs() {
		return shown(e.Row, e.Effective)
	}
	var words []string
	for _, r := range e.readers {
		if word := bare(e.Row, r.effective); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// grade is the worst of what the ports that read a key have to say of its value; outlook is what a port makes of all
// values.
func (e *entry) grade(outlook func(port int) *registry.Effective) registry.Grade {
	if len(e.readers) == 0 {
		return outlook(e.port).Verdict(e.Row).Grade
	}
	worst := registry.Valid
	for _, r := range e.readers {
		worst = max(worst, outlook(r.port).Verdict(r.row).Grade)
	}
	return worst
}

// check is what is to be said of a value as it is typed: by the port that has most against it.
func (v *View) check(e *entry, typed string) (value registry.Value, worst registry.Verdict, err error) {
	for i, r := range e.allReaders() {
		checked, verdict, err := v.forecastValues(r.port).Check(r.row, typed)
		if err != nil {
			return registry.Value{}, registry.Verdict{}, err
		}
		if i == 0 || verdict.Grade > worst.Grade {
			value, worst = checked, verdict
		}
	}
	return value, worst, nil
}

// reasons are what speaks against the value of a key, with the ports' names where not all of them say so.
func (v *View) reasons(e *entry) (list []registry.Reason) {
	readers := e.allReaders()
	by := map[string][]string{}
	for _, r := range readers {
		for _, reason := range v.forecastValues(r.port).Verdict(r.row).Reasons {
			if by[reason.Why] == nil {
				list = append(list, reason)
			}
			by[reason.Why] = append(by[reason.Why], v.snapshot.ports[r.port].connection)
		}
	}
	for i := range list {
		if who := by[list[i].Why]; len(who) < len(readers) {
			list[i].Why = strings.Join(who, ", ") + ": " + list[i].Why
		}
	}
	return list
}
