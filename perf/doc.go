// Package perf defines the terms of measuring: sources, schemas, columns, the catalogue of counters, rates, patterns and
// numbers as people write them. It imports none of its subpackages: the sources (lab, local, pdh) need only this package and
// not each other; window, threshold, monitor, forecast and report build on it. It stores nothing on disk and draws nothing.
package perf
