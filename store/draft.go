package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
)

// Draft is a plan that is being gathered for a host of a lab. It outlives the screen and the console.
type Draft struct {
	LabHash string
	Seed    uint64
	// Name tells the drafts of a host apart; empty for the usual one.
	Name  string
	Plan  driver.Plan
	Saved time.Time
}

// The bounds of plans and of the names that are given to them.
const (
	maximumPlan     = 4 << 20 // bytes of JSON
	maximumPlanName = 256
	// keptDrafts is how many drafts are kept, the last saved ones.
	keptDrafts = 64
)

// packPlan is a plan as it is stored.
func packPlan(plan driver.Plan) (string, error) {
	data, err := json.Marshal(plan)
	if err != nil {
		return "", fmt.Errorf("the plan %.40q can't be stored: %w", plan.Title, err)
	}
	if len(data) > maximumPlan {
		return "", fmt.Errorf("the plan %.40q has %d MB; it can have %d", plan.Title, len(data)>>20, maximumPlan>>20)
	}
	return string(data), nil
}

// SaveDraft stores a draft in place of the one that its host and name had. A zero Saved becomes now.
func (db *DB) SaveDraft(ctx context.Context, draft Draft) error {
	if len(draft.Name) > maximumPlanName || len(draft.LabHash) > maximumPlanName {
		return fmt.Errorf("the name of a draft and that of a lab can have %d bytes", maximumPlanName)
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
			draft.LabHash, int64(draft.Seed), draft.Name, packed, nanoseconds(draft.Saved))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM draft WHERE (lab_hash, seed, name) NOT IN
			(SELECT lab_hash, seed, name FROM draft ORDER BY saved DESC LIMIT ?)`, keptDrafts)
		return err
	})
}

// Draft is a draft of a host; ok is false when there is none of that name.
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
	draft = Draft{LabHash: labHash, Seed: seed, Name: name, Saved: instant(saved)}
	if err := decodeParts([]byte(packed), &draft.Plan, maximumPlanParts); err != nil {
		return Draft{}, false, fmt.Errorf("the draft %.40q in %s: %w", name, db.Path(), err)
	}
	return draft, true, nil
}

// Drafts are the names of a host's drafts, the one that was saved last first.
func (db *DB) Drafts(ctx context.Context, labHash string, seed uint64) ([]string, error) {
	return db.names(ctx, "SELECT name FROM draft WHERE lab_hash = ? AND seed = ? ORDER BY saved DESC, name", labHash, int64(seed))
}

// DeleteDraft forgets a draft; it is no error when there is none.
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
