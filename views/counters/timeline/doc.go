// Package timeline is the time axis of the Counters screen: the visible period and its cursor, values divided into equal pieces of
// it, and the marks of events and changes on it. It is independent of curves and drawing.
package timeline
