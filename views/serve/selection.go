package serve

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/perf"
)

// DefaultMaxSeries is the default limit of the series of a scrape.
const DefaultMaxSeries = 20_000

// detailed are the kinds of instances of sets that have many series for each port; they are only served on request.
var detailed = []string{"vport-cpu", "ring", "processor"}

// Selection chooses the series that are served.
type Selection struct {
	// Patterns are the paths of the chosen counters; without one, all counters of adapters, ports, priorities and functions are
	// chosen, without totals, which would count frames twice.
	Patterns []perf.Pattern
	// Max is the maximum number of series.
	Max int
}

// choose returns the chosen series of a schema up to Max, and how many more there are.
func (s *Selection) choose(schema *perf.Schema) (series []perf.Series, left int) {
	sets := map[string]bool{}
	for i := range schema.Series {
		item := &schema.Series[i]
		if !s.has(sets, item) {
			continue
		}
		if len(series) >= s.Max {
			left++
			continue
		}
		series = append(series, *item)
	}
	return series, left
}

// has reports whether a series is chosen; sets remembers the default choice of each set.
func (s *Selection) has(sets map[string]bool, item *perf.Series) bool {
	if len(s.Patterns) > 0 {
		return matches(s.Patterns, item)
	}
	chosen, known := sets[item.Set]
	if !known {
		set, catalogued := perf.Catalogue().Set(item.Set)
		chosen = !catalogued || !slices.Contains(detailed, set.Instances)
		sets[item.Set] = chosen
	}
	total := item.Sum != "" || strings.EqualFold(item.Instance, "_Total") || item.Set == perf.SummarySet && perf.RepeatsPort(item.Instance)
	return chosen && !total
}

func matches(patterns []perf.Pattern, item *perf.Series) bool {
	return slices.ContainsFunc(patterns, func(p perf.Pattern) bool { return p.Match(*item) })
}

// The limits of the query of a scrape.
const (
	maxQueryPatterns = 32
	queryParameter   = "match"
)

// ParsePatterns reads patterns of counters.
func ParsePatterns(texts []string) (patterns []perf.Pattern, err error) {
	for _, text := range texts {
		if len(text) > perf.PathLimit {
			return nil, fmt.Errorf("a pattern has more than %d characters", perf.PathLimit)
		}
		pattern, err := perf.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}
