package forecast

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
)

const (
	// minChange is the part by which a series has to change to be reported, leastValue how much of its unit, a second
	// or at all, it has to reach on one side.
	minChange = 0.01
	minValue  = 0.05
	// rateBonus makes a rate go before the cumulative counter that it is made of: a forecast is in seconds.
	rateBonus = 1.001
)

// differences returns the series that differ between two rehearsals, the most telling first. Of series that are made of the
// same counter in the same way, the one of the most telling set is there.
func differences(series []perf.Series, before, after *rehearsal, plan driver.Plan) (list []Difference) {
	var targets []string
	for _, o := range plan.Operations {
		if !slices.Contains(targets, o.Target()) {
			targets = append(targets, o.Target())
		}
	}
	weights := map[string]float64{}
	at := map[cellAverage]int{}
	for i := range series {
		s := &series[i]
		if s.Kind == perf.Identity {
			continue
		}
		d := Difference{Series: *s, Before: before.value(s), After: after.value(s), PerSecond: s.Kind == perf.Rate || s.Kind == perf.Cumulative}
		relative, significant := d.relative()
		if !significant {
			continue
		}
		d.Change = (d.After - d.Before) / math.Abs(d.Before)
		weight, known := weights[s.Set]
		if !known {
			weight = setWeight(s.Set)
			weights[s.Set] = weight
		}
		d.Score = relative * weight * d.emphasis(targets)
		if s.Kind == perf.Rate {
			d.Score *= rateBonus
		}
		same := cellAverage{s.Cell, s.Kind == perf.Gauge, s.Kind == perf.Maximum}
		if j, twice := at[same]; !twice {
			at[same] = len(list)
			list = append(list, d)
		} else if d.Score > list[j].Score {
			list[j] = d
		}
	}
	slices.SortStableFunc(list, func(a, b Difference) int { return cmp.Compare(b.Score, a.Score) })
	return list
}

// cellAverage accumulates the average of a value.
type cellAverage struct {
	cell           int
	gauge, maximum bool
}

// relative returns the part of the greater value that changes, 0 to 1; significant is false when that is too little.
func (d *Difference) relative() (part float64, significant bool) {
	if math.IsNaN(d.Before) || math.IsNaN(d.After) {
		rest := d.Before
		if math.IsNaN(rest) {
			rest = d.After
		}
		part := 0.2                          // something comes or goes with the plan, such as a ring among others
		if d.Series.Set == perf.SummarySet { // a network device
			part = 1
		}
		return part, math.Abs(rest) >= minValue // not for NaN
	}
	greatest := max(math.Abs(d.Before), math.Abs(d.After))
	if greatest < minValue {
		return 0, false
	}
	part = math.Abs(d.After-d.Before) / greatest
	return min(part, 1), part >= minChange
}

// emphasis is higher for losses and for the objects that the plan changes.
func (d *Difference) emphasis(targets []string) float64 {
	factor := 1.0
	instance := strings.TrimPrefix(d.Series.Instance, perf.SummaryTeam)
	for _, target := range targets {
		for _, name := range []string{instance, d.Series.Instance} {
			if name == target || strings.HasPrefix(name, target+" ") {
				factor = 2
			}
		}
	}
	if counter, ok := perf.Catalogue().Counter(d.Series.Set, d.Series.Counter); ok && counter.Where != "" {
		factor *= 1.5
	}
	return factor
}

// setWeights are how significant sets are, by words in their names, the first that fits: a port before its parts, and the
// part that one understands before the others.
var setWeights = []struct {
	word   string
	weight float64
}{
	{"VF", 0.3}, {perf.SummarySet, 0.95}, {"Port Traffic", 1}, {"Adapter Traffic", 1}, {"QoS", 0.6}, {"Congestion Control", 0.8},
	{"PCI Device", 0.8}, {"RDMA Activity", 0.8}, {"Rss", 0.3}, {"RSS", 0.3}, {"Receive Datapath", 0.4}, {"Transmit Datapath", 0.4},
	{"Ring", 0.35}, {"Diagnostic", 0.7}, {"Network Interface", 0.65},
}

func setWeight(set string) float64 {
	const others = 0.5
	for _, w := range setWeights {
		if strings.Contains(set, w.word) {
			return w.weight
		}
	}
	return others
}
