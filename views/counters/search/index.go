package search

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/perf"
)

// Index lists the counters of a schema by set, for the add dialog. Each name is stored once, so that a search compares some
// thousand names instead of a hundred thousand paths.
type Index struct {
	Schema *perf.Schema
	Sets   []Set
	series int
}

// Set is one counter set.
type Set struct {
	Name                string
	Counters, Instances []string
	// Pairs maps the indexes of a counter and an instance to their series; not every counter has every instance.
	Pairs map[[2]int32]int32
}

// NewIndex indexes the series of a schema by set, counter and instance.
func NewIndex(schema *perf.Schema) *Index {
	type place struct {
		set                 int
		counters, instances map[string]int32
	}
	x := &Index{Schema: schema, series: len(schema.Series)}
	places := make(map[string]*place)
	number := func(list *[]string, known map[string]int32, name string) int32 {
		n, ok := known[name]
		if !ok {
			n = int32(len(*list))
			known[name] = n
			*list = append(*list, name)
		}
		return n
	}
	for i := range schema.Series {
		series := &schema.Series[i]
		p, ok := places[series.Set]
		if !ok {
			p = &place{set: len(x.Sets), counters: map[string]int32{}, instances: map[string]int32{}}
			places[series.Set] = p
			x.Sets = append(x.Sets, Set{Name: series.Set, Pairs: map[[2]int32]int32{}})
		}
		set := &x.Sets[p.set]
		c := number(&set.Counters, p.counters, series.Counter)
		n := number(&set.Instances, p.instances, series.Instance)
		set.Pairs[[2]int32{c, n}] = int32(i)
	}
	slices.SortFunc(x.Sets, func(a, b Set) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return x
}

// Path returns the perfmon path of a counter of an instance; ok is false if the instance has no such counter.
func (x *Index) Path(set int, counter, instance int32) (string, bool) {
	i, ok := x.Sets[set].Pairs[[2]int32{counter, instance}]
	if !ok {
		return "", false
	}
	return x.Schema.Series[i].Path(), true
}

// Found is the part of an index that matches a search.
type Found struct {
	Sets []FoundSet
}

// FoundSet is the part of a set that matches: indices into the set's lists.
type FoundSet struct {
	Set                 int
	Counters, Instances []int32
}

// matching returns the indexes of names that contain all words, together with the set and a name of the other list. Each
// number is a mask of the words that a name contains.
func matching(names, others []uint64, base, all uint64) []int32 {
	distinct := slices.Clone(others)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	var kept []int32
	for i, m := range names {
		for _, other := range distinct {
			if base|m|other == all {
				kept = append(kept, int32(i))
				break
			}
		}
	}
	return kept
}
