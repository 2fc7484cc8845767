package diagnosis

import (
	"math"
	"strings"
	"time"

	"cxdeck/driver/health/findings"
	"cxdeck/perf"
)

// binding says which series give a fact: an alternative of the fact's counters, at an index of the catalogue.
type binding struct{ fact, alternative int }

// bindings finds the facts of a counter by set and counter, in lower case.
func bindings() map[[2]string][]binding {
	all := map[[2]string][]binding{}
	facts := findings.Catalogue().Facts
	for i := range facts {
		for n, text := range facts[i].Counters {
			set, counters, _ := strings.Cut(strings.ToLower(text), "|")
			for counter := range strings.SplitSeq(counters, "+") {
				key := [2]string{set, counter}
				all[key] = append(all[key], binding{i, n})
			}
		}
	}
	return all
}

// reading is a series that gives a part of a fact of a subject.
type reading struct {
	binding
	series int
	// before is the index of its cell in Observer.before.
	before int
}

// owner identifies a subject.
type owner struct {
	kind findings.Kind
	name string
}

// place finds the readings of all subjects in a schema. Totals belong to no subject.
func place(schema *perf.Schema, ports map[string]string) map[owner][]reading {
	facts, all := findings.Catalogue().Facts, bindings()
	found := map[owner][]reading{}
	set, lower := "", ""
	counters := map[string]string{} // in lower case
	for i := range schema.Series {
		s := &schema.Series[i]
		if s.Sum != "" || strings.EqualFold(s.Instance, "_Total") {
			continue
		}
		if s.Set != set {
			set, lower = s.Set, strings.ToLower(s.Set)
		}
		counter, known := counters[s.Counter]
		if !known {
			counter = strings.ToLower(s.Counter)
			counters[s.Counter] = counter
		}
		for _, b := range all[[2]string{lower, counter}] {
			o := owner{facts[b.fact].Of, s.Instance}
			if o.kind == findings.Port {
				if o.name = ports[s.Instance]; o.name == "" {
					continue
				}
			}
			found[o] = append(found[o], reading{binding: b, series: i})
		}
	}
	return found
}

// SeriesIndex finds the series of facts in a schema.
type SeriesIndex struct{ readings map[owner][]reading }

// NewSeriesIndex finds the series of all facts of a source.
func NewSeriesIndex(schema *perf.Schema, inventory *perf.Inventory) *SeriesIndex {
	return &SeriesIndex{place(schema, portNames(inventory))}
}

// Of returns the series that give a fact of an object, to be added up; none for a fact that no counter gives.
func (p *SeriesIndex) Of(kind findings.Kind, name, fact string) (series []int) {
	at, known := findings.Catalogue().Find(fact)
	if !known {
		return nil
	}
	chosen := math.MaxInt
	for _, r := range p.readings[owner{kind, name}] {
		if r.fact != at || r.alternative > chosen {
			continue
		}
		if r.alternative < chosen {
			series, chosen = series[:0], r.alternative
		}
		series = append(series, r.series)
	}
	return series
}

// gauges are units of facts that are levels and not rates.
func isLevel(unit string) bool { return unit == "" || unit == "percent" || unit == "degrees Celsius" }

// value returns the value of a series for a fact: a rate since the cell before, or a level. It is NaN without one.
func value(s *perf.Series, fact *findings.Fact, before, cell int64, elapsed time.Duration) float64 {
	v := math.NaN()
	switch {
	case isLevel(fact.Unit) && s.Kind != perf.Rate:
		return s.CellValue(cell)
	case s.PerSecond() && s.Kind != perf.Rate:
		v = s.CellValue(cell)
	case s.Kind == perf.Gauge || s.Scale == perf.FloatCells: // a log has the totals of counters as plain numbers
		if now, was := s.CellValue(cell), s.CellValue(before); elapsed > 0 && now >= was {
			v = (now - was) / elapsed.Seconds()
		}
	default:
		v = s.Rate(before, cell, elapsed)
	}
	if fact.Unit == "share" {
		v = min(v/1e6, 1) // microseconds per second
	}
	return v
}

// fill sets the facts of a subject. Of several counters that give a fact, the first known ones count.
func fill(subject *findings.Subject, readings []reading, schema *perf.Schema, before []int64, column *perf.Column, elapsed time.Duration) {
	facts := findings.Catalogue().Facts
	for from := 0; from < len(readings); {
		fact := readings[from].fact
		to := from
		for to < len(readings) && readings[to].fact == fact {
			to++
		}
		f := &facts[fact]
		total, chosen := math.NaN(), len(f.Counters)
		for _, r := range readings[from:to] {
			s := &schema.Series[r.series]
			v := value(s, f, before[r.before], s.CellOf(column), elapsed)
			switch {
			case math.IsNaN(v) || r.alternative > chosen:
			case r.alternative < chosen:
				total, chosen = v, r.alternative
			case f.Max:
				total = max(total, v)
			default:
				total += v
			}
		}
		subject.SetAt(fact, total)
		from = to
	}
}
