package salvage

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Harvest reads all readable rows of a database, page by page.
type Harvest struct {
	Pages  *File
	Tables []*Table
	// Row is called for each row; its error ends Run. Lost is called for unreadable rows of a table, with the range of their
	// numbers.
	Row  func(s *Table, key int64, values []any) error
	Lost func(s *Table, after, through int64)
	// Torn is called with the first values of a row whose rest can't be read, before Lost; it may be nil.
	Torn func(s *Table, key int64, values []any) error
	// Progress is called with the number of finished pages and of all pages; it may be nil.
	Progress func(done, all int)
	// Strict reads a database that must be undamaged. It does not search for pages outside the trees; a page that is missing or
	// in two trees is lost, and so is a row in the wrong place.
	Strict bool

	seen  []bool
	done  int
	depth int
	roots map[int]*Table
	// schemaLost reports that a part of sqlite_schema could not be read.
	schemaLost bool
	// children are the pages under a page, from the pointer map; it is built on first use.
	children map[int][]int
}

// Run reads all rows of all tables. It fails only with an error of Row or Torn.
func (h *Harvest) Run() error {
	h.seen = make([]bool, h.Pages.Count+1)
	h.roots = map[int]*Table{}
	if err := h.schema(); err != nil {
		return err
	}
	for _, root := range slices.Sorted(maps.Keys(h.roots)) {
		if s := h.roots[root]; s != nil {
			if err := h.tree(root, s, math.MinInt64, math.MaxInt64); err != nil {
				return err
			}
		}
	}
	if !h.Strict {
		if err := h.readOrphans(); err != nil {
			return err
		}
	}
	if h.Progress != nil {
		h.Progress(h.Pages.Count, h.Pages.Count)
	}
	return nil
}

// Missing returns the tables that the database does not list. It is empty when a part of the list could not be read.
func (h *Harvest) Missing() (list []*Table) {
	if h.schemaLost {
		return nil
	}
	listed := map[*Table]bool{}
	for _, s := range h.roots {
		listed[s] = true
	}
	for _, s := range h.Tables {
		if !listed[s] {
			list = append(list, s)
		}
	}
	return list
}

// schema finds the roots of the tables. If the first page is damaged, it reads the pages below it.
func (h *Harvest) schema() error {
	take := &Harvest{Pages: h.Pages, seen: h.seen, Lost: func(*Table, int64, int64) { h.schemaLost = true }, Row: func(_ *Table, _ int64, values []any) error {
		h.root(values)
		return nil
	}}
	if err := take.tree(1, nil, math.MinInt64, math.MaxInt64); err != nil || h.Strict {
		return err
	}
	for number := 2; number <= h.Pages.Count; number++ {
		if !h.seen[number] && h.RootOf(number) == 1 {
			if err := take.tree(number, nil, math.MinInt64, math.MaxInt64); err != nil {
				return err
			}
		}
	}
	return nil
}

// Object is a table, index, view or trigger as a database lists it.
type Object struct {
	Kind, Name, Table, SQL string
	// Root is the first page of its tree, 0 where it has none.
	Root int64
}

// Objects reads the tables, indexes, views and triggers in sqlite_schema. It fails when a part of it can't be read.
func (p *File) Objects() (list []Object, err error) {
	lost := false
	h := &Harvest{Pages: p, seen: make([]bool, p.Count+1), Strict: true, Lost: func(*Table, int64, int64) { lost = true },
		Row: func(_ *Table, _ int64, values []any) error {
			if len(values) != 5 {
				return fmt.Errorf("%w: a row of sqlite_schema has %d values", errPage, len(values))
			}
			var o Object
			var ok [3]bool
			o.Kind, ok[0] = values[0].(string)
			o.Name, ok[1] = values[1].(string)
			o.Table, ok[2] = values[2].(string)
			o.Root, _ = values[3].(int64)
			o.SQL, _ = values[4].(string)
			if ok != [3]bool{true, true, true} {
				return fmt.Errorf("%w: a row of sqlite_schema has no name", errPage)
			}
			list = append(list, o)
			return nil
		}}
	if err := h.tree(1, nil, math.MinInt64, math.MaxInt64); err != nil {
		return nil, err
	}
	if lost {
		return nil, fmt.Errorf("%w: sqlite_schema is incomplete", errPage)
	}
	return list, nil
}

// root stores the root page of a table from a row of sqlite_schema.
func (h *Harvest) root(values []any) {
	if len(values) != 5 {
		return
	}
	kind, _ := values[0].(string)
	name, _ := values[1].(string)
	root, ok := values[3].(int64)
	if !ok || root < 2 || root > int64(h.Pages.Count) {
		return
	}
	var found *Table // stays nil for an index
	for _, s := range h.Tables {
		if kind == "table" && s.Name == name {
			found = s
		}
	}
	h.roots[int(root)] = found
}

// visit marks a page as seen; it is false when the page was seen before or does not exist.
func (h *Harvest) visit(number int) bool {
	if number < 1 || number >= len(h.seen) || h.seen[number] {
		return false
	}
	h.seen[number] = true
	h.done++
	if h.Progress != nil && h.done%64 == 0 {
		h.Progress(h.done, h.Pages.Count)
	}
	return true
}

// tree reads the rows under a page, with numbers in (after, through].
func (h *Harvest) tree(number int, s *Table, after, through int64) error {
	if !h.visit(number) {
		if h.Strict {
			h.Lost(s, after, through)
		}
		return nil
	}
	h.depth++
	defer func() { h.depth-- }()
	n, err := h.Pages.Node(number)
	if err != nil || h.depth > maxDepth || s != nil && s.Ordered != (n.Kind == indexLeaf || n.Kind == indexInterior) {
		if h.Strict || len(h.pagesUnder(number)) == 0 { // otherwise readOrphans finds these pages by the map
			h.Lost(s, after, through)
		}
		return nil
	}
	from := after
	for i := range n.Cells {
		c, err := h.Pages.Cell(n, i)
		if c.child != 0 {
			to := through
			if n.Kind == TableInterior {
				to = c.Key
			}
			if err := h.tree(c.child, s, from, to); err != nil {
				return err
			}
			from = to
		}
		if n.Kind == TableInterior {
			continue
		}
		if err := h.take(s, n, c, err, after, through); err != nil {
			return err
		}
	}
	if n.Leaf() {
		return nil
	}
	return h.tree(n.Right, s, from, through)
}

// maxDepth limits the depth of a tree, in pages: SQLite never exceeds 20.
const maxDepth = 64

// take passes the row of a cell to Row, or its loss to Lost.
func (h *Harvest) take(s *Table, n *node, c cell, problem error, after, through int64) error {
	var values []any
	if problem == nil {
		values, problem = recordValues(c.payload)
	}
	if problem == nil && s != nil && !s.acceptsRow(values) || h.Strict && n.Kind == TableLeaf && (c.Key <= after || c.Key > through) {
		problem = errPage
	}
	if problem != nil {
		if n.Kind == TableLeaf && c.Key > after && c.Key <= through {
			after, through = c.Key-1, c.Key
			if values, _ := recordValues(c.payload); h.Torn != nil && s != nil && len(values) > 0 {
				if err := h.Torn(s, c.Key, values); err != nil {
					return err
				}
			}
		}
		h.Lost(s, after, through)
		return nil
	}
	return h.Row(s, c.Key, values)
}

// pagesUnder returns the pages whose parent is a page, by the pointer map.
func (h *Harvest) pagesUnder(number int) []int {
	if h.children == nil {
		h.children = map[int][]int{}
		for child := 3; child <= h.Pages.Count; child++ {
			if kind, parent, ok := h.Pages.Owner(child); ok && kind == mapTree {
				h.children[parent] = append(h.children[parent], child)
			}
		}
	}
	return h.children[number]
}

// maxParents limits the parents of a page; no tree has so many levels.
const maxParents = 64

// RootOf returns the root of the tree that a page belongs to, by the pointer map; 0 for a page outside all trees.
func (h *Harvest) RootOf(number int) int {
	for range maxParents {
		if number == 1 {
			return 1
		}
		kind, parent, ok := h.Pages.Owner(number)
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

// readOrphans reads the pages that no tree led to, because a page above them is damaged.
func (h *Harvest) readOrphans() error {
	var free map[int]bool
	if !h.Pages.mapped {
		free = h.freePages()
	}
	for number := 2; number <= h.Pages.Count; number++ {
		if h.seen[number] || free[number] {
			continue
		}
		var s *Table
		if h.Pages.mapped {
			root := h.RootOf(number)
			var known bool
			if s, known = h.roots[root]; root == 0 || root == 1 || known && s == nil {
				continue
			}
		}
		n, err := h.Pages.Node(number)
		if err != nil || n.Kind == TableInterior {
			continue
		}
		h.visit(number)
		if err := h.orphan(n, s); err != nil {
			return err
		}
	}
	return nil
}

// orphan reads the rows of a page. If its table is unknown, it reads them for every table that they fit.
func (h *Harvest) orphan(n *node, s *Table) error {
	tables := []*Table{s}
	if s == nil {
		tables = nil
		for _, table := range h.Tables {
			if table.Ordered == (n.Kind != TableLeaf) && h.cellsFitTable(n, table) {
				tables = append(tables, table)
			}
		}
	}
	for _, table := range tables {
		for i := range n.Cells {
			c, err := h.Pages.Cell(n, i)
			if err := h.take(table, n, c, err, math.MinInt64, math.MaxInt64); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *Harvest) cellsFitTable(n *node, s *Table) bool {
	found := false
	for i := range n.Cells {
		c, err := h.Pages.Cell(n, i)
		if err != nil {
			continue
		}
		values, err := recordValues(c.payload)
		if err != nil || !s.acceptsRow(values) {
			return false
		}
		found = true
	}
	return found
}

// freePages returns the pages of the freelist.
func (h *Harvest) freePages() map[int]bool {
	free := map[int]bool{}
	first, err := h.Pages.page(1)
	if err != nil {
		return free
	}
	for trunk := int(binary.BigEndian.Uint32(first[32:])); trunk != 0 && !free[trunk]; {
		page, err := h.Pages.page(trunk)
		if err != nil {
			break
		}
		free[trunk] = true
		for i := range min(int(binary.BigEndian.Uint32(page[4:])), h.Pages.usable/4-2) {
			free[int(binary.BigEndian.Uint32(page[8+4*i:]))] = true
		}
		trunk = int(binary.BigEndian.Uint32(page))
	}
	return free
}

// HasRows reports whether the first pages of a file have rows of one of the named tables. The header may be damaged.
func HasRows(path string, tables []*Table, named ...string) bool {
	pages, err := Open(path)
	if err != nil {
		return false
	}
	defer pages.Close() //nolint:errcheck // nothing was written
	h := Harvest{Pages: pages, Tables: tables}
	for number := 2; number <= min(pages.Count, maxProbed); number++ {
		n, err := pages.Node(number)
		if err != nil || n.Kind != TableLeaf {
			continue
		}
		for _, s := range tables {
			if slices.Contains(named, s.Name) && h.cellsFitTable(n, s) {
				return true
			}
		}
	}
	return false
}

// maxProbed is the number of pages that HasRows reads.
const maxProbed = 1024
