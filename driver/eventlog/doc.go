// Package eventlog holds what Windows keeps of what happened: events and their severities, the log of the newest ones, and
// the catalogue of everything that the manuals say about them. Who writes an event, and when, stands elsewhere.
package eventlog
