// Package timeline holds the time axis of the Counters screen: the visible period and its cursor, values divided into equal pieces
// of time, and the marks of events and changes. It is independent of curves and drawing.
package timeline
