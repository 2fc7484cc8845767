// Package timeline is the time axis of the Counters screen: the period that is shown and its cursor, values cut into equal pieces
// of it, and the marks of events and changes on it. It draws nothing, and knows no curve.
package timeline
