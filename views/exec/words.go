package exec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of a line: lines may come from a file that somebody else wrote.
const (
	maxLineBytes = 8192 // bytes
	maxLineWords = 256
)

// errUnended is a quote without its end.
var errUnended = errors.New("a quote is not closed")

// Split cuts a line into words. What is between single or double quotes, also typographic ones, is one word, or a
// part of one, as it is; | is a word by itself; # at the start of a word begins a comment. A backslash means nothing but
// itself, for paths of counters are full of them; within double quotes \" is a quote, and a quote that is doubled stands
// for one. A prompt at the front, and a sign at the end that continues with the next line, mean nothing. The error says
// what is wrong and where.
func Split(line string) ([]string, error) {
	switch {
	case len(line) > maxLineBytes:
		return nil, fmt.Errorf("the line is longer than %d bytes", maxLineBytes)
	case !utf8.ValidString(line):
		return nil, errors.New("the line is not UTF-8 text")
	}
	whole := line
	line, _ = splitContinuation(withoutPrompt(line))
	before := utf8.RuneCountInString(whole[:strings.Index(whole+line, line)]) // the word before it
	var words []string
	for rest := strings.TrimLeft(line, " \t"); rest != "" && rest[0] != '#'; rest = strings.TrimLeft(rest, " \t") {
		if len(words) == maxLineWords {
			return nil, fmt.Errorf("the line has more than %d words", maxLineWords)
		}
		word, length, err := firstWord(rest)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", before+utf8.RuneCountInString(line[:len(line)-len(rest)+length])+1, err)
		}
		words, rest = append(words, word), rest[length:]
	}
	for len(words) > 1 && words[0] == "&" { // with which PowerShell calls a program by its path
		words = words[1:]
	}
	return words, nil
}

// firstWord returns the word that text begins with, and how many bytes it takes there. With an error it is where the error
// is.
func firstWord(text string) (word string, length int, err error) {
	if value, n := expression(text); n > 0 {
		return value, n, nil
	}
	var b strings.Builder
	i := len(placeholder().FindString(text))
	b.WriteString(text[:i])
	for i < len(text) {
		c, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case c == ' ' || c == '\t' || c == '|' && i > 0:
			return b.String(), i, nil
		case c == '|':
			return PipeSign, 1, nil
		case c < ' ' || c == 0x7f:
			return "", i, errors.New("the line has a control character")
		case quoteClass(c) != "":
			quoted, n, err := quotedPart(text[i:])
			if err != nil {
				return "", i, err
			}
			b.WriteString(quoted)
			i += n
		case i == 0 && strings.ContainsRune(dashes, c):
			b.WriteByte('-')
			i += size
		default:
			b.WriteRune(c)
			i += size
		}
	}
	return b.String(), len(text), nil
}

// quotedPart returns the text between the opening quote and the next quote like it, and the length with both quotes.
func quotedPart(text string) (part string, length int, err error) {
	quote, size := utf8.DecodeRuneInString(text)
	ends := quoteClass(quote)
	var b strings.Builder
	for i := size; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		next, nextSize := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case strings.ContainsRune(ends, c) && next == c && nextSize > 0:
			b.WriteRune(c) // doubled
			i += nextSize
		case strings.ContainsRune(ends, c):
			return b.String(), i + size, nil
		case quote == '\'' && strings.ContainsRune(singleQuotes, c) && next == c:
			b.WriteRune(c) // doubled, as PowerShell wants it
			i += nextSize
		case c == '\\' && ends != "'" && next == '"':
			i += nextSize
			b.WriteByte('"')
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", 0, errors.New("the quoted text has a control character")
		default:
			b.WriteRune(c)
		}
		i += size
	}
	return "", 0, errUnended
}

// Quote writes a word so that Split takes it for one, and PowerShell, too.
func Quote(word string) string {
	const signs = " \t'\"|>" + dashes + doubleQuotes + singleQuotes + "\u00a0\u202f"
	_, brackets := expression(word)
	switch {
	case word == PipeSign:
		return word
	case word != "" && word[0] != '#' && !strings.ContainsAny(word, signs) && brackets == 0 && !slices.Contains(lineSigns, word):
		return word
	}
	return "'" + doubled.Replace(word) + "'"
}

// doubled writes single quotes for a text between single quotes.
var doubled = strings.NewReplacer("'", "''", "\u2018", "\u2018\u2018", "\u2019", "\u2019\u2019", "\u201a", "\u201a\u201a",
	"\u201b", "\u201b\u201b")

// Join writes words as a line.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// PipeSign is between commands of which the second takes what the first lists.
const PipeSign = "|"
