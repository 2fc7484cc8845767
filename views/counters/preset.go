package counters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/views/counters/search"
	"cxdeck/views/deck"
)

// candidate is a series that a preset asks for, and what decides its place.
type candidate struct {
	series, family, pattern, instance int
	idle                              bool
}

// match gives the paths of a preset, at most most of them, and how many there would be. Counters of one instance stand
// together; with busyFirst, counters that are not 0 come before the others. instances limits it to these; nil takes all
// but totals. activity is what a series did lately.
func (p *preset) match(x *search.Index, instances []string, activity func(series int) window.Bucket) (paths []string, all int) {
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
	most := p.most
	if p.busyOnly && instances == nil {
		if slices.ContainsFunc(found, func(c candidate) bool { return !c.idle }) {
			found = slices.DeleteFunc(found, func(c candidate) bool { return c.idle })
		} else {
			most = min(most, idleMost)
		}
	}
	if p.busiest && len(found) > p.most {
		found = busiest(found, p.most, func(i int) float64 {
			_, toBase := dimensionOf(schema.Series[i])
			return activity(i).Average * toBase
		})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if a.idle != b.idle {
			if b.idle {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.instance, b.instance), cmp.Compare(a.pattern, b.pattern))
	})
	for _, c := range found[:min(len(found), most)] {
		paths = append(paths, schema.Series[c.series].Path())
	}
	return paths, all
}

// instances limit the preset; nil for no limit.
func (p *preset) instances(inventory *perf.Inventory) []string {
	if !p.teams {
		return nil
	}
	return deck.TeamInstances(inventory)
}

// sameDimension keeps the counters of one dimension, the one of the first pattern that found a changing counter: one axis is enough
// then.
func sameDimension(schema *perf.Schema, found []candidate) []candidate {
	if len(found) == 0 {
		return nil
	}
	first := slices.MinFunc(found, func(a, b candidate) int {
		if a.idle != b.idle {
			if b.idle {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.pattern, b.pattern))
	})
	kept, _ := dimensionOf(schema.Series[first.series])
	return slices.DeleteFunc(found, func(c candidate) bool {
		is, _ := dimensionOf(schema.Series[c.series])
		return is != kept
	})
}

// idleMost is how many counters a preset shows that are all 0: enough to see that there is nothing to see.
const idleMost = themes.SeriesCount

// busiest keeps the counters of whole instances with the largest values, as many as fit.
func busiest(found []candidate, most int, value func(series int) float64) []candidate {
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
		if most -= size[instance]; most < 0 {
			break
		}
		kept[instance] = true
	}
	if len(kept) == 0 { // one instance alone has more than fit
		kept[instances[0]] = true
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return !kept[c.instance] })
}

// forEachSeries goes through the series that the family asks for.
func (f *family) forEachSeries(x *search.Index, instances []string, take func(pattern, series int)) {
	for n := range x.Sets {
		set := &x.Sets[n]
		if !perf.Glob(f.set, set.Name) {
			continue
		}
		var rows []int32
		for i, instance := range set.Instances {
			if isWanted(instance, instances) {
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
					take(pattern, int(i))
				}
			}
		}
	}
}

// pattern is the first of the family's patterns that a counter fits, -1 for none.
func (f *family) pattern(counter string) int {
	for n, pattern := range f.counters {
		if perf.Glob(pattern, counter) {
			return n
		}
	}
	return -1
}

// isWanted says whether an instance is asked for; totals only by name.
func isWanted(instance string, instances []string) bool {
	if instances == nil {
		return !isTotal(instance)
	}
	for _, one := range instances {
		if strings.EqualFold(one, instance) {
			return true
		}
	}
	return false
}

// isTotal says whether an instance adds up others: "_Total", or the "Ethernet 7 Total" of the sets that count by
// processor.
func isTotal(instance string) bool {
	const total = "total"
	n := len(instance) - len(total)
	return n > 0 && strings.EqualFold(instance[n:], total) && strings.ContainsRune("_ ", rune(instance[n-1]))
}

// applyPreset replaces the curves by a preset's; without any match it says why.
func (s *Screen) applyPreset(n int) {
	p := &presets[n]
	s.title, s.why, s.awaiting = p.title, "", -1
	s.curves = s.curves[:0]
	s.highlight = ""
	var paths []string
	all := 0
	if x := s.index.index; x != nil {
		paths, all = p.match(x, p.instances(s.monitor.Inventory()), s.activity)
	}
	for _, path := range paths {
		s.curves.add(s.schema, path)
	}
	switch {
	case all == 0:
		s.awaiting = n
		s.why = "This source has no counters for the preset " + p.title + ": that needs " + p.need +
			". P shows the other presets, a adds single counters."
	case all > len(paths):
		s.title = fmt.Sprintf("%s (%s)", p.title, p.share(len(paths), all))
	}
	s.live = n
	s.stacked, s.small = p.stacked, p.small
	if s.scale == scaleManual { // a value of another unit, as likely as not
		s.scale, s.manual = scaleAuto, 0
	}
	s.legend.List.Select(0)
	s.curvesChanged()
}

// share says which of the counters are shown.
func (p *preset) share(shown, all int) string {
	switch {
	case p.busiest:
		return fmt.Sprintf("the busiest %d of %d", shown, all)
	case p.busyOnly && shown < p.most:
		return fmt.Sprintf("%d of %d, the others are 0", shown, all)
	default:
		return fmt.Sprintf("%d of %d", shown, all)
	}
}

// wakeEvery is after how many samples a preset looks for counters that are no longer 0.
const wakeEvery = 10

// addActive adds the counters of the preset that shows which have woken up, as long as nothing else was chosen.
func (s *Screen) addActive() {
	if s.live < 0 || s.samples%wakeEvery != 0 || s.time.frozen || s.index.index == nil {
		return
	}
	p := &presets[s.live]
	recent := s.monitor.Window()
	if p.busiest && !s.idle(recent) {
		return
	}
	paths, all := p.match(s.index.index, p.instances(s.monitor.Inventory()), func(series int) window.Bucket {
		last, _ := recent.Last(series)
		return window.Bucket{Min: last, Max: last, Average: last}
	})
	if p.busiest && slices.ContainsFunc(paths, func(path string) bool { return s.curves.index(path) < 0 }) {
		s.curves = s.curves[:0]
	}
	added := false
	for _, path := range paths {
		if i, ok := s.schema.Find(path); ok && len(s.curves) < p.most {
			if last, ok := recent.Last(i); ok && (last > 0 || p.busiest) && s.curves.add(s.schema, path) {
				added = true
			}
		}
	}
	if added {
		if all > len(s.curves) {
			s.title = fmt.Sprintf("%s (%s)", p.title, p.share(len(s.curves), all))
		}
		s.curvesChanged()
	}
}

// idle says whether all that shows is 0: then the ports that were taken for the busiest no longer are.
func (s *Screen) idle(window *window.Recent) bool {
	for i := range s.curves {
		if s.curves[i].missing() {
			continue
		}
		if last, ok := window.Last(s.curves[i].series); ok && last > 0 {
			return false
		}
	}
	return true
}

// applyFocus shows throughput and drops of certain instances, and certain single counters. It says false when the
// source has none of them yet.
func (s *Screen) applyFocus(focus deck.Focus) bool {
	var paths []string
	for n := 0; n < 2 && len(focus.Instances) > 0; n++ {
		some, _ := presets[n].match(s.index.index, focus.Instances, s.activity)
		paths = append(paths, some...)
	}
	for _, path := range focus.Paths {
		if _, ok := s.schema.Find(path); ok {
			paths = append(paths, path)
		}
	}
	s.title, s.why, s.highlight, s.awaiting = focus.Title, "", "", -1
	s.live = -1
	s.curves = s.curves[:0]
	for _, path := range paths {
		s.curves.add(s.schema, path)
	}
	if len(paths) == 0 {
		s.why = "This source has no counters of " + focus.Title + ". P shows the presets, a adds single counters."
	}
	s.mode, s.stacked, s.small = modeLine, false, false
	s.legend.List.Select(0)
	s.curvesChanged()
	if !focus.At.IsZero() {
		s.goTo(focus.At)
	}
	return len(paths) > 0
}

// activity is what a series did in the last ten minutes.
func (s *Screen) activity(series int) window.Bucket {
	lately := []window.Bucket{{}}
	if window := s.monitor.Window(); window != nil {
		if _, newest, ok := window.Span(); ok {
			window.Buckets([]int{series}, newest.Add(-10*time.Minute), newest.Add(time.Nanosecond), lately)
		}
	}
	return lately[0]
}
