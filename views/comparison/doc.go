// Package comparison gathers what differs between two stretches of time, of one source or of two: counters, events, the
// registry and what the host is made of. The command line, the reports and the History screen all take it from here. It
// draws nothing.
package comparison
