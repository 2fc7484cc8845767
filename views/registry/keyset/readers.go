package keyset

import (
	"slices"
	"strings"

	"cxdeck/driver/registry"
)

// Reader is a port that reads a shared key.
type Reader struct {
	Port int
	// Row is the key in the catalogue of the port's driver.
	Row *registry.Row
	// effective is the value that the driver of the port uses now.
	effective registry.Value
}

// rowOn returns the key in the catalogue of a port's driver.
func (e *Entry) rowOn(port int) *registry.Row {
	for _, r := range e.Readers {
		if r.Port == port {
			return r.Row
		}
	}
	return e.Row
}

// AllReaders returns all ports that read the key.
func (e *Entry) AllReaders() []Reader {
	if len(e.Readers) == 0 {
		return []Reader{{e.Port, e.Row, e.Effective}}
	}
	return e.Readers
}

// Reads reports whether one of the connections reads the key.
func (s *Snapshot) Reads(e *Entry, connections []string) bool {
	return slices.ContainsFunc(e.AllReaders(), func(r Reader) bool { return slices.Contains(connections, s.Ports[r.Port].Connection) })
}

// Effects returns the effective values of a shared key, each with the connections that use it.
func (s *Snapshot) Effects(e *Entry) (values []registry.Value, connections [][]string) {
	for _, r := range e.AllReaders() {
		at := slices.Index(values, r.effective)
		if at < 0 {
			at = len(values)
			values, connections = append(values, r.effective), append(connections, nil)
		}
		connections[at] = append(connections[at], s.Ports[r.Port].Connection)
	}
	return values, connections
}

// Differs reports whether the ports that share a key use different values.
func (e *Entry) Differs() bool {
	return slices.ContainsFunc(e.Readers, func(r Reader) bool { return r.effective != e.Effective })
}

// EffectiveText formats the effective value for a cell; if the ports that share the key differ, all values.
func (e *Entry) EffectiveText() string {
	if !e.Differs() {
		return FormatWithMeaning(e.Row, e.Effective)
	}
	var words []string
	for _, r := range e.Readers {
		if word := FormatValue(e.Row, r.effective); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// Grade returns the worst grade that the ports that read a key give its value; outlook returns the values that the driver of a
// port would use.
func (e *Entry) Grade(outlook func(port int) *registry.Effective) registry.Grade {
	if e.IsUnknown() {
		return registry.Valid
	}
	if len(e.Readers) == 0 {
		return outlook(e.Port).Verdict(e.Row).Grade
	}
	worst := registry.Valid
	for _, r := range e.Readers {
		worst = max(worst, outlook(r.Port).Verdict(r.Row).Grade)
	}
	return worst
}

// Judge grades all stored values.
func (s *Snapshot) Judge() {
	s.Grades = make([]registry.Grade, len(s.Entries))
	for i := range s.Entries {
		s.Grades[i] = s.Entries[i].Grade(func(port int) *registry.Effective { return s.Ports[port].Outlook })
	}
}
