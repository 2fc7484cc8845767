package salvage

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
)

// Table describes the stored rows of a table.
type Table struct {
	Name    string
	columns []column
	// Ordered reports that the table's tree is ordered by its key columns (WITHOUT ROWID) instead of rowids.
	Ordered bool
	// RowIDAlias is the INTEGER PRIMARY KEY column, -1 for none: its value is the rowid and is not stored with the others.
	RowIDAlias int
}

type column struct {
	name, kind string
	required   bool // NOT NULL
	key        int  // its position in the key, 0 for none
}

// addedColumns is the maximum number of missing columns in a row: later versions added some.
const addedColumns = 2

// acceptsRow reports whether values can be a row of the table.
func (s *Table) acceptsRow(values []any) bool {
	if len(values) > len(s.columns) || len(values) < max(1, len(s.columns)-addedColumns) {
		return false
	}
	for i, value := range values {
		if i == s.RowIDAlias {
			if value != nil {
				return false
			}
			continue
		}
		switch value.(type) {
		case nil:
			if s.columns[i].required {
				return false
			}
		case int64:
			if s.columns[i].kind != "INTEGER" && s.columns[i].kind != "REAL" {
				return false
			}
		case float64:
			if s.columns[i].kind != "REAL" {
				return false
			}
		case string:
			if s.columns[i].kind != "TEXT" {
				return false
			}
		case []byte:
			if s.columns[i].kind != "BLOB" {
				return false
			}
		}
	}
	return true
}

// Column returns the index of a column, -1 when the table has no column of the name.
func (s *Table) Column(name string) int {
	return slices.IndexFunc(s.columns, func(c column) bool { return c.name == name })
}

// Insertion returns the statement that stores a row with the given number of values.
func (s *Table) Insertion(values int) string {
	names := make([]string, values)
	for i := range names {
		names[i] = s.columns[i].name
	}
	return "INSERT OR IGNORE INTO " + s.Name + " (" + strings.Join(names, ", ") + ") VALUES (?" + strings.Repeat(", ?", values-1) + ")"
}

// querier is a connection pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
}

// ReadTables reads the tables of an undamaged database.
func ReadTables(ctx context.Context, from querier) (list []*Table, err error) {
	rows, err := from.QueryContext(ctx, `SELECT t.name, t.wr, c.name, c.type, c."notnull", c.pk
		FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var table string
		var ordered bool
		var c column
		if err := rows.Scan(&table, &ordered, &c.name, &c.kind, &c.required, &c.key); err != nil {
			return nil, err
		}
		if len(list) == 0 || list[len(list)-1].Name != table {
			list = append(list, &Table{Name: table, Ordered: ordered, RowIDAlias: -1})
		}
		last := list[len(list)-1]
		last.columns = append(last.columns, c)
	}
	for _, s := range list {
		if s.Ordered {
			slices.SortStableFunc(s.columns, func(a, b column) int { // the key comes first
				return keyPlace(a) - keyPlace(b)
			})
			continue
		}
		keys := 0
		for i, c := range s.columns {
			if c.key > 0 {
				keys++
				s.RowIDAlias = i
			}
		}
		if keys != 1 || s.columns[s.RowIDAlias].kind != "INTEGER" {
			s.RowIDAlias = -1
		}
	}
	return list, rows.Err()
}

func keyPlace(c column) int {
	if c.key == 0 {
		return math.MaxInt32
	}
	return c.key
}
