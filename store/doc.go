// Package store keeps the history in SQLite: sessions, samples, events, the journal and layouts. One goroutine
// writes; readers have connections of their own.
package store
