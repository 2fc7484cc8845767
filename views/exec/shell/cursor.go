package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that PowerShell accepts as a hyphen and as quotes.
const (
	dashes       = "-\u2013\u2014\u2015\u2212"
	doubleQuotes = "\"\u201c\u201d\u201e"
	singleQuotes = "'\u2018\u2019\u201a\u201b"
)

// parser reads a source from an offset on.
type parser struct {
	source    string
	whole     *Source
	at        int
	catalogue Catalogue
	// depth counts nested expressions and blocks; blocks counts open blocks and parentheses, which a closing sign ends.
	depth, closers int
	// known are the variables that have been assigned.
	known map[string]bool
}

// refusal is thrown by fail, and caught by Parse.
type refusal struct{ err *Error }

func (p *parser) fail(offset int, format string, args ...any) {
	panic(refusal{errorAt(p.whole, offset, format, args...)})
}

// ended refuses a source that ends too early.
func (p *parser) ended(format string, args ...any) {
	err := errorAt(p.whole, len(p.source), format, args...)
	err.Incomplete = true
	panic(refusal{err})
}

// enter counts a level of nesting, and returns the function that leaves it.
func (p *parser) enter() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.at, "the script is nested more than %d levels deep", maxDepth)
	}
	return func() { p.depth-- }
}

func (p *parser) rest() string { return p.source[p.at:] }

// peek returns the next character; 0 at the end.
func (p *parser) peek() rune {
	if p.at >= len(p.source) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(p.rest())
	return r
}

// next consumes a character.
func (p *parser) next() rune {
	r, size := utf8.DecodeRuneInString(p.rest())
	p.at += size
	return r
}

func (p *parser) startsWith(prefix string) bool { return strings.HasPrefix(p.rest(), prefix) }

// take consumes a prefix if it is next.
func (p *parser) take(prefix string) bool {
	if p.startsWith(prefix) {
		p.at += len(prefix)
		return true
	}
	return false
}

// skipBlanks skips blanks, continued lines and block comments.
func (p *parser) skipBlanks() {
	for p.at < len(p.source) {
		switch r := p.peek(); {
		case r == ' ' || r == '\t' || r == '\u00a0' || r == '\u202f':
			p.next()
		case r == '`' && strings.HasPrefix(p.source[p.at+1:], "\n"):
			p.at += 2
		case p.startsWith("<#"):
			end := strings.Index(p.rest(), "#>")
			if end < 0 {
				p.ended("the comment is not closed: #> is missing")
			}
			p.at += end + 2
		default:
			return
		}
	}
}

// skipLines skips blanks, line ends and comments.
func (p *parser) skipLines() {
	for {
		p.skipBlanks()
		switch p.peek() {
		case '\n':
			p.at++
		case '#':
			p.skipComment()
		default:
			return
		}
	}
}

// skipComment skips a comment without its line end.
func (p *parser) skipComment() {
	if end := strings.IndexByte(p.rest(), '\n'); end >= 0 {
		p.at += end
	} else {
		p.at = len(p.source)
	}
}

// skipSeparators skips what stands between statements.
func (p *parser) skipSeparators() {
	for p.skipLines(); p.peek() == ';'; p.skipLines() {
		p.at++
	}
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// identifier returns the next name without consuming it; it is empty if no name follows.
func (p *parser) identifier() string {
	rest := p.rest()
	end := strings.IndexFunc(rest, func(r rune) bool { return !isWordRune(r) })
	if end < 0 {
		end = len(rest)
	}
	return rest[:end]
}

// dash returns the length of the hyphen that is next, 0 without one.
func (p *parser) dash() int {
	if r := p.peek(); r != 0 && strings.ContainsRune(dashes, r) {
		return utf8.RuneLen(r)
	}
	return 0
}

// endsArgument reports whether a character ends a word of an argument.
func endsArgument(r rune) bool {
	return r == 0 || r == ' ' || r == '\t' || r == '\n' || r == '\u00a0' || r == '\u202f' || strings.ContainsRune("|;(){},", r)
}
