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
	// minChange is the minimum relative change of a reported series; minValue is the minimum of the larger of its two values,
	// in its unit.
	minChange = 0.02
	minValue  = 0.05
	// rateBonus ranks a rate before its cumulative counter, because a forecast shows values per second.
	rateBonus = 1.001
)

// differences returns the series that differ between the two simulations, the most significant first. Of several series with the
// same cell and average, it returns the one with the highest score.
func differences(series []perf.Series, before, after *simulation, plan driver.Plan) (list []Difference) {
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
		d.Score = relative * weight * d.weight(targets)
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

// cellAverage identifies a value: a cell, and how it is averaged.
type cellAverage struct {
	cell           int
	gauge, maximum bool
}

// relative returns the change relative to the larger value, 0 to 1; significant is false when the change is too small.
func (d *Difference) relative() (part float64, significant bool) {
	if math.IsNaN(d.Before) || math.IsNaN(d.After) {
		rest := d.Before
		if math.IsNaN(rest) {
			rest = d.After
		}
		part := 0.2                          // the plan adds or removes an object, such as one of several rings
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

// weight is higher for losses and for the objects that the plan changes.
func (d *Difference) weight(targets []string) float64 {
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

// setWeights are the weights of sets, by a word in their names; the first match counts. Ports come before their parts, and
// well-known parts before others.
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
