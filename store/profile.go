package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"cxdeck/driver/registry/profile"
	"cxdeck/store/document"
	"cxdeck/store/sqlite"
)

const maxProfiles = 1000

// ErrTooManyProfiles reports a profile beyond maxProfiles.
var ErrTooManyProfiles = fmt.Errorf("there are %d profiles already; delete some", maxProfiles)

// SaveProfile stores a profile, replacing the one of its name; names ignore case.
func (db *DB) SaveProfile(ctx context.Context, p profile.Profile) error {
	if err := p.Check(); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("the profile %.40q can't be stored: %w", p.Name, err)
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO profile (name, data, saved) VALUES (?, ?, ?)",
			p.Name, string(data), sqlite.Nanoseconds(db.now()))
		if err != nil {
			return err
		}
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM profile").Scan(&count); err != nil {
			return err
		}
		if count > maxProfiles {
			return ErrTooManyProfiles
		}
		return nil
	})
}

// Profiles returns the names of the profiles, sorted.
func (db *DB) Profiles(ctx context.Context) ([]string, error) {
	return db.names(ctx, "SELECT name FROM profile ORDER BY name")
}

// Profile returns a profile by name; ok is false when there is none.
func (db *DB) Profile(ctx context.Context, name string) (p profile.Profile, ok bool, err error) {
	var data string
	err = db.reader.QueryRowContext(ctx, "SELECT data FROM profile WHERE name = ?", name).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return profile.Profile{}, false, nil
	}
	if err != nil {
		return profile.Profile{}, false, db.explain(err)
	}
	if err := document.DecodeParts([]byte(data), &p, document.MaxPlanParts); err != nil {
		return profile.Profile{}, false, fmt.Errorf("the profile %.40q in %s: %w", name, db.Path(), err)
	}
	return p, true, nil
}

// DeleteProfile deletes a profile; it is not an error when there is none.
func (db *DB) DeleteProfile(ctx context.Context, name string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM profile WHERE name = ?", name)
		return err
	})
}
