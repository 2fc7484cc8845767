// Package perf turns the state of a source into columns of numbers and keeps the recent ones: counter sets, schemas,
// sources, the monitor that samples one, windows, statistics, thresholds and the Performance Monitor log format.
// It stores nothing on disk and draws nothing.
package perf
