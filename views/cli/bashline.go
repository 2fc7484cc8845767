package cli

import (
	"strings"
	"unicode"
)

// bashLine is a command line of bash up to the cursor, split into words. Expansions are not evaluated.
type bashLine struct {
	// words are the complete words after the program's name, part is the word at the cursor, both without quotes.
	words []string
	part  string
	// quote is the quote that is open at the cursor, 0 for none.
	quote byte
	// kept is the number of bytes of part before the place where bash inserts a completion: it splits words at =, : and @, and
	// at an open quote.
	kept int
}

// breaks are the characters of COMP_WORDBREAKS that may be within a word.
const breaks = "=:@"

// readBashLine splits a line. Of several commands in the line it returns the last one.
func readBashLine(line string) bashLine {
	var l bashLine
	var word strings.Builder
	begun, first := false, true
	endWord := func() {
		if begun {
			if !first {
				l.words = append(l.words, word.String())
			}
			first = false
		}
		word.Reset()
		begun, l.kept = false, 0
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case l.quote == '\'' && c == '\'', l.quote == '"' && c == '"':
			l.quote = 0
		case l.quote == '\'':
			word.WriteByte(c)
		case l.quote == '"' && c == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`", line[i+1]) >= 0,
			l.quote == 0 && c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			begun = true
		case l.quote == '"':
			word.WriteByte(c)
		case c == '\'' || c == '"':
			l.quote, begun, l.kept = c, true, word.Len()
		case c == ' ' || c == '\t':
			endWord()
		case strings.IndexByte(";&|(\n`", c) >= 0:
			endWord()
			l.words, first = nil, true
		default:
			word.WriteByte(c)
			begun = true
			if strings.IndexByte(breaks, c) >= 0 {
				l.kept = word.Len()
			}
		}
	}
	l.part = word.String()
	return l
}

// insertion returns the text that bash inserts for a word, quoted for its place; ok is false if it can't be quoted there.
func (l *bashLine) insertion(word string) (string, bool) {
	if l.kept > 0 {
		if len(word) < l.kept || !strings.EqualFold(word[:l.kept], l.part[:l.kept]) {
			return "", false
		}
		word = word[l.kept:]
	}
	var b strings.Builder
	for _, r := range word {
		switch l.quote {
		case '\'':
			if r == '\'' {
				b.WriteString(`'\'`)
			}
		case '"':
			if r == '!' {
				return "", false // history expansion can't be quoted within double quotes
			}
			if strings.ContainsRune("\"\\$`", r) {
				b.WriteByte('\\')
			}
		default:
			if r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./%+,=:@^", r) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String(), true
}
