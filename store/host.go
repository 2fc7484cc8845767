package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// HostState is the host of a lab as it was left. A lab and a seed have one.
type HostState struct {
	LabHash string
	Seed    uint64
	// Name is the host's, for people.
	Name string
	// Elapsed is how long the lab had run, Time the host's time then.
	Elapsed time.Duration
	Time    time.Time
	// Saved is when it was saved, by the machine's clock; Version is the cxdeck that did.
	Saved   time.Time
	Version string
	// Data is what the host wrote down.
	Data []byte
}

// The bounds of hosts.
const (
	maximumHost     = 64 << 20 // bytes of data
	maximumHostName = 256
	// keptHosts is how many hosts are kept, the last saved ones.
	keptHosts = 16
)

// SaveHost stores a host in place of the one that its lab and seed had. A zero Saved becomes now, the version is that
// of the program.
func (db *DB) SaveHost(ctx context.Context, host HostState) error {
	switch {
	case len(host.Data) > maximumHost:
		return fmt.Errorf("the host %.40q has %d MB of state; it can have %d", host.Name, len(host.Data)>>20, maximumHost>>20)
	case len(host.Name) > maximumHostName || len(host.LabHash) > maximumHostName:
		return fmt.Errorf("the name of a host and that of a lab can have %d bytes", maximumHostName)
	case host.Saved.IsZero():
		host.Saved = db.now()
	}
	packed, err := deflate(host.Data)
	if err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO host (lab_hash, seed, name, elapsed, time, saved, version, state)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			host.LabHash, int64(host.Seed), host.Name, int64(host.Elapsed), nanoseconds(host.Time), nanoseconds(host.Saved),
			db.options.Version, packed)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM host WHERE id NOT IN (SELECT id FROM host ORDER BY saved DESC, id DESC LIMIT ?)`, keptHosts)
		return err
	})
}

const selectHost = "SELECT " + hostColumns + " FROM host"

// Host is the host of a lab and a seed; ok is false when none was saved.
func (db *DB) Host(ctx context.Context, labHash string, seed uint64) (host HostState, ok bool, err error) {
	return db.scanHost(db.reader.QueryRowContext(ctx, selectHost+" WHERE lab_hash = ? AND seed = ?", labHash, int64(seed)))
}

// NewestHost is the host that was saved last; ok is false when none was.
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
	if host.Data, err = inflate(packed, maximumHost); err != nil {
		return HostState{}, false, fmt.Errorf("the host %.40q in %s: %w", host.Name, db.Path(), err)
	}
	host.Seed, host.Elapsed = uint64(seed), time.Duration(elapsed)
	host.Time, host.Saved = instant(at), instant(saved)
	return host, true, nil
}

// DeleteHost forgets the host of a lab and a seed, and the changes of it that were begun; it is no error when there is
// none.
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
