// Package preset selects counters for the usual questions: it finds their series in a schema, under the names that each kind
// of driver uses, and leaves out series without activity. It draws nothing.
package preset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/views/counters/dimension"
	"cxdeck/views/counters/search"
)

// candidate is a series that matches a preset, with its sort keys.
type candidate struct {
	series, family, pattern, instance int
	idle                              bool
}

// Match returns the paths of a preset, at limit Max, and the number of all matches. Counters of one instance follow each
// other; with busyFirst, counters that are not 0 come before the others. instances limits the match; nil takes all but
// totals. activity returns a summary of the recent values of a series.
func (p *Preset) Match(x *search.Index, instances []string, activity func(series int) window.Bucket) (paths []string, all int) {
	var found []candidate
	schema := x.Schema
	taken := make(map[string]int) // instance -> family that shows it
	order := make(map[string]int)
	for f := range p.families {
		role := p.families[f].role
		if role == fallback && len(found) > 0 {
			continue
		}
		p.families[f].forEachSeries(x, instances, func(pattern, i int) {
			s := &schema.Series[i]
			instance := strings.ToLower(s.Instance)
			if by, shown := taken[instance]; shown && by != f && role == instead || s.Kind == perf.Identity {
				return
			}
			if role != also {
				taken[instance] = f
			}
			if _, seen := order[instance]; !seen {
				order[instance] = len(order)
			}
			c := candidate{series: i, family: f, pattern: pattern, instance: order[instance]}
			if p.busyFirst || p.busyOnly {
				c.idle = !(activity(i).Max > 0)
			}
			if role == also && c.idle && instances == nil {
				return
			}
			found = append(found, c)
		})
	}
	found = sameDimension(schema, found)
	all = len(found)
	limit := p.Max
	if p.busyOnly && instances == nil {
		if slices.ContainsFunc(found, func(c candidate) bool { return !c.idle }) {
			found = slices.DeleteFunc(found, func(c candidate) bool { return c.idle })
		} else {
			limit = min(limit, maxIdle)
		}
	}
	if p.Busiest && len(found) > p.Max {
		found = busiest(found, p.Max, func(i int) float64 {
			_, toBase := dimension.Of(schema.Series[i])
			return activity(i).Average * toBase
		})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(compareIdle(a, b), cmp.Compare(a.family, b.family), cmp.Compare(a.instance, b.instance), cmp.Compare(a.pattern, b.pattern))
	})
	for _, c := range found[:min(len(found), limit)] {
		paths = append(paths, schema.Series[c.series].Path())
	}
	return paths, all
}

// compareIdle compares two counters so that the idle ones come last.
func compareIdle(a, b candidate) int {
	switch {
	case a.idle == b.idle:
		return 0
	case b.idle:
		return -1
	}
	return 1
}

// sameDimension keeps the counters of one dimension, so that they share an axis: the dimension of the first pattern that
// found a counter that is not idle.
func sameDimension(schema *perf.Schema, found []candidate) []candidate {
	if len(found) == 0 {
		return nil
	}
	first := slices.MinFunc(found, func(a, b candidate) int {
		return cmp.Or(compareIdle(a, b), cmp.Compare(a.family, b.family), cmp.Compare(a.pattern, b.pattern))
	})
	kept, _ := dimension.Of(schema.Series[first.series])
	return slices.DeleteFunc(found, func(c candidate) bool {
		is, _ := dimension.Of(schema.Series[c.series])
		return is != kept
	})
}

// maxIdle is the maximum number of counters of a preset if all of them are 0.
const maxIdle = themes.SeriesCount

// busiest keeps the counters of the instances with the largest values, up to limit; an instance is kept completely or not at
// all.
func busiest(found []candidate, limit int, value func(series int) float64) []candidate {
	load := make(map[int]float64)
	size := make(map[int]int)
	var instances []int
	for _, c := range found {
		if size[c.instance] == 0 {
			instances = append(instances, c.instance)
		}
		size[c.instance]++
		if v := value(c.series); v > 0 {
			load[c.instance] += v
		}
	}
	slices.SortStableFunc(instances, func(a, b int) int { return cmp.Compare(load[b], load[a]) })
	kept := make(map[int]bool)
	for _, instance := range instances {
		if limit -= size[instance]; limit < 0 {
			break
		}
		kept[instance] = true
	}
	if len(kept) == 0 { // one instance alone has more than fit
		kept[instances[0]] = true
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return !kept[c.instance] })
}

// forEachSeries calls visit for each series that matches a pattern of the family.
func (f *family) forEachSeries(x *search.Index, instances []string, visit func(pattern, series int)) {
	for n := range x.Sets {
		set := &x.Sets[n]
		if !perf.Glob(f.set, set.Name) {
			continue
		}
		var rows []int32
		for i, instance := range set.Instances {
			if isRequested(instance, instances) {
				rows = append(rows, int32(i))
			}
		}
		for c, counter := range set.Counters {
			pattern := f.pattern(counter)
			if pattern < 0 {
				continue
			}
			for _, row := range rows {
				if i, ok := set.Pairs[[2]int32{int32(c), row}]; ok {
					visit(pattern, int(i))
				}
			}
		}
	}
}

// pattern returns the index of the first pattern that matches a counter, -1 for none.
func (f *family) pattern(counter string) int {
	for n, pattern := range f.counters {
		if perf.Glob(pattern, counter) {
			return n
		}
	}
	return -1
}

// isRequested reports whether instances contains an instance; nil contains all but totals.
func isRequested(instance string, instances []string) bool {
	if instances == nil {
		return !IsTotal(instance)
	}
	for _, other := range instances {
		if strings.EqualFold(other, instance) {
			return true
		}
	}
	return false
}

// IsTotal reports whether an instance is the sum of others: "_Total", or "Ethernet 7 Total" in sets that count by processor.
func IsTotal(instance string) bool {
	const total = "total"
	n := len(instance) - len(total)
	return n > 0 && strings.EqualFold(instance[n:], total) && strings.ContainsRune("_ ", rune(instance[n-1]))
}

// Share describes the shown counters in words: "the busiest 8 of 20".
func (p *Preset) Share(shown, all int) string {
	switch {
	case p.Busiest:
		return fmt.Sprintf("the busiest %d of %d", shown, all)
	case p.busyOnly && shown < p.Max:
		return fmt.Sprintf("%d of %d, the others are 0", shown, all)
	default:
		return fmt.Sprintf("%d of %d", shown, all)
	}
}
