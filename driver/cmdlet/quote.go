package cmdlet

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"cxdeck/driver/request"
)

// plainCharacters mean nothing to PowerShell within double quotes.
const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_."

// Quote writes a string as one argument of PowerShell, in one line, whatever is in it. A plain name reads best in
// double quotes; anything that could mean something inside these goes in single quotes, where only the quote itself is
// doubled. PowerShell takes the typographic quotes for quotes, too. Line ends and control characters are inserted by
// number: ('a' + [char]10 + 'b').
func Quote(s string) string {
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
			if request.Unsafe(r) {
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

// Word writes a string as one argument of a program, the same for cmd and for PowerShell: as it is when it is a word,
// in double quotes when nothing in it means anything there to one of the two. All other characters are inserted by
// number, in a PowerShell expression that cmd passes unchanged.
func Word(s string) string {
	switch {
	case s != "" && s[0] != '-' && strings.Trim(s, plainCharacters) == "" && !strings.Contains(s, " "):
		return s
	case !strings.ContainsFunc(s, special):
		return `"` + s + `"`
	}
	var parts []string
	plain := ""
	for _, r := range s {
		if !special(r) && (r > unicode.MaxASCII || strings.ContainsRune(plainCharacters, r)) {
			plain += string(r)
			continue
		}
		if plain != "" {
			parts, plain = append(parts, "'"+plain+"'"), ""
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			parts = append(parts, fmt.Sprintf("[char]%d", unit))
		}
	}
	if plain != "" {
		parts = append(parts, "'"+plain+"'")
	}
	if strings.HasPrefix(parts[0], "[") { // added text becomes text
		parts = slices.Insert(parts, 0, "''")
	}
	return "(" + strings.Join(parts, " + ") + ")"
}

// special reports whether a character means something within double quotes to cmd, to PowerShell or to what splits the
// arguments of a program.
func special(r rune) bool {
	return request.Unsafe(r) || strings.ContainsRune("\"\\`$%!\u2018\u2019\u201a\u201b\u201c\u201d\u201e", r)
}

// Pattern is Quote for a parameter that takes a pattern, such as -Name of the commands for adapters.
func Pattern(s string) string {
	if !strings.ContainsAny(s, "*?[]`") {
		return Quote(s)
	}
	return "([WildcardPattern]::Escape(" + Quote(s) + "))"
}

// OneLine returns a string for a comment or a text, without line ends and control characters.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if request.Unsafe(r) {
			return ' '
		}
		return r
	}, s)
}
