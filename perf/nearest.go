package perf

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the word most like the one given, upper and lower case alike; empty when none is like it. Of words equally
// like it, the first is taken.
func Nearest(word string, among []string) string {
	folded := FoldPath(word)
	if len(folded) > maxPattern {
		return ""
	}
	best, piece, least := "", "", len(folded)/2+1
	for _, candidate := range among {
		other := FoldPath(candidate)
		if other == "" || len(other) > maxPattern {
			continue
		}
		far := levenshtein.ComputeDistance(folded, other)
		if len(folded) >= 3 && strings.Contains(other, folded) {
			piece = candidate // which is like it too, though much is missing; a likeness in letters goes first
		}
		if far < least {
			best, least = candidate, far
		}
	}
	if best == "" {
		return piece
	}
	return best
}
