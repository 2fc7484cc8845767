// Package serve shows the counters of a source to Prometheus over HTTP: /metrics, /healthz and the web configuration file. It
// changes nothing on the host and in the history.
package serve
