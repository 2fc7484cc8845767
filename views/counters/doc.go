// Package counters implements the Counters screen: Performance Monitor's graph for a terminal. It draws chosen series of the
// deck's monitor as lines, bars or a report, with a legend of statistics, marks for events and changes, thresholds,
// presets and saved layouts. It does not sample counters, and saves layouts only through the deck's database.
package counters
