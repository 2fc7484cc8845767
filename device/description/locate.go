package description

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// locate finds where in a TOML text a key is written: path is table names and, for lists of tables, numbers. It gives
// the nearest enclosing table when the key itself does not exist, and 0, 0 when that does not exist either.
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
		var at unstable.Range
		for key.Next() {
			node := key.Node()
			if len(names) == 0 {
				at = node.Raw
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
		default: // the parts of these, and comments, name nothing
		}
		if n := common(full, path); n == len(full) && n > best && len(names) > 0 {
			best = n
			start := parser.Shape(at).Start
			line, column = start.Line, start.Column
		}
	}
	return line, column
}

// expandName puts the numbers of lists of tables into a name: "adapter", "port" is "adapter", 1, "port", 0.
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

// common returns how many leading parts two paths share.
func common(a, b []any) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
