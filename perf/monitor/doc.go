// Package monitor owns a source: it samples it at the pace of the operator's choice, publishes what it sees, and is the one way
// to change the host behind it. It knows no kind of source, stores nothing on disk and draws nothing.
package monitor
