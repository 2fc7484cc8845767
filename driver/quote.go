package driver

import (
	"fmt"
	"strings"
	"unicode"
)

// plainCharacters are those that PowerShell takes as they are within double quotes.
const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_."

// quote writes a string as one argument of PowerShell, in one line, whatever is in it. A plain name reads best in
// double quotes; anything that could mean something inside these goes in single quotes, where only the quote itself is
// doubled. PowerShell takes the typographic quotes for quotes, too. What would end the line or upset a terminal is put
// in by its number: ('a' + [char]10 + 'b').
func quote(s string) string {
	if strings.Trim(s, plainCharacters) == "" {
		return `"` + s + `"`
	}
	var b strings.Builder
	parts := false
	b.WriteByte('\'')
	for _, r := range s {
		switch r {
		case '\'', '‘', '’', '‚', '‛':
			b.WriteRune(r)
		default:
			if unsafe(r) {
				fmt.Fprintf(&b, "' + [char]%d + '", r)
				parts = true
				continue
			}
		}
		b.WriteRune(r)
	}
	b.WriteByte('\'')
	if parts {
		return "(" + b.String() + ")"
	}
	return b.String()
}

// quoteWord is quote, but leaves a word as it is that reads well without quotes.
func quoteWord(s string) string {
	if s != "" && strings.Trim(s, plainCharacters) == "" && !strings.Contains(s, " ") {
		return s
	}
	return quote(s)
}

// unsafe says whether a character controls what shows it: line ends, escapes, marks that turn the direction of text.
// All of them are in the first plane, which one [char] holds, but for tags, which nothing but text has.
func unsafe(r rune) bool {
	return r <= 0xffff && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control))
}

// quotePattern is quote for a parameter that takes a pattern, such as -Name of the commands for adapters.
func quotePattern(s string) string {
	if !strings.ContainsAny(s, "*?[]`") {
		return quote(s)
	}
	return "([WildcardPattern]::Escape(" + quote(s) + "))"
}

// oneLine is a string for a comment or a text: without what would end the line or upset a terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unsafe(r) {
			return ' '
		}
		return r
	}, s)
}
