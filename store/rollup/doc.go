// Package rollup sums up the samples of a history by minute and hour, and removes samples and minutes that are summed up and older
// than their limit. It works in small steps on a connection that it is given; when it works, and what becomes of its failures, the
// history decides.
package rollup
