package perf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lengths to which texts from outside are cut, in characters.
const (
	// NameLimit limits a name: of a computer, a file, an interface.
	NameLimit = 64
	// PathLimit limits a counter's path.
	PathLimit = 1024
)

// CleanText makes text from outside safe to show: control characters, marks that change the direction of writing and bytes that
// are not UTF-8 become "?". Text longer than limit characters is cut and ends in "...".
func CleanText(text string, limit int) string {
	var b strings.Builder
	count := 0
	for _, r := range text {
		if count == limit {
			b.WriteString("...")
			break
		}
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			r = '?'
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}
