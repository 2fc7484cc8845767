package request

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxWord bounds the words that are compared, in bytes: a pasted file is not a misspelt word.
const maxWord = 2048

// Nearest returns the word that was probably meant by an unknown one, ignoring case; empty when no word is similar. A misspelt
// word precedes a word that contains the typed text; the first of equals wins.
func Nearest(typed string, words []string) string {
	folded := strings.ToLower(typed)
	if len(folded) > maxWord {
		return ""
	}
	near, containing, limit := "", "", min(len(folded)/2, 1+len(folded)/4)
	for _, word := range words {
		other := strings.ToLower(word)
		if other == "" || len(other) > maxWord {
			continue
		}
		if containing == "" && len(folded) >= 3 && strings.Contains(other, folded) {
			containing = word
		}
		if edits := levenshtein.ComputeDistance(folded, other); edits <= limit {
			near, limit = word, edits-1
		}
	}
	if near == "" {
		return containing
	}
	return near
}
