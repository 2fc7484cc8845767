// Package events implements the Events screen: a table of events, newest first, that can be filtered by severity, source,
// adapter and text, and the selected event's trigger and remedy. Writing events belongs to the driver and to thresholds.
package events
