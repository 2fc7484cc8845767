// Package forecast rehearses a plan on copies of a host and says which counters it changes, and which of them tell most. It
// changes no host, and shows nothing.
package forecast
