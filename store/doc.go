// Package store keeps the history in SQLite: sessions, samples, events, the journal and layouts. One goroutine
// writes; readers have connections of their own.
//
// It opens and closes the file, records into it, keeps it within its limits, watches whether it is still there, and stores what
// an operator keeps besides sessions. How a session is stored, summed up, played back, carried elsewhere and saved from a damaged
// file is in packages below it, which take a connection and know nothing of DB.
package store
