package store

import (
	"context"
	"database/sql"
	"fmt"
)

// maxFavourites is the maximum number of favourites of a kind.
const maxFavourites = 10_000

// SetFavourite marks a name of a kind ("key") as a favourite, or removes the mark.
func (db *DB) SetFavourite(ctx context.Context, kind, name string, on bool) error {
	if len(kind) > maxPlanName || len(name) > maxPlanName {
		return fmt.Errorf("the name of a favourite can have at most %d bytes", maxPlanName)
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if !on {
			_, err := tx.ExecContext(ctx, "DELETE FROM favourite WHERE kind = ? AND name = ?", kind, name)
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO favourite (kind, name) VALUES (?, ?)", kind, name)
		if err != nil {
			return err
		}
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM favourite WHERE kind = ?", kind).Scan(&count); err != nil {
			return err
		}
		if count > maxFavourites {
			return fmt.Errorf("there are %d favourites already; unmark some", maxFavourites)
		}
		return nil
	})
}

// Favourites returns the favourites of a kind, sorted.
func (db *DB) Favourites(ctx context.Context, kind string) ([]string, error) {
	return db.names(ctx, "SELECT name FROM favourite WHERE kind = ? ORDER BY name", kind)
}
