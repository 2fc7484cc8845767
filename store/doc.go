// Package store keeps the history in SQLite: sessions, samples, events, the journal and layouts. One goroutine
// writes; readers have connections of their own.
//
// It opens and closes the file, records into it, keeps it within its limits, notices when it is moved or removed, and stores
// hosts, drafts, profiles and layouts. The packages below it store, aggregate, replay, import, export and salvage sessions; they
// take a connection and know nothing of DB.
package store
