// Package completion is the side of the shells in completing a command line: the scripts that they load, and the words of a line as they
// quote them. It finds no candidates.
package completion

import (
	"strings"
	"unicode"
)

// BashLine is a command line of bash up to the cursor, split into words. Expansions are not evaluated.
type BashLine struct {
	// Words are the complete words after the program's name, Part is the word at the cursor, both without quotes.
	Words []string
	Part  string
	// quote is the quote that is open at the cursor, 0 for none.
	quote byte
	// prefixLen is the length of the part of the word that bash keeps: completions replace the text after the last =, :, @ or
	// open quote.
	prefixLen int
}

// breaks are the characters of COMP_WORDBREAKS that may be within a word.
const breaks = "=:@"

// ReadBashLine splits a line. Of several commands in the line it returns the last one.
func ReadBashLine(line string) BashLine {
	var l BashLine
	var word strings.Builder
	inWord, first := false, true
	endWord := func() {
		if inWord {
			if !first {
				l.Words = append(l.Words, word.String())
			}
			first = false
		}
		word.Reset()
		inWord, l.prefixLen = false, 0
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
			inWord = true
		case l.quote == '"':
			word.WriteByte(c)
		case c == '\'' || c == '"':
			l.quote, inWord, l.prefixLen = c, true, word.Len()
		case c == ' ' || c == '\t':
			endWord()
		case strings.IndexByte(";&|(\n`", c) >= 0:
			endWord()
			l.Words, first = nil, true
		default:
			word.WriteByte(c)
			inWord = true
			if strings.IndexByte(breaks, c) >= 0 {
				l.prefixLen = word.Len()
			}
		}
	}
	l.Part = word.String()
	return l
}

// Insertion returns the text that bash inserts for a word, quoted for its place; ok is false if it can't be quoted there.
func (l *BashLine) Insertion(word string) (string, bool) {
	if l.prefixLen > 0 {
		if len(word) < l.prefixLen || !strings.EqualFold(word[:l.prefixLen], l.Part[:l.prefixLen]) {
			return "", false
		}
		word = word[l.prefixLen:]
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

// Unquote removes the opening quote, or the backslashes, of a word at the cursor.
func Unquote(part string) string {
	if part != "" && strings.ContainsRune(`'"`, rune(part[0])) {
		return part[1:]
	}
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		if part[i] == '\\' && i+1 < len(part) && strings.ContainsRune(" '\"$*?()[]{}<>|;&#~!\\", rune(part[i+1])) {
			i++
		}
		b.WriteByte(part[i])
	}
	return b.String()
}
