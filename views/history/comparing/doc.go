// Package comparing draws a comparison on the History screen, in place of the sessions: the sentence, the curves of the two
// periods, the counters that differ most, and the differences of registry, host and events. Package views/comparison computes
// the comparison.
package comparing
