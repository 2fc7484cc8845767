package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/store/document"
	"cxdeck/store/sqlite"
)

// BegunChange is a change of a host that was begun and not ended. The stored host may be the host before or after the change:
// its journal says which, see driver.Host.Begun.
type BegunChange struct {
	ID      int64
	LabHash string
	Seed    uint64
	// Newest is the newest entry of the host's journal when the change began.
	Newest uint64
	Plan   driver.Plan
	// Time is the start of the change, by the machine's clock.
	Time time.Time
	// Err is the reason why Plan could not be read; nil when it was.
	Err error
}

// maxBegun limits the begun changes that are read: there is more than one only if several were requested at once.
const maxBegun = 100

// BeginChange records that a change of a host begins, and returns its number for EndChange. A zero Time becomes now.
func (db *DB) BeginChange(ctx context.Context, change BegunChange) (id int64, err error) {
	if len(change.LabHash) > maxPlanName {
		return 0, fmt.Errorf("the name of a lab can have at most %d bytes", maxPlanName)
	}
	packed, err := packPlan(change.Plan)
	if err != nil {
		return 0, err
	}
	if change.Time.IsZero() {
		change.Time = db.now()
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO begun (lab_hash, seed, newest, plan, time) VALUES (?, ?, ?, ?, ?)",
			change.LabHash, int64(change.Seed), int64(change.Newest), packed, sqlite.Nanoseconds(change.Time))
		if err != nil {
			return err
		}
		id, err = done.LastInsertId()
		return err
	})
	return id, err
}

// EndChange records that a change has ended: it was rejected, or the changed host was saved.
func (db *DB) EndChange(ctx context.Context, id int64) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM begun WHERE id = ?", id)
		return err
	})
}

// BegunChanges returns the changes of a host that were begun and not ended, oldest first: the process that began them has
// ended.
func (db *DB) BegunChanges(ctx context.Context, labHash string, seed uint64) (list []BegunChange, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT id, newest, plan, time FROM begun WHERE lab_hash = ? AND seed = ? ORDER BY id LIMIT ?",
		labHash, int64(seed), maxBegun)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		change := BegunChange{LabHash: labHash, Seed: seed}
		var newest, at int64
		var packed string
		if err := rows.Scan(&change.ID, &newest, &packed, &at); err != nil {
			return nil, db.explain(err)
		}
		change.Newest, change.Time = uint64(newest), sqlite.Instant(at)
		change.Err = document.DecodeParts([]byte(packed), &change.Plan, document.MaxPlanParts)
		list = append(list, change)
	}
	return list, db.explain(rows.Err())
}
