package cmdlet

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"cxdeck/driver/request"
)

// plainCharacters have no special meaning to PowerShell within double quotes.
const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_."

// Quote returns any string as one argument of PowerShell, in one line. A plain name is in double quotes, for readability; any
// other text is in single quotes, where only the quote itself is doubled. PowerShell treats typographic quotes as quotes, too.
// Line ends and control characters are inserted by number: ('a' + [char]10 + 'b').
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
			if request.IsUnsafe(r) {
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

// Word returns a string as one argument of a program, the same for cmd and for PowerShell: a word unquoted, text without
// isSpecial characters in double quotes. All other characters are inserted by number, in a PowerShell expression that cmd passes
// unchanged.
func Word(s string) string {
	switch {
	case s != "" && s[0] != '-' && strings.Trim(s, plainCharacters) == "" && !strings.Contains(s, " "):
		return s
	case !strings.ContainsFunc(s, isSpecial):
		return `"` + s + `"`
	}
	var parts []string
	plain := ""
	for _, r := range s {
		if !isSpecial(r) && (r > unicode.MaxASCII || strings.ContainsRune(plainCharacters, r)) {
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
	if strings.HasPrefix(parts[0], "[") { // text plus a character is text, a character alone is not
		parts = slices.Insert(parts, 0, "''")
	}
	return "(" + strings.Join(parts, " + ") + ")"
}

// isSpecial reports whether a character has a meaning within double quotes for cmd, for PowerShell or for the parser of a
// program's arguments.
func isSpecial(r rune) bool {
	return request.IsUnsafe(r) || strings.ContainsRune("\"\\`$%!\u2018\u2019\u201a\u201b\u201c\u201d\u201e", r)
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
		if request.IsUnsafe(r) {
			return ' '
		}
		return r
	}, s)
}
