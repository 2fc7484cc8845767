package findings

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// sortByRule brings findings into the order of the rules' table, and of their keys.
func sortByRule(list []*Finding) {
	place := map[*Rule]int{}
	for i, r := range Rules() {
		place[r] = i
	}
	slices.SortFunc(list, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(place[a.Rule], place[b.Rule]), cmp.Compare(a.Subject.Port, b.Subject.Port), cmp.Compare(a.key, b.key))
	})
}

// countRules returns the number of rules that could be evaluated: all facts of their conditions are known for a subject.
func countRules(facts *Facts) (n int) {
	kinds := map[Kind][]*Subject{}
	for _, s := range facts.Subjects {
		kinds[s.Kind] = append(kinds[s.Kind], s)
	}
	for _, r := range Rules() {
		if slices.ContainsFunc(kinds[r.Of], r.canJudge) {
			n++
		}
	}
	return n
}

// canJudge reports whether a subject has the facts of a rule. Rules on items and events need a host.
func (r *Rule) canJudge(s *Subject) bool {
	if r.when == nil {
		return !math.IsNaN(s.Number("known"))
	}
	return !slices.ContainsFunc(r.when.facts, func(i int) bool { return math.IsNaN(s.numbers[i]) })
}

// age returns for how long the state behind a rule has lasted, from the fact that counts it; -1 where none does.
func (s *Subject) age(r *Rule) time.Duration {
	if r.when == nil {
		return -1
	}
	for _, i := range r.when.facts {
		if f := &Catalogue().Facts[i]; f.Unit == "s" && f.Name == "down_seconds" && s.numbers[i] > 0 {
			return time.Duration(s.numbers[i] * float64(time.Second))
		}
	}
	return -1
}
