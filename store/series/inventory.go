package series

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"

	"cxdeck/perf"
	"cxdeck/store/document"
	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// MaxInventory limits the JSON of an inventory that is read back, in bytes.
const MaxInventory = 16 << 20

// PackInventory returns the inventory as deflated JSON.
func PackInventory(inventory *perf.Inventory) ([]byte, error) {
	text, err := json.Marshal(inventory)
	if err != nil {
		return nil, err
	}
	return document.Deflate(text)
}

// UnpackInventory reads the result of PackInventory, and checks all indexes in it.
func UnpackInventory(packed []byte, series int) (*perf.Inventory, error) {
	text, err := document.Inflate(packed, MaxInventory)
	if err != nil {
		return nil, err
	}
	inventory := &perf.Inventory{}
	if err := document.Decode(text, inventory); err != nil {
		return nil, err
	}
	return inventory, checkInventory(inventory, series)
}

// checkInventory fails with ErrDamaged for an index outside its list: views use the indexes without a check.
func checkInventory(inventory *perf.Inventory, series int) error {
	lists := [][]int{inventory.Receive, inventory.Send, inventory.Drops}
	for i, node := range inventory.Nodes {
		if node.Parent < -1 || node.Parent >= i {
			return fmt.Errorf("row %d of the inventory has no parent before it: %w", i, fault.ErrDamaged)
		}
		lists = append(lists, node.Receive, node.Send, node.Drops)
	}
	for _, list := range lists {
		for _, index := range list {
			if index < 0 || index >= series {
				return fmt.Errorf("the inventory names series %d of %d: %w", index, series, fault.ErrDamaged)
			}
		}
	}
	return nil
}

// Inventory is the row of an inventory, and the number of the first sample that it describes.
type Inventory struct{ ID, Sample int64 }

// Inventories lists the inventories of a session in order.
func Inventories(ctx context.Context, pool *sql.DB, session int64) ([]Inventory, error) {
	return readInventories(ctx, pool, "WHERE session = ? ORDER BY id", session)
}

func readInventories(ctx context.Context, from sqlite.RowReader, condition string, arguments ...any) ([]Inventory, error) {
	rows, err := from.QueryContext(ctx, "SELECT id, sample FROM generation "+condition, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Inventory
	for rows.Next() {
		var inventory Inventory
		if err := rows.Scan(&inventory.ID, &inventory.Sample); err != nil {
			return nil, err
		}
		list = append(list, inventory)
	}
	return list, rows.Err()
}

// InventoryAt finds the inventory of a session that describes a sample, or the first one, and the sample before which the next
// inventory is valid. It is zero for a session without inventories. It reads a few rows by bisection, because a session may have
// thousands, each in a page of its own.
func InventoryAt(ctx context.Context, from sqlite.RowReader, session, sample int64) (at Inventory, until int64, err error) {
	ends, err := sqlite.Integers(ctx, from, `SELECT min(id) FROM generation WHERE session = ?1 HAVING count(*) > 0
		UNION ALL SELECT max(id) FROM generation WHERE session = ?1 HAVING count(*) > 0`, session)
	if err != nil || len(ends) < 2 {
		return at, math.MaxInt64, err
	}
	until = math.MaxInt64
	for low, high := ends[0], ends[1]; low <= high; {
		middle := low + (high-low)/2
		found, err := readInventories(ctx, from, "WHERE session = ? AND id >= ? ORDER BY id LIMIT 1", session, middle)
		switch {
		case err != nil:
			return at, until, err
		case len(found) == 0: // removed since the ends were read
			high = middle - 1
		case found[0].Sample <= sample || found[0].ID == ends[0]:
			at, low = found[0], found[0].ID+1
		default:
			until, high = min(until, found[0].Sample), middle-1
		}
	}
	return at, until, nil
}

// ReadInventory reads the inventory with an ID.
func ReadInventory(ctx context.Context, pool *sql.DB, id int64, series int) (*perf.Inventory, error) {
	var packed []byte
	if err := pool.QueryRowContext(ctx, "SELECT inventory FROM generation WHERE id = ?", id).Scan(&packed); err != nil {
		return nil, err
	}
	return UnpackInventory(packed, series)
}
