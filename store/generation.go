package store

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"cxdeck/perf"
)

// The bounds of what is read back.
const (
	maximumSeries    = 1 << 21
	maximumInventory = 32 << 20 // bytes of JSON
)

// generation is a schema and inventory, and the number of the session's sample that they came before.
type generation struct {
	schema    *perf.Schema
	inventory *perf.Inventory
	sample    int64
}

// schemaLog writes the schemas and inventories of a session. The remarks on health in an inventory may have rates in
// them that change with each sample; of inventories that differ in nothing else, one a window is kept, and the last.
type schemaLog struct {
	waiting []generation
	held    generation // differs in health from what is written, and waits for the window to go by
	written generation
}

func (l *schemaLog) add(g generation) { l.waiting = append(l.waiting, g) }

// write writes what waits.
func (l *schemaLog) write(ctx context.Context, tx *sql.Tx, session, samples int64, last bool, t *totals) error {
	for _, g := range l.waiting {
		if g.schema == l.written.schema && sameButHealth(g.inventory, l.written.inventory) {
			l.held = g
			continue
		}
		if err := l.insert(ctx, tx, session, g, t); err != nil {
			return err
		}
	}
	clear(l.waiting)
	l.waiting = l.waiting[:0]
	if l.held.schema == nil || !last && samples < l.written.sample+windowSamples {
		return nil
	}
	return l.insert(ctx, tx, session, l.held, t)
}

func (l *schemaLog) insert(ctx context.Context, tx *sql.Tx, session int64, g generation, t *totals) error {
	if g.schema != l.written.schema {
		if err := l.insertSeries(ctx, tx, session, g.schema.Series, t); err != nil {
			return err
		}
	}
	packed, err := packInventory(g.inventory)
	if err != nil {
		return fmt.Errorf("encode the inventory: %w", err)
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO generation (session, number, sample, series, cells, inventory) VALUES (?, ?, ?, ?, ?, ?)",
		session, int64(g.schema.Generation), g.sample, len(g.schema.Series), g.schema.Cells, packed)
	if err != nil {
		return err
	}
	t.bytes += int64(len(packed))
	l.written, l.held = g, generation{}
	return nil
}

// insertSeries writes those series that are new or differ.
func (l *schemaLog) insertSeries(ctx context.Context, tx *sql.Tx, session int64, series []perf.Series, t *totals) error {
	insert, err := tx.PrepareContext(ctx, `INSERT OR REPLACE INTO series
		(session, number, set_name, instance, counter, kind, unit, cell, scale, width, line, total)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	var written []perf.Series
	if l.written.schema != nil {
		written = l.written.schema.Series
	}
	for i, s := range series {
		if i < len(written) && written[i] == s {
			continue
		}
		_, err := insert.ExecContext(ctx, session, i, s.Set, s.Instance, s.Counter, int(s.Kind), string(s.Unit), s.Cell,
			s.Scale, int(s.Width), int64(s.Line), s.Sum)
		if err != nil {
			return err
		}
		t.bytes += int64(len(s.Set) + len(s.Instance) + len(s.Counter) + len(s.Unit) + len(s.Sum))
	}
	t.series = int64(len(series))
	return nil
}

// sameButHealth says whether two inventories differ in nothing but remarks on health.
func sameButHealth(a, b *perf.Inventory) bool {
	if a == nil || b == nil || len(a.Nodes) != len(b.Nodes) {
		return a == b
	}
	for i := range a.Nodes {
		one, other := a.Nodes[i], b.Nodes[i]
		one.Health, other.Health = nil, nil
		if !reflect.DeepEqual(one, other) {
			return false
		}
	}
	one, other := *a, *b
	one.Nodes, other.Nodes = nil, nil
	return reflect.DeepEqual(one, other)
}

// packInventory is the inventory as deflated JSON: the same few words again and again, it becomes about a tenth.
func packInventory(inventory *perf.Inventory) ([]byte, error) {
	text, err := json.Marshal(inventory)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := deflate.Write(text); err != nil {
		return nil, err
	}
	if err := deflate.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// unpackInventory reads what packInventory wrote, and makes sure that no index in it leads outside.
func unpackInventory(packed []byte, series int) (*perf.Inventory, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maximumInventory))
	if err != nil {
		return nil, errors.Join(err, ErrDamaged)
	}
	inventory := &perf.Inventory{}
	if err := json.Unmarshal(text, inventory); err != nil {
		return nil, errors.Join(err, ErrDamaged)
	}
	return inventory, checkInventory(inventory, series)
}

// checkInventory makes sure that no index leads outside: views use them without asking.
func checkInventory(inventory *perf.Inventory, series int) error {
	lists := [][]int{inventory.Receive, inventory.Send, inventory.Drops}
	for i, node := range inventory.Nodes {
		if node.Parent < -1 || node.Parent >= i {
			return fmt.Errorf("row %d of the inventory has no parent before it: %w", i, ErrDamaged)
		}
		lists = append(lists, node.Receive, node.Send, node.Drops)
	}
	for _, list := range lists {
		for _, index := range list {
			if index < 0 || index >= series {
				return fmt.Errorf("the inventory names series %d of %d: %w", index, series, ErrDamaged)
			}
		}
	}
	return nil
}

// readSchema reads the newest schema of a session; earlier ones are its beginnings.
func (db *DB) readSchema(ctx context.Context, session int64) (*perf.Schema, error) {
	var number, count, cells int64
	err := db.reader.QueryRowContext(ctx, `SELECT COALESCE(MAX(number), 0), COALESCE(MAX(series), 0), COALESCE(MAX(cells), 0)
		FROM generation WHERE session = ?`, session).Scan(&number, &count, &cells)
	if err != nil {
		return nil, explain(db.path, err)
	}
	if cells < 0 || cells > MaximumCells || count < 0 || count > maximumSeries {
		return nil, fmt.Errorf("the schema of session %d is impossible: %w", session, ErrDamaged)
	}
	rows, err := db.reader.QueryContext(ctx, `SELECT set_name, instance, counter, kind, unit, cell, scale, width, line, total
		FROM series WHERE session = ? ORDER BY number LIMIT ?`, session, count)
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	var series []perf.Series
	for rows.Next() {
		var s perf.Series
		var line int64
		err := rows.Scan(&s.Set, &s.Instance, &s.Counter, &s.Kind, &s.Unit, &s.Cell, &s.Scale, &s.Width, &line, &s.Sum)
		if err != nil {
			return nil, explain(db.path, err)
		}
		s.Line = uint64(line)
		series = append(series, s)
	}
	if err := rows.Err(); err != nil {
		return nil, explain(db.path, err)
	}
	schema, err := perf.NewSchema(uint64(number), int(cells), series)
	if err != nil {
		return nil, fmt.Errorf("the schema of session %d: %w", session, errors.Join(err, ErrDamaged))
	}
	return schema, nil
}

// storedInventory is where an inventory lies and the number of the sample that it came before.
type storedInventory struct{ id, sample int64 }

// listInventories lists the inventories of a session in order.
func (db *DB) listInventories(ctx context.Context, session int64) ([]storedInventory, error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT id, sample FROM generation WHERE session = ? ORDER BY id", session)
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	var list []storedInventory
	for rows.Next() {
		var one storedInventory
		if err := rows.Scan(&one.id, &one.sample); err != nil {
			return nil, explain(db.path, err)
		}
		list = append(list, one)
	}
	return list, explain(db.path, rows.Err())
}

// readInventory reads one of them.
func (db *DB) readInventory(ctx context.Context, id int64, series int) (*perf.Inventory, error) {
	var packed []byte
	if err := db.reader.QueryRowContext(ctx, "SELECT inventory FROM generation WHERE id = ?", id).Scan(&packed); err != nil {
		return nil, explain(db.path, err)
	}
	return unpackInventory(packed, series)
}
