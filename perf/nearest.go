package perf

import "strings"

// Nearest is the word most like the one given, upper and lower case alike; empty when none is like it. Of words equally
// like it, the first is taken.
func Nearest(word string, among []string) string {
	folded := []rune(foldPath(word))
	if len(folded) > maxPattern {
		return ""
	}
	best, least := "", len(folded)/2+1
	for _, candidate := range among {
		other := foldPath(candidate)
		if other == "" || len(other) > maxPattern {
			continue
		}
		far := distance(folded, []rune(other), least)
		if far >= least && len(folded) >= 3 && strings.Contains(other, string(folded)) {
			// A piece of a name is like it too, though much is missing; a likeness in letters goes first.
			far = least - 1
		}
		if far < least {
			best, least = candidate, far
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to make b of a, up to limit.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before := make([]int, len(b)+1)
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		smallest := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			smallest = min(smallest, row[j])
		}
		if smallest >= limit {
			return limit
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
