package description

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// locate returns the position of a key in a TOML text; the path has table names and, for lists of tables, numbers. If the key
// does not exist, it returns the position of the nearest enclosing table, or 0, 0 without one.
func locate(text []byte, path []any) (line, column int) {
	parser := unstable.Parser{}
	parser.Reset(text)
	counts := map[string]int{}
	var table []any
	best := -1
	for parser.NextExpression() {
		e := parser.Expression()
		key := e.Key()
		var names []any
		var first unstable.Range // of the first part of the name
		for key.Next() {
			node := key.Node()
			if len(names) == 0 {
				first = node.Raw
			}
			names = append(names, string(node.Data))
		}
		full := names
		switch e.Kind {
		case unstable.ArrayTable:
			full = expandName(names, counts, true)
			table = full
		case unstable.Table:
			full = expandName(names, counts, false)
			table = full
		case unstable.KeyValue:
			full = slices.Concat(table, names)
		default: // their parts, and comments, have no name
		}
		if n := common(full, path); n == len(full) && n > best && len(names) > 0 {
			best = n
			start := parser.Shape(first).Start
			line, column = start.Line, start.Column
		}
	}
	return line, column
}

// expandName inserts the numbers of lists of tables into a name: "adapter", "port" becomes "adapter", 1, "port", 0.
func expandName(names []any, counts map[string]int, next bool) []any {
	var full []any
	var at strings.Builder
	for i, name := range names {
		full = append(full, name)
		at.WriteString(name.(string))
		list := at.String()
		if next && i == len(names)-1 {
			counts[list]++
			for other := range counts { // the lists inside start again
				if strings.HasPrefix(other, list+"\x00") {
					delete(counts, other)
				}
			}
		}
		if n, isList := counts[list]; isList {
			full = append(full, n-1)
		}
		at.WriteByte(0)
	}
	return full
}

// common returns the number of equal leading parts of two paths.
func common(a, b []any) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
