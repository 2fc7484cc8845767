package perf

import (
	"strings"
	"unicode/utf8"
)

// FoldPath returns a path in lower case, for comparisons: perfmon ignores case.
func FoldPath(path string) string { return string(appendFolded(make([]byte, 0, len(path)), path)) }

// appendFolded appends a text in the form of FoldPath. Most paths are ASCII, and there are many of them.
func appendFolded(to []byte, text string) []byte {
	for i := range len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			return append(to, strings.ToLower(text[i:])...)
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}
