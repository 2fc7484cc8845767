// Package eventlog holds the host's event log: events and their severities, the newest entries, and the catalogue of events in
// the manuals. Callers decide when an event is written.
package eventlog
