// Package rollup aggregates the samples of a history by minute and hour, and removes samples and minutes that are aggregated and
// older than their limit. It works in small steps on a connection of its caller, who decides when it works and reports its
// errors.
package rollup
