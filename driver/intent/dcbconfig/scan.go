package dcbconfig

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Error is why a file can't be read, with its line from 1.
type Error struct {
	Line    int
	Problem string
}

// Error returns the line and the problem.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// MaxBytes is the largest file that is read.
const MaxBytes = 1 << 20

// kind is the kind of a token.
type kind uint8

const (
	end kind = iota
	newline
	word     // a bare word: a key, a command, a number
	variable // without its dollar sign and scope
	text
	sign // one of = += @{ @( ( ) { } ; , |
)

type token struct {
	kind kind
	text string
	line int
}

// Text returns a file as UTF-8: editors of Windows also write UTF-16 with a byte order mark.
func Text(data []byte) (string, error) {
	if len(data) > MaxBytes {
		return "", fmt.Errorf("the file is longer than %d MB", MaxBytes>>20)
	}
	high, low := 0, 1 // the places of the bytes of a character
	switch {
	case len(data) >= 2 && data[0] == 0xff && data[1] == 0xfe:
		high, low = 1, 0
	case len(data) >= 2 && data[0] == 0xfe && data[1] == 0xff:
	default:
		text := strings.TrimPrefix(string(data), "\ufeff")
		if !utf8.ValidString(text) {
			return "", errors.New("the file is not text in UTF-8 or UTF-16")
		}
		return text, nil
	}
	if len(data)%2 != 0 {
		return "", errors.New("the file ends within a character of UTF-16")
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i < len(data); i += 2 {
		units = append(units, uint16(data[i+high])<<8|uint16(data[i+low]))
	}
	return string(utf16.Decode(units)), nil
}

// scanner takes a file apart.
type scanner struct {
	rest string
	line int
}

func (s *scanner) fail(format string, args ...any) error {
	return &Error{s.line, fmt.Sprintf(format, args...)}
}

// skip takes a number of bytes, and counts the lines in them.
func (s *scanner) skip(n int) string {
	taken := s.rest[:n]
	s.line += strings.Count(taken, "\n")
	s.rest = s.rest[n:]
	return taken
}

// signs are in the order in which they are looked for: a longer one precedes one that it begins with.
var signs = []string{"+=", "@{", "@(", "=", "(", ")", "{", "}", ";", ",", "|"}

// next returns the next token; at the end of the file it has the kind end.
func (s *scanner) next() (token, error) {
	if err := s.space(); err != nil {
		return token{}, err
	}
	t := token{line: s.line}
	switch {
	case s.rest == "":
		return t, nil
	case s.rest[0] == '\n':
		s.skip(1)
		t.kind = newline
		return t, nil
	case s.rest[0] == '\'' || s.rest[0] == '"':
		t.kind = text
		return t, s.quoted(&t)
	case s.rest[0] == '$':
		t.kind = variable
		s.skip(1)
		if t.text = s.skip(wordLength(s.rest)); t.text == "" {
			return t, s.fail("a dollar sign without the name of a variable")
		}
		if scope, name, scoped := strings.Cut(t.text, ":"); scoped {
			if t.text = name; !strings.EqualFold(scope, "global") && !strings.EqualFold(scope, "script") {
				return t, s.fail("the variable %s of %s can't be read", name, scope)
			}
		}
		return t, nil
	}
	for _, mark := range signs {
		if strings.HasPrefix(s.rest, mark) {
			s.skip(len(mark))
			t.kind, t.text = sign, mark
			return t, nil
		}
	}
	if n := wordLength(s.rest); n > 0 {
		t.kind, t.text = word, s.skip(n)
		return t, nil
	}
	unknown, _ := utf8.DecodeRuneInString(s.rest)
	return t, s.fail("%q has no meaning in a table of data", unknown)
}

// space skips blanks, comments, and line ends that a backtick takes away.
func (s *scanner) space() error {
	for s.rest != "" {
		switch {
		case strings.ContainsRune(" \t\r", rune(s.rest[0])):
			s.skip(1)
		case strings.HasPrefix(s.rest, "<#"):
			n := strings.Index(s.rest, "#>")
			if n < 0 {
				return s.fail("the comment that begins here has no end")
			}
			s.skip(n + len("#>"))
		case s.rest[0] == '#':
			n := strings.IndexByte(s.rest, '\n')
			if n < 0 {
				n = len(s.rest)
			}
			s.skip(n)
		case strings.HasPrefix(s.rest, "`\n"), strings.HasPrefix(s.rest, "`\r\n"):
			s.skip(strings.IndexByte(s.rest, '\n') + 1)
		default:
			return nil
		}
	}
	return nil
}

// quoted takes a text in quotes. A doubled quote is one quote. In double quotes PowerShell would fill in variables: such
// texts are refused.
func (s *scanner) quoted(t *token) error {
	quote := s.rest[:1]
	s.skip(1)
	var b strings.Builder
	for {
		n := strings.Index(s.rest, quote)
		if n < 0 || strings.Contains(s.rest[:n], "\n") {
			return s.fail("the text in quotes has no end on its line")
		}
		b.WriteString(s.skip(n))
		s.skip(1)
		if !strings.HasPrefix(s.rest, quote) {
			break
		}
		b.WriteString(s.skip(1))
	}
	if t.text = b.String(); quote == `"` && strings.ContainsAny(t.text, "$`") {
		return s.fail("a text in double quotes with a variable or an escape can't be read; use single quotes")
	}
	return nil
}

// wordLength returns the length of the bare word that a text begins with.
func wordLength(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool {
		inWord := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.:", r)
		return !inWord
	})
	if n < 0 {
		return len(text)
	}
	return n
}
