package deck

import (
	"strings"
	"unicode/utf8"
)

// Words is a filter by text: every word must occur, in any order, upper and lower case alike. The zero Words lets
// everything through.
type Words []string

// ParseWords splits what the operator typed at its blanks.
func ParseWords(text string) Words { return strings.Fields(strings.ToLower(text)) }

// Match says whether every word occurs in at least one of the texts. It allocates nothing for ASCII words, so that a
// filter can run over thousands of rows at each key.
func (w Words) Match(texts ...string) bool {
	for _, word := range w {
		found := false
		for _, text := range texts {
			if containsFold(text, word) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// containsFold says whether text contains word, which is in lower case.
func containsFold(text, word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(text), word)
		}
	}
	last := len(text) - len(word)
	for start := 0; start <= last; start++ {
		n := 0
		for n < len(word) && lower(text[start+n]) == word[n] {
			n++
		}
		if n == len(word) {
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
