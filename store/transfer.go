package store

import (
	"context"
	"time"

	"cxdeck/store/transfer"
)

// transfer returns the history as sessions are carried into it or out of it.
func (db *DB) transfer() *transfer.History {
	return &transfer.History{Path: db.Path(), Reader: db.reader, Write: db.write, Explain: db.explain, Now: db.now}
}

// Import copies sessions of a file from another machine into the history, all or none of them.
func (db *DB) Import(ctx context.Context, path string, o transfer.Options) ([]transfer.Imported, error) {
	if _, err := db.writable(); err != nil {
		return nil, err
	}
	return db.transfer().Import(ctx, path, o)
}

// Extract writes a session, or a range of it, as a history of its own into the empty file at path.
func (db *DB) Extract(ctx context.Context, id int64, from, to time.Time, path string, progress func(done, all int)) error {
	return db.transfer().Extract(ctx, id, from, to, path, progress)
}
