// Package perf defines the terms of measuring: sources, schemas, columns, the catalogue of counters, rates, patterns and
// numbers as people write them. It imports none of its parts: the sources (lab, local, pdh) need the core alone and not each
// other; window, threshold, monitor, forecast and report are on it. It stores nothing on disk and draws nothing.
package perf
