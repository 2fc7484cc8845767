// Package comparison gathers what differs between two periods of time, of one source or of two: counters, events, the
// registry and the parts of the host. The command line, the reports and the History screen use it. It draws nothing.
package comparison
