package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// KeptHost is a host that was set aside, with its number. Its Data is there only where one is asked for.
type KeptHost struct {
	HostState
	ID int64
	// Kept is when it was set aside, by the machine's clock, and Why says the reason.
	Kept time.Time
	Why  string
}

// ErrNoHost is a number that no host that was set aside has.
var ErrNoHost = errors.New("there is no such host")

// The columns of a host, with and without its state. One that is set aside has three more of its own.
const (
	hostColumns = aboutHost + ", state"
	aboutHost   = "lab_hash, seed, name, elapsed, time, saved, version"
)

// maximumWhy bounds the reason that is kept, in bytes.
const maximumWhy = 4096

// KeepHost sets the host of a lab and a seed aside, as it is stored, and gives its number; the lab and seed have none
// then. Changes of it that were begun are forgotten. ok is false when there is no such host.
func (db *DB) KeepHost(ctx context.Context, labHash string, seed uint64, why string) (id int64, ok bool, err error) {
	err = db.write(ctx, func(tx *sql.Tx) (err error) {
		if id, ok, err = db.copyHost(ctx, tx, labHash, seed, why); err != nil || !ok {
			return err
		}
		return deleteHost(ctx, tx, labHash, seed)
	})
	return id, ok, err
}

// CopyHost keeps a copy of the host of a lab and a seed, which stays where it is, and gives the number of the copy. A
// host that was copied as it was saved last is not copied again.
func (db *DB) CopyHost(ctx context.Context, labHash string, seed uint64, why string) (id int64, ok bool, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT kept_host.id FROM kept_host JOIN host USING (lab_hash, seed, saved)
			WHERE lab_hash = ? AND seed = ? ORDER BY kept_host.id LIMIT 1`, labHash, int64(seed)).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			ok = err == nil
			return err
		}
		id, ok, err = db.copyHost(ctx, tx, labHash, seed, why)
		return err
	})
	return id, ok, err
}

// copyHost copies a host as it is stored: what can't be read need not be read for that.
func (db *DB) copyHost(
	ctx context.Context, tx *sql.Tx, labHash string, seed uint64, why string,
) (id int64, ok bool, err error) {
	done, err := tx.ExecContext(ctx, "INSERT INTO kept_host ("+hostColumns+", kept, why) SELECT "+hostColumns+
		", ?, ? FROM host WHERE lab_hash = ? AND seed = ?",
		nanoseconds(db.now()), why[:min(len(why), maximumWhy)], labHash, int64(seed))
	if err != nil {
		return 0, false, err
	}
	n, err := done.RowsAffected()
	if err != nil || n == 0 {
		return 0, false, err
	}
	id, err = done.LastInsertId()
	return id, true, err
}

// RestoreHost makes a host that was set aside the one of its lab and seed, and keeps the one that it replaces: replaced
// is its number then, or 0 where there was none. It fails with ErrNoHost.
func (db *DB) RestoreHost(ctx context.Context, id int64) (replaced int64, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		var labHash string
		var seed int64
		err := tx.QueryRowContext(ctx, "SELECT lab_hash, seed FROM kept_host WHERE id = ?", id).Scan(&labHash, &seed)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("host %d: %w", id, ErrNoHost)
		}
		if err != nil {
			return err
		}
		why := fmt.Sprintf("replaced by host %d", id)
		if replaced, _, err = db.copyHost(ctx, tx, labHash, uint64(seed), why); err != nil {
			return err
		}
		if err := deleteHost(ctx, tx, labHash, uint64(seed)); err != nil {
			return err
		}
		// It counts as saved now: of too many hosts, the first saved ones are forgotten.
		if _, err := tx.ExecContext(ctx, "INSERT INTO host ("+hostColumns+
			") SELECT lab_hash, seed, name, elapsed, time, ?, version, state FROM kept_host WHERE id = ?",
			nanoseconds(db.now()), id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM kept_host WHERE id = ?", id)
		return err
	})
	return replaced, err
}

// KeptHosts are the hosts that were set aside, oldest first, without their Data.
func (db *DB) KeptHosts(ctx context.Context) (list []KeptHost, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT id, kept, why, "+aboutHost+" FROM kept_host ORDER BY id")
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var one KeptHost
		var kept int64
		if err := scanState(rows.Scan, &one.HostState, &one.ID, &kept, &one.Why); err != nil {
			return nil, explain(db.path, err)
		}
		one.Kept = instant(kept)
		list = append(list, one)
	}
	return list, explain(db.path, rows.Err())
}

// KeptHostData is what a host that was set aside had written down. It fails with ErrNoHost.
func (db *DB) KeptHostData(ctx context.Context, id int64) ([]byte, error) {
	var packed []byte
	err := db.reader.QueryRowContext(ctx, "SELECT state FROM kept_host WHERE id = ?", id).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("host %d: %w", id, ErrNoHost)
	}
	if err != nil {
		return nil, explain(db.path, err)
	}
	return inflate(packed, maximumHost)
}

// Hosts are the hosts of all labs and seeds, the one that was saved last first, without their Data.
func (db *DB) Hosts(ctx context.Context) (list []HostState, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT "+aboutHost+" FROM host ORDER BY saved DESC, id DESC")
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var one HostState
		if err := scanState(rows.Scan, &one); err != nil {
			return nil, explain(db.path, err)
		}
		list = append(list, one)
	}
	return list, explain(db.path, rows.Err())
}

// scanState reads the columns of a host but its state, after some others.
func scanState(scan func(...any) error, into *HostState, before ...any) error {
	var seed, elapsed, at, saved int64
	err := scan(append(before, &into.LabHash, &seed, &into.Name, &elapsed, &at, &saved, &into.Version)...)
	into.Seed, into.Elapsed = uint64(seed), time.Duration(elapsed)
	into.Time, into.Saved = instant(at), instant(saved)
	return err
}
