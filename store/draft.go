package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/store/document"
	"cxdeck/store/sqlite"
)

// Draft is a plan under construction for a host of a lab. It outlives the screen and the console.
type Draft struct {
	LabHash string
	Seed    uint64
	// Name distinguishes the drafts of a host; it is empty for the default draft.
	Name  string
	Plan  driver.Plan
	Saved time.Time
}

const (
	maxPlanBytes = 4 << 20 // bytes of JSON
	maxPlanName  = 256
	// keptDrafts is the maximum number of drafts; the oldest are deleted first.
	keptDrafts = 64
)

// packPlan encodes a plan for storage.
func packPlan(plan driver.Plan) (string, error) {
	data, err := json.Marshal(plan)
	if err != nil {
		return "", fmt.Errorf("the plan %.40q can't be stored: %w", plan.Title, err)
	}
	if len(data) > maxPlanBytes {
		return "", fmt.Errorf("the plan %.40q has %d MB; it can have at most %d", plan.Title, len(data)>>20, maxPlanBytes>>20)
	}
	return string(data), nil
}

// SaveDraft stores a draft, replacing the one with its host and name. A zero Saved becomes now.
func (db *DB) SaveDraft(ctx context.Context, draft Draft) error {
	if len(draft.Name) > maxPlanName || len(draft.LabHash) > maxPlanName {
		return fmt.Errorf("the name of a draft or lab can have at most %d bytes", maxPlanName)
	}
	packed, err := packPlan(draft.Plan)
	if err != nil {
		return err
	}
	if draft.Saved.IsZero() {
		draft.Saved = db.now()
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO draft (lab_hash, seed, name, plan, saved) VALUES (?, ?, ?, ?, ?)",
			draft.LabHash, int64(draft.Seed), draft.Name, packed, sqlite.Nanoseconds(draft.Saved))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM draft WHERE (lab_hash, seed, name) NOT IN
			(SELECT lab_hash, seed, name FROM draft ORDER BY saved DESC LIMIT ?)`, keptDrafts)
		return err
	})
}

// Draft returns a draft of a host by name; ok is false when there is none.
func (db *DB) Draft(ctx context.Context, labHash string, seed uint64, name string) (draft Draft, ok bool, err error) {
	var packed string
	var saved int64
	err = db.reader.QueryRowContext(ctx, "SELECT plan, saved FROM draft WHERE lab_hash = ? AND seed = ? AND name = ?",
		labHash, int64(seed), name).Scan(&packed, &saved)
	if errors.Is(err, sql.ErrNoRows) {
		return Draft{}, false, nil
	}
	if err != nil {
		return Draft{}, false, db.explain(err)
	}
	draft = Draft{LabHash: labHash, Seed: seed, Name: name, Saved: sqlite.Instant(saved)}
	if err := document.DecodeParts([]byte(packed), &draft.Plan, document.MaxPlanParts); err != nil {
		return Draft{}, false, fmt.Errorf("the draft %.40q in %s: %w", name, db.Path(), err)
	}
	return draft, true, nil
}

// Drafts returns the names of a host's drafts, newest first.
func (db *DB) Drafts(ctx context.Context, labHash string, seed uint64) ([]string, error) {
	return db.names(ctx, "SELECT name FROM draft WHERE lab_hash = ? AND seed = ? ORDER BY saved DESC, name", labHash, int64(seed))
}

// DeleteDraft deletes a draft; it is not an error when there is none.
func (db *DB) DeleteDraft(ctx context.Context, labHash string, seed uint64, name string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM draft WHERE lab_hash = ? AND seed = ? AND name = ?", labHash, int64(seed), name)
		return err
	})
}

// names reads a column of names.
func (db *DB) names(ctx context.Context, query string, arguments ...any) (list []string, err error) {
	rows, err := db.reader.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, db.explain(err)
		}
		list = append(list, name)
	}
	return list, db.explain(rows.Err())
}
