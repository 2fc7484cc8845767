// Package comparing draws a comparison on the History screen, in place of the sessions: the sentence, the curves of the two
// periods, the counters that differ most, and the differences of registry, host and events. The comparison itself is made by
// views/comparison.
package comparing
