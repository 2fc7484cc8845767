// Package comparing is what the History screen shows of a comparison in place of the sessions: the sentence, the curves of the
// two stretches, the counters that differ most, and what differs in the registry, the host and the events.
package comparing
