package store

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/series"
)

// generation is a schema and an inventory, and the number of the first sample that they describe.
type generation struct {
	schema    *perf.Schema
	inventory *perf.Inventory
	sample    int64
}

// schemaLog writes the schemas and inventories of a session. The health remarks of an inventory may contain rates, which change
// with each sample: of inventories that differ in nothing else, it writes one per window, and the last.
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
		if g.schema == l.written.schema && equalExceptHealth(g.inventory, l.written.inventory) {
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
		added, err := series.Store(ctx, tx, session, g.schema.Series)
		if err != nil {
			return fmt.Errorf("store the list of series: %w", err)
		}
		t.bytes += added
		t.series = int64(len(g.schema.Series))
	}
	packed, err := series.PackInventory(g.inventory)
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

// equalExceptHealth reports whether two inventories differ only in remarks on health.
func equalExceptHealth(a, b *perf.Inventory) bool {
	if a == nil || b == nil || len(a.Nodes) != len(b.Nodes) {
		return a == b
	}
	for i := range a.Nodes {
		node, other := a.Nodes[i], b.Nodes[i]
		node.Health, other.Health = nil, nil
		if !reflect.DeepEqual(node, other) {
			return false
		}
	}
	copied, other := *a, *b
	copied.Nodes, other.Nodes = nil, nil
	return reflect.DeepEqual(copied, other)
}
