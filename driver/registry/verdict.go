package registry

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/driver/limits"
)

// Grade is the rating of a value.
type Grade uint8

// The grades.
const (
	Valid    Grade = iota
	Doubtful       // accepted, but pointless or risky
	Invalid        // not used by the driver
)

// String returns the grade in words: "pointless or risky".
func (g Grade) String() string { return [...]string{"valid", "pointless or risky", "invalid"}[g] }

// Reason is one objection to a value.
type Reason struct {
	Grade Grade
	// Why is a sentence without a full stop: "9999 is above the limit of 9614; 9614 is used".
	Why string
	// With are the names of the other keys that it depends on.
	With []string
}

// Verdict is the rating of a stored value.
type Verdict struct {
	// Grade is the worst of the Reasons; Valid when there are none.
	Grade   Grade
	Reasons []Reason
	// Used is the value that the driver uses.
	Used Value
	// Remedy is the driver's handling of an invalid value; empty for a value that it accepts.
	Remedy InvalidHandling
}

// String returns all reasons as one line: "pointless or risky: ...; ...". It is "valid" when there are none.
func (v Verdict) String() string {
	var b strings.Builder
	b.WriteString(v.Grade.String())
	for i, r := range v.Reasons {
		b.WriteString([...]string{": ", "; "}[min(i, 1)])
		b.WriteString(r.Why)
	}
	return b.String()
}

// limits returns the version requirements of a stored value that the port does not meet.
func (e *Effective) limits(r *Row, stored Value) (list []string) {
	if len(r.limits) == 0 || e.facts.Versions == nil || !stored.Exists() {
		return nil
	}
	number, ok := stored.Integer()
	if !ok {
		return nil
	}
	for _, l := range r.limits {
		if why := l.Broken(e.facts.Versions); why != "" && l.EnabledBy(number) {
			list = append(list, why)
		}
	}
	return list
}

// Limits returns the version limits of a key, which must not be changed.
func (r *Row) Limits() []*limits.Limit { return r.limits }

// Finding is a key whose stored value is not valid.
type Finding struct {
	Row     *Row
	Verdict Verdict
}

// Verdict judges the stored value of a key together with the stored values of all other keys. A key without a
// value is valid.
func (e *Effective) Verdict(r *Row) Verdict {
	reading := e.readings[r.Index]
	v := Verdict{Used: reading.Value}
	tooOld := e.limits(r, reading.Stored)
	if reading.Why != "" {
		grade := Invalid
		if alone := e.readAlone(r, reading.Stored); alone.Why == "" {
			_, _, grade = e.judgeWithOthers(r, alone.Value)
		}
		for _, why := range tooOld { // the reason for the reading
			v.Reasons = append(v.Reasons, Reason{Grade: grade, Why: why})
		}
		tooOld = nil
		v.Reasons = append(v.Reasons, Reason{Grade: grade, Why: reading.Why})
		v.Remedy = r.Bad
	}
	for _, rule := range rulesOf(r) {
		if reason, ok := rule.evaluate(e, r); ok {
			v.Reasons = append(v.Reasons, reason)
			v.Remedy = cmp.Or(rule.remedy, v.Remedy)
		}
	}
	for _, why := range tooOld {
		v.Reasons = append(v.Reasons, Reason{Grade: Doubtful, Why: why})
	}
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int { return cmp.Compare(b.Grade, a.Grade) })
	if len(v.Reasons) > 0 {
		v.Grade = v.Reasons[0].Grade
	}
	if v.Grade != Invalid {
		v.Remedy = ""
	}
	return v
}

// Findings returns the keys whose stored values are not valid, in the order of the catalogue.
func (e *Effective) Findings() (list []Finding) {
	for i := range e.catalogue.Rows {
		r := &e.catalogue.Rows[i]
		if v := e.Verdict(r); v.Grade != Valid {
			list = append(list, Finding{r, v})
		}
	}
	return list
}

// Propose returns the values that the driver would use if some stored values were changed; a value that does not exist deletes
// the key. Its verdicts rate the proposal.
func (e *Effective) Propose(changes map[*Row]Value) *Effective {
	proposed := make(map[int]Value, len(changes)) // by index: a port may have rows of its own, see OnPort
	for r, v := range changes {
		proposed[r.Index] = v
	}
	next := Read(e.catalogue, e.facts, func(r *Row) Value {
		if v, ok := proposed[r.Index]; ok {
			return v
		}
		return e.readings[r.Index].Stored
	})
	next.beside = e.beside
	return next
}

// Beside returns the values together with the other ports of its card, to which some rules refer.
func (e *Effective) Beside(others ...*Effective) *Effective {
	next := *e
	next.beside = others
	return &next
}

// Check rates a value as an operator types it, before it is stored. It returns an error, and no verdict, for text that is not a
// value of the key's type.
func (e *Effective) Check(r *Row, typed string) (Value, Verdict, error) {
	minimum, maximum := e.bounds(r)
	v, err := r.ParseIn(typed, minimum, maximum)
	if err != nil {
		return Value{}, Verdict{}, err
	}
	return v, e.Propose(map[*Row]Value{r: v}).Verdict(r), nil
}
