// Package monitor owns a source: it samples the source at the pace that the operator chooses, publishes the samples, and is the one way
// to change the host behind it. It knows no kind of source, stores nothing on disk and draws nothing.
package monitor
