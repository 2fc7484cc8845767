package deck

import (
	"strings"
	"unicode/utf8"
)

// Words is a text filter: one of its phrases must occur, ignoring case. The zero Words matches every text.
type Words []string

// ParseWords splits what the operator typed into phrases at "|": "ethernet 5" is one, "jumbo|rss" are two.
func ParseWords(text string) Words {
	var words Words
	for phrase := range strings.SplitSeq(strings.ToLower(text), "|") {
		if phrase = strings.TrimSpace(phrase); phrase != "" {
			words = append(words, phrase)
		}
	}
	return words
}

// Match reports whether one of the phrases occurs in one of the texts. It allocates nothing for ASCII phrases, so that a
// filter can run over thousands of rows at each key.
func (w Words) Match(texts ...string) bool {
	if len(w) == 0 {
		return true
	}
	for _, phrase := range w {
		for _, text := range texts {
			if containsFold(text, phrase) {
				return true
			}
		}
	}
	return false
}

// containsFold reports whether text contains a word, which is in lower case.
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
