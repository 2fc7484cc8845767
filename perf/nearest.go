package perf

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the word most like the one given, upper and lower case alike; empty when none is like it. Of words equally
// like it, the first is taken.
func Nearest(word string, among []string) string {
	folded := foldPath(word)
	if len(folded) > maxPattern {
		return ""
	}
	best, least := "", len(folded)/2+1
	for _, candidate := range among {
		other := foldPath(candidate)
		if other == "" || len(other) > maxPattern {
			continue
		}
		far := levenshtein.ComputeDistance(folded, other)
		if far >= least && len(folded) >= 3 && strings.Contains(other, folded) {
			// A piece of a name is like it too, though much is missing; a likeness in letters goes first.
			far = least - 1
		}
		if far < least {
			best, least = candidate, far
		}
	}
	return best
}
