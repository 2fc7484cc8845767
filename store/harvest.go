package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// shape is a table as its rows are stored.
type shape struct {
	name    string
	columns []tableColumn
	// ordered says that the table is a tree of its key's columns (WITHOUT ROWID) and not of row numbers.
	ordered bool
	// alias is the column that is the row number, -1 for none. Its value is not stored with the others.
	alias int
}

type tableColumn struct {
	name, kind string
	needed     bool // NOT NULL
	key        int  // its place in the key, 0 for none
}

// addedColumns is how many columns a row may lack: those that came with later versions.
const addedColumns = 2

// fits says whether values can be a row of the table.
func (s *shape) fits(values []any) bool {
	if len(values) > len(s.columns) || len(values) < max(1, len(s.columns)-addedColumns) {
		return false
	}
	for i, value := range values {
		if i == s.alias {
			if value != nil {
				return false
			}
			continue
		}
		switch value.(type) {
		case nil:
			if s.columns[i].needed {
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

// insertion is the statement that stores a row with so many values.
func (s *shape) insertion(values int) string {
	names := make([]string, values)
	for i := range names {
		names[i] = s.columns[i].name
	}
	return "INSERT OR IGNORE INTO " + s.name + " (" + strings.Join(names, ", ") + ") VALUES (?" + strings.Repeat(", ?", values-1) + ")"
}

// readShapes are the tables of a database that is whole.
func readShapes(ctx context.Context, from rowReader) (list []*shape, err error) {
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
		var c tableColumn
		if err := rows.Scan(&table, &ordered, &c.name, &c.kind, &c.needed, &c.key); err != nil {
			return nil, err
		}
		if len(list) == 0 || list[len(list)-1].name != table {
			list = append(list, &shape{name: table, ordered: ordered, alias: -1})
		}
		last := list[len(list)-1]
		last.columns = append(last.columns, c)
	}
	for _, s := range list {
		if s.ordered {
			slices.SortStableFunc(s.columns, func(a, b tableColumn) int { // the key comes first
				return keyPlace(a) - keyPlace(b)
			})
			continue
		}
		keys := 0
		for i, c := range s.columns {
			if c.key > 0 {
				keys++
				s.alias = i
			}
		}
		if keys != 1 || s.columns[s.alias].kind != "INTEGER" {
			s.alias = -1
		}
	}
	return list, rows.Err()
}

func keyPlace(c tableColumn) int {
	if c.key == 0 {
		return math.MaxInt32
	}
	return c.key
}

// harvest reads all rows of a database that can be read, page by page.
type harvest struct {
	pages  *pageFile
	shapes []*shape
	// row takes a row; an error of it ends everything. lost is told of rows of a table that can't be read, by the range of
	// their numbers.
	row  func(s *shape, key int64, values []any) error
	lost func(s *shape, after, through int64)
	// torn is told of the first values of a row of which the rest can't be read, before lost is; nil for nobody.
	torn func(s *shape, key int64, values []any) error
	// progress is told how many pages of how many are done; nil for nobody.
	progress func(done, all int)

	seen  []bool
	done  int
	roots map[int]*shape
	// children are the pages under a page by the map; made when it is needed.
	children map[int][]int
}

func (h *harvest) run() error {
	h.seen = make([]bool, h.pages.count+1)
	h.roots = map[int]*shape{}
	if err := h.schema(); err != nil {
		return err
	}
	for root, s := range h.roots {
		if s != nil {
			if err := h.tree(root, s, math.MinInt64, math.MaxInt64); err != nil {
				return err
			}
		}
	}
	if err := h.orphans(); err != nil {
		return err
	}
	if h.progress != nil {
		h.progress(h.pages.count, h.pages.count)
	}
	return nil
}

// schema finds the roots of the tables. The pages under a first page that is damaged have them too.
func (h *harvest) schema() error {
	take := &harvest{pages: h.pages, seen: h.seen, lost: func(*shape, int64, int64) {}, row: func(_ *shape, _ int64, values []any) error {
		h.root(values)
		return nil
	}}
	if err := take.tree(1, nil, math.MinInt64, math.MaxInt64); err != nil {
		return err
	}
	for number := 2; number <= h.pages.count; number++ {
		if !h.seen[number] && h.rootOf(number) == 1 {
			if err := take.tree(number, nil, math.MinInt64, math.MaxInt64); err != nil {
				return err
			}
		}
	}
	return nil
}

// root takes a row of the list of tables.
func (h *harvest) root(values []any) {
	if len(values) != 5 {
		return
	}
	kind, _ := values[0].(string)
	name, _ := values[1].(string)
	root, ok := values[3].(int64)
	if !ok || root < 2 || root > int64(h.pages.count) {
		return
	}
	var found *shape // stays nil for an index
	for _, s := range h.shapes {
		if kind == "table" && s.name == name {
			found = s
		}
	}
	h.roots[int(root)] = found
}

// visit marks a page; it is false when it was seen before or is not there.
func (h *harvest) visit(number int) bool {
	if number < 1 || number >= len(h.seen) || h.seen[number] {
		return false
	}
	h.seen[number] = true
	h.done++
	if h.progress != nil && h.done%64 == 0 {
		h.progress(h.done, h.pages.count)
	}
	return true
}

// tree reads the rows under a page whose numbers are above after, up to through.
func (h *harvest) tree(number int, s *shape, after, through int64) error {
	if !h.visit(number) {
		return nil
	}
	n, err := h.pages.node(number)
	if err != nil || s != nil && s.ordered != (n.kind == indexLeaf || n.kind == indexInterior) {
		if len(h.under(number)) == 0 { // else those pages are found by the map
			h.lost(s, after, through)
		}
		return nil
	}
	from := after
	for i := range n.cells {
		c, err := h.pages.cell(n, i)
		if c.child != 0 {
			to := through
			if n.kind == tableInterior {
				to = c.key
			}
			if err := h.tree(c.child, s, from, to); err != nil {
				return err
			}
			from = to
		}
		if n.kind == tableInterior {
			continue
		}
		if err := h.take(s, n, c, err, after, through); err != nil {
			return err
		}
	}
	if n.leaf() {
		return nil
	}
	return h.tree(n.right, s, from, through)
}

// take hands the row of a cell on.
func (h *harvest) take(s *shape, n *node, c cell, problem error, after, through int64) error {
	var values []any
	if problem == nil {
		values, problem = recordValues(c.payload)
	}
	if problem == nil && s != nil && !s.fits(values) {
		problem = errPage
	}
	if problem != nil {
		if n.kind == tableLeaf && c.key > after && c.key <= through {
			after, through = c.key-1, c.key
			if values, _ := recordValues(c.payload); h.torn != nil && s != nil && len(values) > 0 {
				if err := h.torn(s, c.key, values); err != nil {
					return err
				}
			}
		}
		h.lost(s, after, through)
		return nil
	}
	return h.row(s, c.key, values)
}

// under are the pages that the map has under a page.
func (h *harvest) under(number int) []int {
	if h.children == nil {
		h.children = map[int][]int{}
		for child := 3; child <= h.pages.count; child++ {
			if kind, parent, ok := h.pages.owner(child); ok && kind == mapTree {
				h.children[parent] = append(h.children[parent], child)
			}
		}
	}
	return h.children[number]
}

// deepest is more than the levels of any tree.
const deepest = 64

// rootOf is the root of the tree that a page belongs to by the map; 0 for a page of none.
func (h *harvest) rootOf(number int) int {
	for range deepest {
		if number == 1 {
			return 1
		}
		kind, parent, ok := h.pages.owner(number)
		switch {
		case ok && kind == mapRoot:
			return number
		case !ok || kind != mapTree:
			return 0
		}
		number = parent
	}
	return 0
}

// orphans reads the pages that no tree led to, because a page above them is damaged.
func (h *harvest) orphans() error {
	var free map[int]bool
	if !h.pages.mapped {
		free = h.freePages()
	}
	for number := 2; number <= h.pages.count; number++ {
		if h.seen[number] || free[number] {
			continue
		}
		var s *shape
		if h.pages.mapped {
			root := h.rootOf(number)
			var known bool
			if s, known = h.roots[root]; root == 0 || root == 1 || known && s == nil {
				continue
			}
		}
		n, err := h.pages.node(number)
		if err != nil || n.kind == tableInterior {
			continue
		}
		h.visit(number)
		if err := h.orphan(n, s); err != nil {
			return err
		}
	}
	return nil
}

// orphan reads the rows of a page. Without a table it is all those into which all of its rows fit.
func (h *harvest) orphan(n *node, s *shape) error {
	tables := []*shape{s}
	if s == nil {
		tables = nil
		for _, one := range h.shapes {
			if one.ordered == (n.kind != tableLeaf) && h.allFit(n, one) {
				tables = append(tables, one)
			}
		}
	}
	for _, table := range tables {
		for i := range n.cells {
			c, err := h.pages.cell(n, i)
			if err := h.take(table, n, c, err, math.MinInt64, math.MaxInt64); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *harvest) allFit(n *node, s *shape) bool {
	found := false
	for i := range n.cells {
		c, err := h.pages.cell(n, i)
		if err != nil {
			continue
		}
		values, err := recordValues(c.payload)
		if err != nil || !s.fits(values) {
			return false
		}
		found = true
	}
	return found
}

// freePages are the pages that the list of free pages has.
func (h *harvest) freePages() map[int]bool {
	free := map[int]bool{}
	first, err := h.pages.page(1)
	if err != nil {
		return free
	}
	for trunk := int(binary.BigEndian.Uint32(first[32:])); trunk != 0 && !free[trunk]; {
		page, err := h.pages.page(trunk)
		if err != nil {
			break
		}
		free[trunk] = true
		for i := range min(int(binary.BigEndian.Uint32(page[4:])), h.pages.usable/4-2) {
			free[int(binary.BigEndian.Uint32(page[8+4*i:]))] = true
		}
		trunk = int(binary.BigEndian.Uint32(page))
	}
	return free
}

// looksOurs says whether there are rows of sessions or their windows in the first pages of a file whose header is not,
// or no longer, that of a history.
func looksOurs(ctx context.Context, path string) bool {
	shapes, err := newestShapes(ctx)
	if err != nil {
		return false
	}
	pages, err := openPages(path)
	if err != nil {
		return false
	}
	defer pages.close() //nolint:errcheck // nothing was written
	h := harvest{pages: pages, shapes: shapes}
	for number := 2; number <= min(pages.count, mostProbed); number++ {
		n, err := pages.node(number)
		if err != nil || n.kind != tableLeaf {
			continue
		}
		for _, s := range shapes {
			if (s.name == "session" || s.name == "clock") && h.allFit(n, s) {
				return true
			}
		}
	}
	return false
}

// mostProbed is how many pages are looked at to find out whose a file is.
const mostProbed = 1024

// newestShapes are the tables of the newest version.
func newestShapes(ctx context.Context) ([]*shape, error) {
	memory := sql.OpenDB(inMemory{&sqlite3.SQLiteDriver{}})
	defer memory.Close() //nolint:errcheck // nothing is kept there
	memory.SetMaxOpenConns(1)
	if err := migrate(ctx, memory, schemaVersion); err != nil {
		return nil, err
	}
	return readShapes(ctx, memory)
}
