package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"cxdeck/store/document"
	"cxdeck/store/sqlite"
)

// HostState is the saved host of a lab and seed.
type HostState struct {
	LabHash string
	Seed    uint64
	// Name is the host's display name.
	Name string
	// Elapsed is the running time of the lab when the host was saved, Time the host's clock.
	Elapsed time.Duration
	Time    time.Time
	// Saved is the time of saving, by the machine's clock; Version is the version of cxdeck that saved it.
	Saved   time.Time
	Version string
	// Data is the host's encoded state.
	Data []byte
}

const (
	maxHostName = 256
	// keptHosts is the maximum number of hosts; the oldest are deleted first.
	keptHosts = 16
)

// SaveHost stores a host, replacing the host of the same lab and seed. A session that records it gets a snapshot of it. A zero
// Saved becomes now; Version becomes the program's.
func (db *DB) SaveHost(ctx context.Context, host HostState) error {
	switch {
	case len(host.Data) > document.MaxHost:
		return fmt.Errorf("the host %.40q has %d MB of state; it can have at most %d", host.Name, len(host.Data)>>20, document.MaxHost>>20)
	case len(host.Name) > maxHostName || len(host.LabHash) > maxHostName:
		return fmt.Errorf("the name of a host or lab can have at most %d bytes", maxHostName)
	case host.Saved.IsZero():
		host.Saved = db.now()
	}
	packed, err := document.Deflate(host.Data)
	if err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO host (lab_hash, seed, name, elapsed, time, saved, version, state)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			host.LabHash, int64(host.Seed), host.Name, int64(host.Elapsed), sqlite.Nanoseconds(host.Time), sqlite.Nanoseconds(host.Saved),
			db.options.Version, packed)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM host WHERE id NOT IN (SELECT id FROM host ORDER BY saved DESC, id DESC LIMIT ?)`, keptHosts)
		if err != nil {
			return err
		}
		return db.saveSnapshot(ctx, tx, &host, packed)
	})
}

const selectHost = "SELECT " + hostColumns + " FROM host"

// Host returns the host of a lab and a seed; ok is false when none was saved.
func (db *DB) Host(ctx context.Context, labHash string, seed uint64) (host HostState, ok bool, err error) {
	return db.scanHost(db.reader.QueryRowContext(ctx, selectHost+" WHERE lab_hash = ? AND seed = ?", labHash, int64(seed)))
}

// NewestHost returns the host that was saved last; ok is false when there is none.
func (db *DB) NewestHost(ctx context.Context) (host HostState, ok bool, err error) {
	return db.scanHost(db.reader.QueryRowContext(ctx, selectHost+" ORDER BY saved DESC, id DESC LIMIT 1"))
}

func (db *DB) scanHost(row *sql.Row) (host HostState, ok bool, err error) {
	var seed, elapsed, at, saved int64
	var packed []byte
	err = row.Scan(&host.LabHash, &seed, &host.Name, &elapsed, &at, &saved, &host.Version, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return HostState{}, false, nil
	}
	if err != nil {
		return HostState{}, false, db.explain(err)
	}
	if host.Data, err = document.Inflate(packed, document.MaxHost); err != nil {
		return HostState{}, false, fmt.Errorf("the host %.40q in %s: %w", host.Name, db.Path(), err)
	}
	host.Seed, host.Elapsed = uint64(seed), time.Duration(elapsed)
	host.Time, host.Saved = sqlite.Instant(at), sqlite.Instant(saved)
	return host, true, nil
}

// DeleteHost deletes the host of a lab and a seed, and its begun changes; it is not an error when there is none.
func (db *DB) DeleteHost(ctx context.Context, labHash string, seed uint64) error {
	return db.write(ctx, func(tx *sql.Tx) error { return deleteHost(ctx, tx, labHash, seed) })
}

func deleteHost(ctx context.Context, tx *sql.Tx, labHash string, seed uint64) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM begun WHERE lab_hash = ? AND seed = ?", labHash, int64(seed)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM host WHERE lab_hash = ? AND seed = ?", labHash, int64(seed))
	return err
}
