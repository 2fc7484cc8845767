package counters

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/views/counters/preset"
	"cxdeck/views/counters/search"
)

type nameSet map[string]bool

// toggle chooses a name, or clears its choice.
func (n *nameSet) toggle(name string) {
	if *n == nil {
		*n = nameSet{}
	}
	if (*n)[name] {
		delete(*n, name)
		return
	}
	(*n)[name] = true
}

// setTicks holds the chosen counters and instances of a set. Without chosen instances, the cursor in the list of instances
// decides. all chooses every instance: the cursor was at "All instances" when the operator left the set.
type setTicks struct {
	names [partCount]nameSet
	all   bool
}

func (t *setTicks) empty() bool {
	return t == nil || len(t.names[partCounters])+len(t.names[partInstances]) == 0
}

// ticked returns the chosen names of the set under the cursor.
func (d *addDialog) ticked(part int) *nameSet {
	name, _ := d.setName()
	if d.ticks[name] == nil {
		d.ticks[name] = &setTicks{}
	}
	return &d.ticks[name].names[part]
}

// count returns the number of chosen names of a part in the set under the cursor.
func (d *addDialog) count(part int) int {
	name, _ := d.setName()
	if t := d.ticks[name]; t != nil {
		return len(t.names[part])
	}
	return 0
}

func (d *addDialog) isTicked(part int, text string) bool {
	name, _ := d.setName()
	t := d.ticks[name]
	return t != nil && t.names[part][text]
}

// text returns the name with an index in the set under the cursor.
func (d *addDialog) text(part int, n int32) string {
	set := &d.ready.Sets[d.set().Set]
	if part == partCounters {
		return set.Counters[n]
	}
	return set.Instances[n]
}

// bindTicks fixes the instances of the counters chosen in the set under the cursor, before a search or a move to another set
// changes the list, and the counter of chosen instances. During a search, "All instances" chooses the instances that the search found.
func (d *addDialog) bindTicks() {
	f := d.set()
	switch {
	case f == nil:
		return
	case d.count(partInstances) > 0:
		if d.count(partCounters) > 0 {
			return
		}
		picked := d.chosenIndexes(partCounters)
		chosen := d.ticked(partCounters)
		for _, n := range picked {
			chosen.toggle(d.text(partCounters, n))
		}
		return
	case d.count(partCounters) == 0:
		return
	}
	ticks := d.ticks[d.ready.Sets[f.Set].Name]
	if len(f.Instances) == len(d.ready.Sets[f.Set].Instances) && d.lists[partInstances].Cursor() < allInstances {
		ticks.all = true
	}
	if ticks.all {
		return
	}
	picked := d.chosenIndexes(partInstances)
	chosen := d.ticked(partInstances)
	for _, n := range picked {
		chosen.toggle(d.text(partInstances, n))
	}
}

// current reports whether Enter would add counters of the set under the cursor: it has ticks, or no set has.
func (d *addDialog) current() bool {
	name, ok := d.setName()
	if !ok {
		return false
	}
	if !d.ticks[name].empty() {
		return true
	}
	for _, t := range d.ticks {
		if !t.empty() {
			return false
		}
	}
	return true
}

// chosenIndexes returns the indexes that are chosen in a part of the set under the cursor, even if a search hides them;
// without a choice, the index under the cursor.
func (d *addDialog) chosenIndexes(part int) []int32 {
	f := d.set()
	if f == nil {
		return nil
	}
	name := d.ready.Sets[f.Set].Name
	if d.count(part) > 0 || part == partInstances && d.count(partCounters) > 0 && d.ticks[name].all {
		return chosenIndexes(d.ready, f.Set, d.ticks[name], part)
	}
	all := f.Counters
	row := d.lists[part].Cursor()
	if part == partInstances {
		if row < allInstances {
			return d.instancesUnderCursor()
		}
		row -= allInstances
		all = f.Instances
	}
	if row < 0 || row >= len(all) {
		return nil
	}
	return all[row : row+1]
}

// chosenIndexes returns the indexes of the chosen names of a set; if no instance is chosen, all instances but totals.
func chosenIndexes(x *search.Index, set int, t *setTicks, part int) []int32 {
	names := x.Sets[set].Counters
	if part == partInstances {
		names = x.Sets[set].Instances
	}
	var numbers []int32
	for n, name := range names {
		if t.names[part][name] || part == partInstances && len(t.names[part]) == 0 && (len(names) == 1 || !preset.IsTotal(name)) {
			numbers = append(numbers, int32(n))
		}
	}
	return numbers
}

// paths returns the paths of the counters that Enter would add, of all sets.
func (d *addDialog) paths() []string {
	if d.ready == nil {
		return nil
	}
	var paths []string
	now := d.set()
	for n := range d.ready.Sets {
		var counters, instances []int32
		t := d.ticks[d.ready.Sets[n].Name]
		switch {
		case now != nil && now.Set == n:
			if d.current() {
				counters, instances = d.chosenIndexes(partCounters), d.chosenIndexes(partInstances)
			}
		case t != nil && len(t.names[partCounters]) > 0:
			counters, instances = chosenIndexes(d.ready, n, t, partCounters), chosenIndexes(d.ready, n, t, partInstances)
		}
		for _, instance := range instances {
			for _, counter := range counters {
				if path, ok := d.ready.Path(n, counter, instance); ok {
					paths = append(paths, path)
				}
			}
		}
	}
	return paths
}

// chosenLines lists the chosen counters, a line for each set.
func (d *addDialog) chosenLines() []string {
	if d.ready == nil {
		return nil
	}
	var lines []string
	for n := range d.ready.Sets {
		t := d.ticks[d.ready.Sets[n].Name]
		if t.empty() {
			continue
		}
		counters, instances := chosenIndexes(d.ready, n, t, partCounters), chosenIndexes(d.ready, n, t, partInstances)
		if f := d.set(); f != nil && f.Set == n {
			counters, instances = d.chosenIndexes(partCounters), d.chosenIndexes(partInstances)
		}
		lines = append(lines, "Chosen: "+d.summary(n, counters, instances)+"  ("+d.ready.Sets[n].Name+")")
	}
	return lines
}

// summary lists counters and instances in words; more than three become a number.
func (d *addDialog) summary(set int, counters, instances []int32) string {
	text := func(names []string, picked []int32, plural string) string {
		const maxListed = 3
		if len(picked) > maxListed {
			return fmt.Sprintf("%d %s", len(picked), plural)
		}
		var list []string
		for _, n := range picked {
			name := names[n]
			if name == "" {
				name = "the whole computer"
			}
			list = append(list, name)
		}
		return strings.Join(slices.Clip(list), ", ")
	}
	return text(d.ready.Sets[set].Counters, counters, "counters") + " of " + text(d.ready.Sets[set].Instances, instances, "instances")
}
