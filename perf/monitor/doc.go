// Package monitor owns a source: it samples the source at the pace that the operator chooses, publishes the samples, and is the one
// way to change the host behind it. It is independent of the kind of source, and neither stores on disk nor draws.
package monitor
