package store

import (
	"context"
	"database/sql"

	"cxdeck/store/rollup"
)

// levelKeeper returns the keeper that aggregates and reduces the sessions of the history.
func (db *DB) levelKeeper() *rollup.Keeper {
	return &rollup.Keeper{Reader: db.reader, Write: db.write, Resize: db.addBytes, Sessions: db.Sessions, Now: db.now,
		KeepSamples: db.options.KeepSamples, KeepMinutes: db.options.KeepMinutes}
}

// TidyResult is the result of Tidy.
type TidyResult struct {
	// Removed says in one sentence which sessions were removed for their age or the size of the history; it is empty for none.
	Removed string
	// Reduced is the size of the samples and minutes that were removed after they were aggregated, less the size of the sums, in
	// bytes.
	Reduced int64
	// Freed is the number of bytes by which the file shrank.
	Freed int64
}

// Tidy does in one call the work that a running console does in steps: it enforces the limits of age and size, aggregates the
// samples of all sessions by minute and hour, removes samples and minutes that are older than KeepSamples and KeepMinutes, and
// frees the space. An interrupted Tidy loses nothing.
func (db *DB) Tidy(ctx context.Context, progress func(done, all int)) (done TidyResult, err error) {
	done.Freed, err = db.measureFreed(ctx, func() error {
		if err := db.retain(ctx); err != nil {
			return err
		}
		if err := db.reduceAll(ctx, progress, &done.Reduced); err != nil {
			return err
		}
		return db.shrink(ctx)
	})
	db.mu.Lock()
	defer db.mu.Unlock()
	done.Removed = db.removed.String()
	return done, err
}

// reduceAll aggregates and reduces all sessions, and stores in reduced the number of bytes that this saved.
func (db *DB) reduceAll(ctx context.Context, progress func(done, all int), reduced *int64) error {
	keeper := db.levelKeeper()
	list, err := db.Sessions(ctx)
	if err != nil {
		return err
	}
	all, before := int64(0), int64(0)
	for _, session := range list {
		before += session.Bytes
		windows, err := keeper.Waiting(ctx, session.ID)
		if err != nil {
			return err
		}
		all += windows
	}
	behind := all
	for _, session := range list {
		first := int64(-1)
		err := keeper.All(ctx, session, func(windows int64) {
			if first < 0 {
				first = windows
				behind -= windows
			}
			progress(int(all-behind-windows), int(all))
		})
		if err != nil {
			return err
		}
	}
	progress(int(all), int(all))
	if list, err = db.Sessions(ctx); err != nil {
		return err
	}
	for _, session := range list {
		before -= session.Bytes
	}
	*reduced = max(0, before)
	return nil
}

// addBytes adds to the recorded size of a session; bytes may be negative.
func (db *DB) addBytes(ctx context.Context, tx *sql.Tx, session, bytes int64) error {
	db.mu.Lock()
	recorder := db.recorder
	db.mu.Unlock()
	if recorder != nil && recorder.log.session == session {
		recorder.log.resized.Add(bytes)
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE session SET bytes = max(0, bytes + ?) WHERE id = ?", bytes, session)
	return err
}
