package findings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
)

// maxEnded is the number of ended findings that a Watch keeps.
const maxEnded = 200

// Watch follows the findings of a host over time. The zero Watch has seen nothing.
type Watch struct {
	known map[string]*watched
	now   time.Time
	// begun is the time of the first facts.
	begun time.Time
	ended []*Finding
}

// watched is a finding that holds, or has held.
type watched struct {
	*Finding
	// seen is when it last held; shown reports that it has held for long enough.
	seen  time.Time
	shown bool
}

// Report is the state of a host's health. It never changes.
type Report struct {
	// Checked is the time of the newest facts; zero before the first.
	Checked time.Time
	// Findings is what is wrong, the worst first; Ended is what was wrong, the newest end first.
	Findings, Ended []*Finding
	// Rules is the number of rules that had facts, Subjects counts the checked objects by kind.
	Rules    int
	Subjects map[Kind]int

	all []*Subject
}

// Knows reports whether an object was checked: a connection, a card, a team, a machine or the host.
func (r *Report) Knows(name string) bool {
	return slices.ContainsFunc(r.all, func(s *Subject) bool { return (&Finding{Subject: s}).At(name) })
}

// About returns the checked subjects of an object, in the order of the facts.
func (r *Report) About(name string) (list []*Subject) {
	for _, s := range r.all {
		if (&Finding{Subject: s}).At(name) {
			list = append(list, s)
		}
	}
	return list
}

// Checked objects in the order of the text of Scope.
var scopeKinds = []struct {
	kind     Kind
	one, all string
}{{Port, "port", "ports"}, {Card, "adapter", "adapters"}, {Function, "virtual function", "virtual functions"}, {Machine, "machine", "machines"}, {Team, "team", "teams"}}

// Scope says what was checked: "186 rules, 8 ports, 4 adapters".
func (r *Report) Scope() string {
	list := []string{fmt.Sprintf("%d rules", r.Rules)}
	for _, k := range scopeKinds {
		switch n := r.Subjects[k.kind]; n {
		case 0:
		case 1:
			list = append(list, "1 "+k.one)
		default:
			list = append(list, fmt.Sprintf("%d %s", n, k.all))
		}
	}
	return strings.Join(list, ", ")
}

// Worst returns the worst severity of the findings; ok is false when nothing is wrong.
func (r *Report) Worst() (worst eventlog.Severity, ok bool) {
	for _, f := range r.Findings {
		worst, ok = max(worst, f.Severity), true
	}
	return worst, ok
}

// Count returns the number of findings of a severity that follow from no other finding.
func (r *Report) Count(s eventlog.Severity) (n int) {
	for _, f := range r.Findings {
		if f.Severity == s && f.Follows == "" {
			n++
		}
	}
	return n
}

// Update takes new facts. Facts from before the newest ones, as after a seek, clear its state.
func (w *Watch) Update(facts *Facts) *Report {
	if w.known == nil || facts.Time.Before(w.now) {
		*w = Watch{known: map[string]*watched{}, begun: facts.Time}
	}
	first := w.now.IsZero()
	w.now = facts.Time
	for _, f := range find(facts) {
		old := w.known[f.key]
		if old == nil {
			f.Since, f.Started = facts.Time, first
			if len(f.Events) > 0 {
				f.Since, f.Started = f.Events[0].Time, false
			} else if age := f.Subject.age(f.Rule); age >= 0 {
				f.Since, f.Started = facts.Time.Add(-age), false
			}
			w.known[f.key] = &watched{Finding: f, seen: facts.Time, shown: f.Rule.Begin == 0}
			continue
		}
		f.Since, f.Started = old.Since, old.Started
		w.known[f.key] = &watched{f, facts.Time, old.shown || facts.Time.Sub(f.Since) >= time.Duration(f.Rule.Begin)}
	}
	report := &Report{Checked: facts.Time, Subjects: map[Kind]int{}, all: facts.Subjects}
	for key, verdict := range w.known {
		if gone := facts.Time.Sub(verdict.seen); gone > 0 && gone >= time.Duration(verdict.Rule.End) || gone > 0 && !verdict.shown {
			delete(w.known, key)
			if verdict.shown {
				verdict.Until = verdict.seen
				if gone <= 10*time.Second { // the moment is between the last two looks
					verdict.Until = facts.Time
				}
				w.ended = append(w.ended, verdict.Finding)
			}
			continue
		}
		if verdict.shown {
			f := *verdict.Finding
			report.Findings = append(report.Findings, &f)
		}
	}
	w.ended = w.ended[max(len(w.ended)-maxEnded, 0):]
	for i := len(w.ended) - 1; i >= 0; i-- {
		report.Ended = append(report.Ended, w.ended[i])
	}
	sortByRule(report.Findings)
	relate(report.Findings)
	order(report.Findings)
	for _, s := range facts.Subjects {
		report.Subjects[s.Kind]++
	}
	report.Rules = countRules(facts)
	return report
}
