package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"cxdeck/store/document"
	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// KeptHost is a host that was set aside, with its number. Its Data is empty: KeptHostData reads it.
type KeptHost struct {
	HostState
	ID int64
	// Kept is the time at which it was set aside, by the machine's clock; Why is the reason.
	Kept time.Time
	Why  string
}

// ErrNoHost reports that no kept host has the number.
var ErrNoHost = errors.New("there is no such host")

// The columns of a host, with and without its state. A kept host has three more.
const (
	hostColumns = aboutHost + ", state"
	aboutHost   = "lab_hash, seed, name, elapsed, time, saved, version"
)

// maxWhy limits the stored reason, in bytes.
const maxWhy = 4096

// KeepHost sets the host of a lab and a seed aside, as it is stored, and returns its number; the lab and seed then have
// no host. Its begun changes are deleted. ok is false when there is no such host.
func (db *DB) KeepHost(ctx context.Context, labHash string, seed uint64, why string) (id int64, ok bool, err error) {
	err = db.write(ctx, func(tx *sql.Tx) (err error) {
		if id, ok, err = db.copyHost(ctx, tx, labHash, seed, why); err != nil || !ok {
			return err
		}
		return deleteHost(ctx, tx, labHash, seed)
	})
	return id, ok, err
}

// CopyHost keeps a copy of the host of a lab and a seed, and returns the number of the copy; the host stays the current one. A
// host that did not change since its last copy is not copied again.
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

// copyHost copies a host as it is stored, without decoding it.
func (db *DB) copyHost(
	ctx context.Context, tx *sql.Tx, labHash string, seed uint64, why string,
) (id int64, ok bool, err error) {
	done, err := tx.ExecContext(ctx, "INSERT INTO kept_host ("+hostColumns+", kept, why) SELECT "+hostColumns+
		", ?, ? FROM host WHERE lab_hash = ? AND seed = ?",
		sqlite.Nanoseconds(db.now()), why[:min(len(why), maxWhy)], labHash, int64(seed))
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

// RestoreHost makes a kept host the current one of its lab and seed, and keeps the one that it replaces: replaced is
// its number, or 0 for none. It fails with ErrNoHost.
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
		// It is saved with the current time: beyond the limit, the oldest hosts are deleted.
		if _, err := tx.ExecContext(ctx, "INSERT INTO host ("+hostColumns+
			") SELECT lab_hash, seed, name, elapsed, time, ?, version, state FROM kept_host WHERE id = ?",
			sqlite.Nanoseconds(db.now()), id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM kept_host WHERE id = ?", id)
		return err
	})
	return replaced, err
}

// KeptHosts returns the hosts that were set aside, oldest first, without their Data.
func (db *DB) KeptHosts(ctx context.Context) (list []KeptHost, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT id, kept, why, "+aboutHost+" FROM kept_host ORDER BY id")
	if err != nil {
		return nil, fault.Explain(db.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var host KeptHost
		var kept int64
		if err := scanState(rows.Scan, &host.HostState, &host.ID, &kept, &host.Why); err != nil {
			return nil, fault.Explain(db.path, err)
		}
		host.Kept = sqlite.Instant(kept)
		list = append(list, host)
	}
	return list, fault.Explain(db.path, rows.Err())
}

// KeptHostData returns the encoded state of a kept host. It fails with ErrNoHost.
func (db *DB) KeptHostData(ctx context.Context, id int64) ([]byte, error) {
	var packed []byte
	err := db.reader.QueryRowContext(ctx, "SELECT state FROM kept_host WHERE id = ?", id).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("host %d: %w", id, ErrNoHost)
	}
	if err != nil {
		return nil, fault.Explain(db.path, err)
	}
	return document.Inflate(packed, document.MaxHost)
}

// Hosts returns the current hosts of all labs and seeds, newest first, without their Data.
func (db *DB) Hosts(ctx context.Context) (list []HostState, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT "+aboutHost+" FROM host ORDER BY saved DESC, id DESC")
	if err != nil {
		return nil, fault.Explain(db.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var state HostState
		if err := scanState(rows.Scan, &state); err != nil {
			return nil, fault.Explain(db.path, err)
		}
		list = append(list, state)
	}
	return list, fault.Explain(db.path, rows.Err())
}

// scanState reads the columns aboutHost into a host; before are the destinations of the columns in front of them.
func scanState(scan func(...any) error, into *HostState, before ...any) error {
	var seed, elapsed, at, saved int64
	err := scan(append(before, &into.LabHash, &seed, &into.Name, &elapsed, &at, &saved, &into.Version)...)
	into.Seed, into.Elapsed = uint64(seed), time.Duration(elapsed)
	into.Time, into.Saved = sqlite.Instant(at), sqlite.Instant(saved)
	return err
}
