// Package checkup gathers the facts about a host that the rules of driver/health/findings read: settings, states, and lists of what does not
// fit together, which other packages compute. Facts of counters come from the columns of a source; see perf/diagnosis.
package checkup
