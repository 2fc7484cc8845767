package syntax

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a line, which may come from an untrusted file.
const (
	MaxLineBytes = 8192 // bytes
	maxLineWords = 256
)

// errOpenQuote reports a quote that is not closed.
var errOpenQuote = errors.New("a quote is not closed")

// Split splits a line into words. Text in single or double quotes, also typographic ones, is one word or a part of one; | is a
// word of its own; # at the start of a word begins a comment. A backslash is an ordinary character, because counter paths
// contain it, except that \" is a quote within double quotes. A doubled quote within quotes is one quote. A prompt at the
// start of the line and a continuation character at its end are ignored. Errors have the column, counted in characters from 1.
func Split(line string) ([]string, error) {
	switch {
	case len(line) > MaxLineBytes:
		return nil, fmt.Errorf("the line is longer than %d bytes", MaxLineBytes)
	case !utf8.ValidString(line):
		return nil, errors.New("the line is not UTF-8 text")
	}
	whole := line
	line, _ = SplitContinuation(WithoutPrompt(line))
	before := utf8.RuneCountInString(whole[:strings.Index(whole+line, line)]) // length of the prompt
	var words []string
	for rest := strings.TrimLeft(line, " \t"); rest != "" && rest[0] != '#'; rest = strings.TrimLeft(rest, " \t") {
		if len(words) == maxLineWords {
			return nil, fmt.Errorf("the line has more than %d words", maxLineWords)
		}
		word, length, err := FirstWord(rest)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", before+utf8.RuneCountInString(line[:len(line)-len(rest)+length])+1, err)
		}
		words, rest = append(words, word), rest[length:]
	}
	for len(words) > 1 && words[0] == "&" { // PowerShell's call operator
		words = words[1:]
	}
	return words, nil
}

// FirstWord returns the first word of text, and its length in bytes with quotes. With an error, length is the position of the
// error.
func FirstWord(text string) (word string, length int, err error) {
	if value, n := ParseExpression(text); n > 0 {
		return value, n, nil
	}
	var b strings.Builder
	i := len(manualPlaceholder().FindString(text))
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
	closing := quoteClass(quote)
	var b strings.Builder
	for i := size; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		next, nextSize := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case strings.ContainsRune(closing, c) && next == c && nextSize > 0:
			b.WriteRune(c) // doubled
			i += nextSize
		case strings.ContainsRune(closing, c):
			return b.String(), i + size, nil
		case quote == '\'' && strings.ContainsRune(SingleQuotes, c) && next == c:
			b.WriteRune(c) // doubled, as PowerShell requires
			i += nextSize
		case c == '\\' && closing != "'" && next == '"':
			i += nextSize
			b.WriteByte('"')
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", 0, errors.New("the quoted text has a control character")
		default:
			b.WriteRune(c)
		}
		i += size
	}
	return "", 0, errOpenQuote
}

// Quote quotes a word if necessary, so that Split and PowerShell read it as one word.
func Quote(word string) string {
	const special = " \t'\"|>" + dashes + DoubleQuotes + SingleQuotes + "\u00a0\u202f"
	_, expression := ParseExpression(word)
	switch {
	case word == PipeSign:
		return word
	case word != "" && word[0] != '#' && !strings.ContainsAny(word, special) && expression == 0 && !slices.Contains(lineMarkers, word):
		return word
	}
	return "'" + doubleQuotesIn.Replace(word) + "'"
}

// doubleQuotesIn doubles the single quotes of a text, for use within single quotes.
var doubleQuotesIn = strings.NewReplacer("'", "''", "\u2018", "\u2018\u2018", "\u2019", "\u2019\u2019", "\u201a", "\u201a\u201a",
	"\u201b", "\u201b\u201b")

// Join returns a line that Split splits into words.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// PipeSign separates the commands of a pipe.
const PipeSign = "|"
