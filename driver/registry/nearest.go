package registry

import (
	"slices"
	"strings"
)

// Nearest is the name of a key in one of the scopes that was probably meant; empty when none is near.
func (c *Catalogue) Nearest(name string, scopes ...Scope) string {
	const longest = 64
	wanted := []rune(plain(name))
	if len(wanted) == 0 || len(wanted) > longest {
		return ""
	}
	best, nearest := 1+max(1, len(wanted)/4), ""
	for i := range c.Rows {
		r := &c.Rows[i]
		if !slices.Contains(scopes, r.Scope) {
			continue
		}
		d := distance(wanted, []rune(r.folded))
		if len(wanted) > 3 && strings.Contains(r.folded, string(wanted)) {
			d = min(d, 1) // a part of the name was typed
		}
		if d < best {
			best, nearest = d, r.Name
		}
	}
	return nearest
}

// distance is how many letters must be changed, put in or taken out to get from a to b.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
