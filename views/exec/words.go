package exec

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds of a line: lines may come from a file that somebody else wrote.
const (
	longestLine = 8192 // bytes
	mostWords   = 256
)

// errUnended is a quote without its end.
var errUnended = errors.New("a quote is not closed")

// Split cuts a line into words as a shell does. Words stand apart by spaces or tabs; what stands between single or
// double quotes is one word, or a part of one, as it is; | is a word by itself; # at the start of a word begins a
// comment. A backslash means
// nothing but itself, for paths of counters are full of them; within double quotes \" is a quote. The error says what
// is wrong and where.
func Split(line string) ([]string, error) {
	switch {
	case len(line) > longestLine:
		return nil, fmt.Errorf("the line is longer than %d bytes", longestLine)
	case !utf8.ValidString(line):
		return nil, errors.New("the line is not UTF-8 text")
	}
	var words []string
	for rest := strings.TrimLeft(line, " \t"); rest != "" && rest[0] != '#'; rest = strings.TrimLeft(rest, " \t") {
		if len(words) == mostWords {
			return nil, fmt.Errorf("the line has more than %d words", mostWords)
		}
		word, length, err := firstWord(rest)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", utf8.RuneCountInString(line[:len(line)-len(rest)+length])+1, err)
		}
		words, rest = append(words, word), rest[length:]
	}
	return words, nil
}

// firstWord is the word that text begins with, and how many bytes it takes there. With an error it is where the error
// is.
func firstWord(text string) (word string, length int, err error) {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '|' && i > 0:
			return b.String(), i, nil
		case c == '|':
			return pipeSign, 1, nil
		case c < ' ' || c == 0x7f:
			return "", i, errors.New("there is a control character")
		case c == '\'' || c == '"':
			quoted, n, err := quotedPart(text[i:])
			if err != nil {
				return "", i, err
			}
			b.WriteString(quoted)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), len(text), nil
}

// quotedPart is what stands between the quote that text begins with and the next like it, and the length of it all.
func quotedPart(text string) (part string, length int, err error) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return b.String(), i + 1, nil
		case c == '\\' && quote == '"' && i+1 < len(text) && text[i+1] == '"':
			i++
			b.WriteByte('"')
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", 0, errors.New("there is a control character in the quotes")
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, errUnended
}

// Quote writes a word so that Split takes it for one.
func Quote(word string) string {
	switch {
	case word == pipeSign || word != "" && !strings.ContainsAny(word, " \t'\"|") && word[0] != '#':
		return word
	case !strings.Contains(word, "'"):
		return "'" + word + "'"
	}
	// Single quotes can't stand between single quotes: they get double ones of their own.
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// Join writes words as a line.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}
