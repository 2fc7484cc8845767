package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"cxdeck/store/sqlite"
)

// Layout is a saved arrangement of a screen.
type Layout struct {
	Screen, Name string
	Data         []byte // JSON; each screen defines its form
	Saved        time.Time
}

const (
	maxLayoutBytes = 1 << 20
	maxLayoutName  = 200
)

// SaveLayout stores a layout under its screen and name, replacing an older one. A zero Saved becomes now.
func (db *DB) SaveLayout(ctx context.Context, layout Layout) error {
	switch {
	case len(layout.Data) > maxLayoutBytes:
		return fmt.Errorf("the layout %q has %d bytes; it can have at most %d", layout.Name, len(layout.Data), maxLayoutBytes)
	case len(layout.Name) > maxLayoutName || len(layout.Screen) > maxLayoutName:
		return fmt.Errorf("the name of a layout can have at most %d bytes", maxLayoutName)
	case layout.Saved.IsZero():
		layout.Saved = db.now()
	}
	data := layout.Data
	if data == nil {
		data = []byte{}
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO layout (screen, name, data, saved) VALUES (?, ?, ?, ?)",
			layout.Screen, layout.Name, data, sqlite.Nanoseconds(layout.Saved))
		return err
	})
}

// Layouts returns a screen's layouts, sorted by name.
func (db *DB) Layouts(ctx context.Context, screen string) ([]Layout, error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT name, data, saved FROM layout WHERE screen = ? ORDER BY name", screen)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	var layouts []Layout
	for rows.Next() {
		layout, saved := Layout{Screen: screen}, int64(0)
		if err := rows.Scan(&layout.Name, &layout.Data, &saved); err != nil {
			return nil, db.explain(err)
		}
		layout.Saved = sqlite.Instant(saved)
		layouts = append(layouts, layout)
	}
	return layouts, db.explain(rows.Err())
}

// DeleteLayout deletes a layout; it is not an error when there is none.
func (db *DB) DeleteLayout(ctx context.Context, screen, name string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM layout WHERE screen = ? AND name = ?", screen, name)
		return err
	})
}

// SaveSetting stores a value that the next run needs, such as the last screen.
func (db *DB) SaveSetting(ctx context.Context, key, value string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", key, value)
		return err
	})
}

// Setting returns the value that SaveSetting stored; ok is false when there is none.
func (db *DB) Setting(ctx context.Context, key string) (value string, ok bool, err error) {
	err = db.reader.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return value, err == nil, db.explain(err)
}
