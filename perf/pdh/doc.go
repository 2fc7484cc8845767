// Package pdh reads and writes the logs of Performance Monitor (PDH-CSV): a source of the perf package, its times, digits and
// encodings, and the writer of what is exported. The set-up of what is logged is not here.
package pdh
