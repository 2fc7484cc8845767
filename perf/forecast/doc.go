// Package forecast runs a plan on copies of a host and ranks the counters that it changes by their significance. It
// changes no host, and draws nothing.
package forecast
