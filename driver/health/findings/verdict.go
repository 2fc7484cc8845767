package findings

import (
	"math"
	"slices"
	"strings"
)

// Verdict is a rule with what it found at a subject, for an operator who asks about something that is not wrong.
type Verdict struct {
	Rule    *Rule
	Subject *Subject
	// Facts are the facts that the condition reads, with their values; NaN for an unknown one.
	Facts []Evidence
	// Holds reports that the condition holds now, if only for a moment.
	Holds bool
}

// Verdicts evaluates the rules with a condition on a subject. Rules whose facts are all unknown are left out.
func (s *Subject) Verdicts() (list []Verdict) {
	for _, r := range Rules() {
		if r.Of != s.Kind || r.when == nil || r.Each != "" || len(r.Events) > 0 {
			continue
		}
		v := Verdict{Rule: r, Subject: s, Holds: r.when.Holds(s)}
		known := false
		for _, i := range r.when.facts {
			known = known || !math.IsNaN(s.numbers[i])
			if f := &Catalogue().Facts[i]; !slices.ContainsFunc(v.Facts, func(e Evidence) bool { return e.Fact == f }) {
				v.Facts = append(v.Facts, Evidence{f, s.numbers[i]})
			}
		}
		if known {
			list = append(list, v)
		}
	}
	return list
}

// Reads reports whether the condition reads a counter.
func (v *Verdict) Reads(set, counter string) bool {
	return slices.ContainsFunc(v.Facts, func(e Evidence) bool { return e.Fact.GivenBy(set, counter) })
}

// GivenBy reports whether a counter gives the fact.
func (f *Fact) GivenBy(set, counter string) bool {
	for _, text := range f.Counters {
		of, counters, _ := strings.Cut(text, "|")
		if !strings.EqualFold(of, set) {
			continue
		}
		for name := range strings.SplitSeq(counters, "+") {
			if strings.EqualFold(name, counter) {
				return true
			}
		}
	}
	return false
}

// Words returns the value with its unit; a truth is yes or no.
func (e Evidence) Words() string {
	switch {
	case !e.Fact.Truth || math.IsNaN(e.Value):
		return e.Text()
	case e.Value != 0:
		return "yes"
	}
	return "no"
}
