package counters

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"cxdeck/perf"
	"cxdeck/ui"
)

// index is the counters of a schema by set: what the add dialog lists and searches. Names are stored once however many
// series have them, so that a search looks at some thousand names and not at a hundred thousand paths.
type index struct {
	schema *perf.Schema
	sets   []indexSet
	series int
}

// indexSet is one counter set.
type indexSet struct {
	name                string
	counters, instances []string
	// pairs are the series by counter and instance, as numbers in these lists; not every counter has every instance.
	pairs map[[2]int32]int32
}

// indexCache keeps the newest index, and whether one is being made.
type indexCache struct {
	index  *index
	making *perf.Schema
}

// indexMsg brings an index.
type indexMsg struct{ index *index }

func (c *indexCache) take(msg indexMsg) {
	if c.making == msg.index.schema {
		c.index, c.making = msg.index, nil
	}
}

// readIndex makes the index of the newest schema beside the terminal loop, unless it is there.
func (s *Screen) readIndex() ui.Cmd {
	schema := s.schema
	if schema == nil || s.index.making == schema || s.index.index != nil && s.index.index.schema == schema {
		return nil
	}
	if len(schema.Series) <= listAtOnce {
		s.index.index = makeIndex(schema)
		return nil
	}
	s.index.making = schema
	return ui.Background("list the counters", func(context.Context) ui.Msg { return indexMsg{makeIndex(schema)} })
}

// listAtOnce is how many series are listed in the terminal loop: that takes less than a millisecond or two.
const listAtOnce = 5000

// makeIndex sorts the series of a schema by set, counter and instance.
func makeIndex(schema *perf.Schema) *index {
	type place struct {
		set                 int
		counters, instances map[string]int32
	}
	x := &index{schema: schema, series: len(schema.Series)}
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
		one := &schema.Series[i]
		p, ok := places[one.Set]
		if !ok {
			p = &place{set: len(x.sets), counters: map[string]int32{}, instances: map[string]int32{}}
			places[one.Set] = p
			x.sets = append(x.sets, indexSet{name: one.Set, pairs: map[[2]int32]int32{}})
		}
		set := &x.sets[p.set]
		c := number(&set.counters, p.counters, one.Counter)
		n := number(&set.instances, p.instances, one.Instance)
		set.pairs[[2]int32{c, n}] = int32(i)
	}
	slices.SortFunc(x.sets, func(a, b indexSet) int { return cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	return x
}

// path is the perfmon path of a counter of an instance; ok is false when there is none.
func (x *index) path(set int, counter, instance int32) (string, bool) {
	i, ok := x.sets[set].pairs[[2]int32{counter, instance}]
	if !ok {
		return "", false
	}
	return x.schema.Series[i].Path(), true
}

// found is what is left of an index by a search.
type found struct {
	sets []foundSet
}

// foundSet is what is left of a set: numbers in the set's lists.
type foundSet struct {
	set                 int
	counters, instances []int32
}

// matching are the names that have all words together with the set and one of the names of the other list.
func matching(names, others []uint8, base, all uint8) []int32 {
	var seen [256]bool
	for _, m := range others {
		seen[m] = true
	}
	var distinct []uint8
	for m, yes := range seen {
		if yes {
			distinct = append(distinct, uint8(m))
		}
	}
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
