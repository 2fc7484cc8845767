// Package pdh reads and writes the logs of Performance Monitor (PDH-CSV): a source of the perf package, with the times, digits
// and encodings of logs, and the writer of exported logs. It does not set up data collectors.
package pdh
