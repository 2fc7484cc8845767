package shell

import (
	"strings"
	"unicode/utf8"
)

// quoted reports whether a quote is next.
func (p *parser) quoted() bool {
	r := p.peek()
	return r != 0 && strings.ContainsRune(doubleQuotes+singleQuotes, r)
}

// closes returns the quotes that close a quote: only a plain one closes a plain one, so that typographic ones may stand within.
func closes(quote rune) string {
	switch {
	case quote == '"' || quote == '\'':
		return string(quote)
	case strings.ContainsRune(doubleQuotes, quote):
		return doubleQuotes
	}
	return singleQuotes
}

// quote reads a text in quotes.
func (p *parser) quote() expression {
	start := p.at
	open := p.next()
	if strings.ContainsRune(doubleQuotes, open) {
		return p.expandable(start, closes(open))
	}
	closing := closes(open)
	var b strings.Builder
	for {
		r := p.peekIn(start)
		p.next()
		if strings.ContainsRune(closing, r) {
			if p.peek() != r {
				return &literal{node(start), b.String()}
			}
			p.next() // doubled
		} else if strings.ContainsRune(singleQuotes, r) && p.peek() == r {
			p.next() // doubled, as PowerShell requires
		}
		b.WriteRune(r)
	}
}

// peekIn returns the next character of a quoted text that begins at start.
func (p *parser) peekIn(start int) rune {
	r := p.peek()
	switch {
	case p.at >= len(p.source):
		err := errorAt(p.whole, start, "a quote is not closed")
		err.Incomplete = true
		panic(refusal{err})
	case r < ' ' && r != '\t' && r != '\n' || r == 0x7f || r == utf8.RuneError:
		p.fail(p.at, "the quoted text has a control character")
	}
	return r
}

// expandable reads a text in double quotes behind its first quote.
func (p *parser) expandable(start int, closing string) expression {
	t := &text{node: node(start)}
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			t.parts = append(t.parts, &literal{node(start), b.String()})
			b.Reset()
		}
	}
	for {
		r := p.peekIn(start)
		switch {
		case strings.ContainsRune(closing, r):
			if p.next(); p.peek() != r {
				flush()
				if len(t.parts) == 0 {
					return &literal{node(start), ""}
				}
				if l, ok := t.parts[0].(*literal); ok && len(t.parts) == 1 {
					return l
				}
				return t
			}
			p.next()
			b.WriteRune(r)
		case r == '`':
			p.next()
			b.WriteRune(p.escaped(start))
		case r == '$':
			if e := p.expansion(); e != nil {
				flush()
				t.parts = append(t.parts, e)
				continue
			}
			p.next()
			b.WriteRune('$')
		default:
			p.next()
			b.WriteRune(r)
		}
	}
}

// escaped returns the character that a backtick and the next character represent.
func (p *parser) escaped(start int) rune {
	r := p.peekIn(start)
	p.next()
	switch r {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case '0', 'a', 'b', 'e', 'f', 'r', 'u', 'v':
		p.fail(p.at-2, "`%c is a control character, which no name has", r)
	}
	return r
}

// expansion reads $name, ${name} or $(...) in a text; nil if the $ is a plain character.
func (p *parser) expansion() expression {
	start := p.at
	rest := p.source[p.at+1:]
	switch {
	case strings.HasPrefix(rest, "("):
		p.at++
		return p.subexpression(start)
	case strings.HasPrefix(rest, "{"), rest != "" && isWordRune(firstRune(rest)):
		return p.variable()
	}
	return nil
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
