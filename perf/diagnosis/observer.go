package diagnosis

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
)

// eventSpan is the time for which events of a source without a host are facts.
const eventSpan = time.Hour

// Observer evaluates the rules over the columns of one source. The zero Observer has seen nothing. Only one goroutine uses it.
type Observer struct {
	watch     findings.Watch
	schema    *perf.Schema
	inventory *perf.Inventory
	readings  map[owner][]reading
	// cells are the cells that facts read, in order; before has their values at the last look.
	cells  []int
	before []int64
	at     time.Time
	// totals are the last values of facts that a host counts from its start.
	totals map[total]float64
	// wasUp has the ports of a source without a host that had a link.
	wasUp map[string]bool
}

type total struct {
	owner
	fact int // index of the catalogue
}

// countedFacts returns the facts that driver/checkup gives as totals, as indexes of the catalogue, by the kind of their subjects.
var countedFacts = sync.OnceValue(func() map[findings.Kind][]int {
	all := map[findings.Kind][]int{}
	for _, name := range []string{"far_lost_cnps", "far_drops", "peer_drops", "unheeded", "team_discards"} {
		i, _ := findings.Catalogue().Find(name)
		kind := findings.Catalogue().Facts[i].Of
		all[kind] = append(all[kind], i)
	}
	return all
})

// Input is what a round needs.
type Input struct {
	Schema    *perf.Schema
	Inventory *perf.Inventory
	// Column is the newest column; it is not kept.
	Column *perf.Column
	// Facts are the facts about the host, nil for a source without one; Lab is its environment. Facts that are Shared are not changed.
	Facts  *findings.Facts
	Shared bool
	Lab    *labstate.State
	// Events are the events of a source without a host.
	Events []eventlog.Event
}

// Evaluate evaluates the rules once. Rates are averages since the call before; the first call has none.
func (o *Observer) Evaluate(in Input) *findings.Report {
	if o.at.After(in.Column.Time) { // after a seek
		*o = Observer{}
	}
	if in.Schema != o.schema || in.Inventory != o.inventory {
		o.bind(in.Schema, in.Inventory)
	}
	elapsed := in.Column.Time.Sub(o.at)
	if o.at.IsZero() {
		elapsed = 0
	}
	facts := &findings.Facts{Time: in.Column.Time, Events: recent(in.Events, in.Column.Time)}
	if in.Facts != nil {
		facts.Events, facts.Subjects = in.Facts.Events, in.Facts.Subjects
		if in.Shared {
			facts.Subjects = make([]*findings.Subject, len(in.Facts.Subjects))
			for i, s := range in.Facts.Subjects {
				facts.Subjects[i] = s.Clone()
			}
		}
	} else {
		facts.Subjects = o.subjects()
	}
	for _, s := range facts.Subjects {
		if readings := o.readings[owner{s.Kind, s.Name}]; len(readings) > 0 {
			fill(s, readings, in.Schema, o.before, in.Column, elapsed)
		}
		o.addRates(s, elapsed)
		if in.Lab != nil && s.Kind == findings.Function {
			o.addLoad(s, in.Lab, in.Column.Time)
		}
	}
	report := o.watch.Update(facts)
	for i, cell := range o.cells {
		if cell < len(in.Column.Cells) {
			o.before[i] = in.Column.Cells[cell]
		}
	}
	o.at = in.Column.Time
	return report
}

// recent returns the events within eventSpan.
func recent(events []eventlog.Event, now time.Time) []eventlog.Event {
	from, _ := slices.BinarySearchFunc(events, now.Add(-eventSpan), func(e eventlog.Event, at time.Time) int { return e.Time.Compare(at) })
	return events[from:]
}

// bind finds the series of all facts.
func (o *Observer) bind(schema *perf.Schema, inventory *perf.Inventory) {
	o.schema, o.inventory = schema, inventory
	o.readings = place(schema, portNames(inventory))
	var cells []int
	for _, list := range o.readings {
		slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(a.fact, b.fact) })
		for _, r := range list {
			cells = append(cells, schema.Series[r.series].Cell)
		}
	}
	slices.Sort(cells)
	cells = slices.Compact(cells)
	before := make([]int64, len(cells))
	for i, cell := range cells {
		before[i] = perf.Missing
		if was, known := slices.BinarySearch(o.cells, cell); known {
			before[i] = o.before[was]
		}
	}
	for _, list := range o.readings {
		for i := range list {
			list[i].before, _ = slices.BinarySearch(cells, schema.Series[list[i].series].Cell)
		}
	}
	o.cells, o.before = cells, before
}

// portNames finds the ports of instances.
func portNames(inventory *perf.Inventory) map[string]string {
	ports := map[string]string{}
	if inventory == nil {
		return ports
	}
	for i := range inventory.Nodes {
		n := &inventory.Nodes[i]
		if n.Kind != perf.PortNode {
			continue
		}
		ports[n.Name] = n.Name
		for _, instance := range n.Instances {
			ports[instance] = n.Name
		}
	}
	return ports
}

// subjects makes the subjects of a source without a host: its ports and cards.
func (o *Observer) subjects() (list []*findings.Subject) {
	if o.inventory == nil {
		return nil
	}
	list = append(list, findings.NewSubject(findings.Host, o.inventory.Host))
	for i := range o.inventory.Nodes {
		n := &o.inventory.Nodes[i]
		kind := findings.Port
		switch n.Kind {
		case perf.PortNode:
		case perf.AdapterNode:
			kind = findings.Card
		default:
			continue
		}
		s := findings.NewSubject(kind, n.Name)
		s.Instances, s.Aliases = n.Instances, n.Instances
		for at := i; at >= 0; at = o.inventory.Nodes[at].Parent {
			s.Texts["adapter"] = o.inventory.Nodes[at].Name
		}
		if kind == findings.Port {
			s.Connection = n.Name
			s.Port = i
			if n.State == perf.StateUp || n.State == perf.StateDown {
				s.Flag("link_seen", true)
				up := n.State == perf.StateUp
				s.Flag("up", up)
				s.Flag("was_up", o.hadLink(n.Name, up))
			}
		} else {
			for j := range o.inventory.Nodes {
				if o.inventory.Nodes[j].Parent == i {
					s.Ports = append(s.Ports, j)
				}
			}
		}
		list = append(list, s)
	}
	return list
}

// hadLink reports whether a port has or had a link; up is its present state.
func (o *Observer) hadLink(port string, up bool) bool {
	if up && !o.wasUp[port] {
		if o.wasUp == nil {
			o.wasUp = map[string]bool{}
		}
		o.wasUp[port] = true
	}
	return o.wasUp[port]
}

// addRates turns totals into rates.
func (o *Observer) addRates(s *findings.Subject, elapsed time.Duration) {
	for _, fact := range countedFacts()[s.Kind] {
		now := s.NumberAt(fact)
		if math.IsNaN(now) {
			continue
		}
		if o.totals == nil {
			o.totals = map[total]float64{}
		}
		key := total{owner{s.Kind, s.Name}, fact}
		was, known := o.totals[key]
		o.totals[key] = now
		rate := math.NaN()
		if known && elapsed > 0 && now >= was {
			rate = (now - was) / elapsed.Seconds()
		}
		s.SetAt(fact, rate)
	}
}

// addLoad adds the average load of a virtual function since the last look.
func (o *Observer) addLoad(s *findings.Subject, lab *labstate.State, now time.Time) {
	var number, n int
	for _, r := range s.Texts["number"] {
		number = 10*number + int(r-'0')
	}
	var sum labstate.Load
	for _, l := range lab.Loads {
		if l.Time.After(o.at) && !l.Time.After(now) {
			load := l.Function(s.Port, number)
			sum.Use, sum.Errors, sum.Spoofed = sum.Use+load.Use, sum.Errors+load.Errors, sum.Spoofed+load.Spoofed
			n++
		}
	}
	if n == 0 || o.at.IsZero() {
		return
	}
	s.Set("vf_use", sum.Use/float64(n))
	s.Set("vf_errors", sum.Errors/float64(n))
	s.Set("vf_spoofed", sum.Spoofed/float64(n))
}
