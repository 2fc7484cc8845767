package shell

import (
	"regexp"
	"strings"
	"sync"
)

// placeholderPattern matches a placeholder of the manuals, such as <VM Name>: one word of the line, in spite of its spaces.
var placeholderPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<[A-Za-z][A-Za-z0-9 /#_-]*>`) })

// parameterPattern matches the name of a parameter behind its dash.
var parameterPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_?][A-Za-z0-9_?]*`) })

// endsCommand reports whether the next character, behind blanks, ends a command.
func (p *parser) endsCommand() bool {
	switch p.peek() {
	case '\n', '|', ';', '#':
		return true
	case ')', '}':
		if p.closers == 0 {
			p.fail(p.at, "%q closes nothing", string(p.peek()))
		}
		return true
	}
	return p.at >= len(p.source)
}

// arguments reads the arguments of a cmdlet. blocks reports that it takes script blocks.
func (p *parser) arguments(name string, blocks bool) (all []argument) {
	for p.skipBlanks(); !p.endsCommand(); p.skipBlanks() {
		all = append(all, p.argument(name, blocks))
	}
	return all
}

func (p *parser) argument(name string, blocks bool) argument {
	a := argument{node: node(p.at)}
	if dash := p.dash(); dash > 0 {
		if n := len(parameterPattern().FindString(p.source[p.at+dash:])); n > 0 {
			a.parameter = p.source[p.at+dash : p.at+dash+n]
			p.at += dash + n
			if !p.take(":") {
				if r := p.peek(); !endsArgument(r) {
					p.fail(a.offset(), "invalid parameter -%s%s", a.parameter, strings.Trim(p.shown(), `"`))
				}
				return a
			}
			p.skipBlanks()
			if p.endsCommand() {
				p.fail(a.offset(), "-%s: requires a value", a.parameter)
			}
			a.value = p.argumentValue(name, blocks)
			return a
		}
	}
	if p.peek() == '@' && isWordRune(firstRune(p.source[p.at+1:]+" ")) {
		p.at++
		name := p.identifier()
		a.splat = strings.ToLower(name) // which can have more bytes
		p.at += len(name)
		return a
	}
	a.value = p.argumentValue(name, blocks)
	return a
}

// argumentValue reads a value of an argument: words and texts without blanks between, or a list of them with commas.
func (p *parser) argumentValue(name string, blocks bool) expression {
	start := p.at
	if p.peek() == '{' {
		if !blocks {
			p.fail(start, "%s takes no script block; quote a text with braces", name)
		}
		return p.scriptBlock()
	}
	if p.startsWith(`\$`) {
		p.at++ // the manuals' pages escape the sign
	}
	items := []expression{p.word(name)}
	for {
		at := p.at
		p.skipBlanks()
		if !p.take(",") {
			p.at = at
			break
		}
		p.skipLines()
		if p.endsCommand() {
			break // a comma at the end
		}
		items = append(items, p.word(name))
	}
	if len(items) == 1 {
		return items[0]
	}
	return &list{node(start), items}
}

// scriptBlock reads statements in braces; the opening one is next.
func (p *parser) scriptBlock() *scriptBlock {
	start := p.at
	return &scriptBlock{node(start), p.braces()}
}

// braces reads a block in braces.
func (p *parser) braces() *block {
	start := p.at
	if !p.take("{") {
		p.fail(start, "{ is expected, not %s", p.shown())
	}
	defer p.enter()()
	defer p.within()()
	b := p.block("}")
	p.closing(start, "}")
	return b
}

// word reads a word of an argument: plain characters, quoted texts and variables without blanks between.
func (p *parser) word(name string) expression {
	start := p.at
	t := &text{node: node(start)}
	var b strings.Builder
	add := func(e expression) {
		if b.Len() > 0 {
			t.parts = append(t.parts, &literal{node(start), b.String()})
			b.Reset()
		}
		if e != nil {
			t.parts = append(t.parts, e)
		}
	}
	plain := false
loop:
	for {
		r := p.peek()
		switch {
		case r == '(' && !plain && len(t.parts) == 0, p.startsWith("$("), p.startsWith("@(") && !plain, p.startsWith("@{") && !plain:
			add(p.members(p.primary()))
		case r == '$' && (isWordRune(firstRune(p.source[p.at+1:]+" ")) || strings.HasPrefix(p.source[p.at+1:], "{")):
			add(p.members(p.variable()))
		case p.quoted():
			add(p.quote())
			if l, ok := t.parts[len(t.parts)-1].(*literal); ok && l.value == "" {
				plain = true // an empty text is a value, too
			}
		case endsArgument(r):
			break loop
		case r == '<' && !plain:
			n := len(placeholderPattern().FindString(p.rest()))
			if n == 0 {
				p.fail(p.at, "< is reserved by PowerShell")
			}
			b.WriteString(p.source[p.at : p.at+n])
			p.at += n
		case r == '>' || r == '&' && !plain:
			p.fail(p.at, "%c of PowerShell is not supported; redirect the output of cxdeck exec instead", r)
		case r == '`':
			p.at++
			if p.at >= len(p.source) || p.peek() == '\n' {
				p.fail(p.at-1, "a backtick at the end of a line requires a blank before it")
			}
			b.WriteRune(p.escaped(start))
		case r < ' ' || r == 0x7f || r == 0xfffd:
			p.fail(p.at, "the line has a control character")
		default:
			b.WriteRune(p.next())
		}
		plain = plain || b.Len() > 0
	}
	add(nil)
	switch {
	case len(t.parts) == 1:
		return t.parts[0]
	case len(t.parts) == 0 && !plain:
		p.fail(p.at, "%s is not expected as an argument of %s", p.shown(), name)
	case len(t.parts) == 0:
		return &literal{node(start), ""}
	}
	return t
}
