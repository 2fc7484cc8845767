// Package rollup sums up the samples of a history by minute and hour, and removes what is summed up and older than its limit
// kept. It works in small steps on a connection that it is given; when it works, and what becomes of its failures, the history
// decides.
package rollup
