package exec

import (
	"errors"

	"cxdeck/perf"
)

// ChooseSeries returns the series that the patterns match, in the order of the patterns and without duplicates. Without a
// pattern it returns throughput and drops of all ports, or all series of a source without ports. An invalid pattern is a
// *MistakeError, a pattern without a match a *perf.NoMatchError.
func ChooseSeries(schema *perf.Schema, inventory *perf.Inventory, patterns []string) ([]int, error) {
	var chosen []int
	seen := map[int]bool{}
	add := func(series ...int) {
		for _, index := range series {
			if !seen[index] {
				seen[index] = true
				chosen = append(chosen, index)
			}
		}
	}
	for _, pattern := range patterns {
		matched, err := schema.Match(pattern)
		var noMatch *perf.NoMatchError
		switch {
		case errors.As(err, &noMatch):
			return nil, err
		case err != nil:
			return nil, &MistakeError{err.Error()}
		}
		add(matched...)
	}
	if len(patterns) > 0 {
		return chosen, nil
	}
	for _, node := range inventory.Nodes {
		if node.Kind == perf.PortNode {
			add(node.Receive...)
			add(node.Send...)
			add(node.Drops...)
		}
	}
	if len(chosen) == 0 {
		for i := range schema.Series {
			add(i)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("the source has no counters to print")
	}
	return chosen, nil
}
