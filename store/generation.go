package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"cxdeck/perf"
	"cxdeck/store/codec"
)

// maxInventory bounds the JSON of an inventory that is read back.
const maxInventory = 16 << 20

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
	pending generation // differs only in health from the written one; waits for the next window
	written generation
}

func (l *schemaLog) clone() schemaLog {
	copied := *l
	copied.waiting = slices.Clone(l.waiting)
	return copied
}

func (l *schemaLog) add(g generation) { l.waiting = append(l.waiting, g) }

// write writes the pending inventory.
func (l *schemaLog) write(ctx context.Context, tx *sql.Tx, session, samples int64, last bool, t *totals) error {
	for _, g := range l.waiting {
		if g.schema == l.written.schema && sameButHealth(g.inventory, l.written.inventory) {
			l.pending = g
			continue
		}
		if err := l.insert(ctx, tx, session, g, t); err != nil {
			return err
		}
	}
	clear(l.waiting)
	l.waiting = l.waiting[:0]
	if l.pending.schema == nil || !last && samples < l.written.sample+codec.WindowSamples {
		return nil
	}
	return l.insert(ctx, tx, session, l.pending, t)
}

func (l *schemaLog) insert(ctx context.Context, tx *sql.Tx, session int64, g generation, t *totals) error {
	if g.schema != l.written.schema {
		added, err := storeList(ctx, tx, session, g.schema.Series)
		if err != nil {
			return fmt.Errorf("store the list of series: %w", err)
		}
		t.bytes += added
		t.series = int64(len(g.schema.Series))
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
	l.written, l.pending = g, generation{}
	return nil
}

// sameButHealth says whether two inventories differ only in remarks on health.
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

// packInventory is the inventory as deflated JSON.
func packInventory(inventory *perf.Inventory) ([]byte, error) {
	text, err := json.Marshal(inventory)
	if err != nil {
		return nil, err
	}
	return deflate(text)
}

// unpackInventory reads what packInventory wrote, and makes sure that no index in it leads outside.
func unpackInventory(packed []byte, series int) (*perf.Inventory, error) {
	text, err := inflate(packed, maxInventory)
	if err != nil {
		return nil, err
	}
	inventory := &perf.Inventory{}
	if err := decodeJSON(text, inventory); err != nil {
		return nil, err
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

// storedInventory is where an inventory lies and the number of the sample that it came before.
type storedInventory struct{ id, sample int64 }

// listInventories lists the inventories of a session in order.
func (db *DB) listInventories(ctx context.Context, session int64) ([]storedInventory, error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT id, sample FROM generation WHERE session = ? ORDER BY id", session)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	var list []storedInventory
	for rows.Next() {
		var one storedInventory
		if err := rows.Scan(&one.id, &one.sample); err != nil {
			return nil, db.explain(err)
		}
		list = append(list, one)
	}
	return list, db.explain(rows.Err())
}

// readInventory reads one of them.
func (db *DB) readInventory(ctx context.Context, id int64, series int) (*perf.Inventory, error) {
	var packed []byte
	if err := db.reader.QueryRowContext(ctx, "SELECT inventory FROM generation WHERE id = ?", id).Scan(&packed); err != nil {
		return nil, db.explain(err)
	}
	return unpackInventory(packed, series)
}
