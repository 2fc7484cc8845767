package shell

import (
	"strings"
	"unicode/utf8"
)

// levels are the binary operators by precedence, the lowest first. An operator of words begins with a dash in the source.
func levels() [][]string {
	return [][]string{
		{"and", "or", "xor"},
		{"eq", "ne", "gt", "ge", "lt", "le", "like", "notlike", "match", "notmatch", "in", "notin", "contains", "notcontains",
			"join"},
		{"+", "-"},
		{"*", "/", "%"},
	}
}

// expression reads a whole expression.
func (p *parser) expression() expression { return p.binary(0) }

func (p *parser) binary(level int) expression {
	if level == len(levels()) {
		return p.negative()
	}
	left := p.binary(level + 1)
	for chain := 0; ; chain++ {
		at := p.at
		p.skipBlanks()
		start := p.at
		operator := p.operator(levels()[level])
		if operator == "" {
			if p.at = at; level == 0 {
				p.refuseOperator()
			}
			return left
		}
		if chain == maxChain {
			p.fail(start, "the expression has more than %d operators", maxChain)
		}
		p.skipLines()
		left = &binary{node(start), operator, left, p.binary(level + 1)}
	}
}

// operator consumes one of the operators if it is next. Comparisons may have the prefix i, which ignores case as they do anyway.
func (p *parser) operator(operators []string) string {
	dash := p.dash()
	for _, operator := range operators {
		switch {
		case len(operator) == 1 && operator != "-" && p.startsWith(operator), operator == "-" && dash > 0 && !isWordRune(firstRune(p.source[p.at+dash:]+" ")),
			operator == "-" && dash > 0 && strings.ContainsRune("0123456789", firstRune(p.source[p.at+dash:]+" ")):
			p.next()
			return operator
		case dash > 0 && len(operator) > 1:
			rest := p.source[p.at+dash:]
			typed := (&parser{source: rest}).identifier()
			if word := strings.ToLower(typed); word == operator || word == "i"+operator && len(operators) > 3 {
				p.at += dash + len(typed)
				return operator
			}
		}
	}
	return ""
}

// refuseOperator refuses an operator that is next but not known.
func (p *parser) refuseOperator() {
	at := p.at
	p.skipBlanks()
	if dash := p.dash(); dash > 0 {
		rest := &parser{source: p.source[p.at+dash:]}
		if word := rest.identifier(); word != "" && isWordRune(firstRune(word)) {
			p.fail(p.at, "unknown operator -%s", word)
		}
	}
	p.at = at
}

// negative reads a number with its sign, or a value.
func (p *parser) negative() expression {
	p.skipBlanks()
	start := p.at
	if dash := p.dash(); dash > 0 && strings.ContainsRune("0123456789.$(", firstRune(p.source[p.at+dash:]+" ")) {
		p.at += dash
		defer p.enter()()
		return &unary{node(start), "-", p.negative()}
	}
	return p.ranged()
}

// ranged reads a value, or a range such as 1..4.
func (p *parser) ranged() expression {
	left := p.inverted()
	at := p.at
	p.skipBlanks()
	start := p.at
	if !p.take("..") {
		p.at = at
		return left
	}
	p.skipBlanks()
	return &binary{node(start), "..", left, p.inverted()}
}

// inverted reads a value with ! or -not before it.
func (p *parser) inverted() expression {
	p.skipBlanks()
	start := p.at
	if p.take("!") || p.operator([]string{"not"}) != "" {
		defer p.enter()()
		return &unary{node(start), "not", p.inverted()}
	}
	return p.commas()
}

// commas reads a value, or a list of values separated by commas.
func (p *parser) commas() expression {
	first := p.postfixed()
	items := []expression{first}
	for {
		at := p.at
		p.skipBlanks()
		if !p.take(",") {
			p.at = at
			break
		}
		p.skipLines()
		items = append(items, p.postfixed())
	}
	if len(items) == 1 {
		return first
	}
	return &list{node(first.offset()), items}
}

// postfixed reads a value with its properties and elements.
func (p *parser) postfixed() expression {
	return p.members(p.primary())
}

// members reads the .Name and [N] behind a value.
func (p *parser) members(of expression) expression {
	for chain := 0; ; chain++ {
		start := p.at
		if chain == maxChain {
			p.fail(start, "the value has more than %d members", maxChain)
		}
		switch {
		case p.peek() == '.' && isWordRune(firstRune(p.source[p.at+1:]+" ")):
			p.at++
			name := p.identifier()
			if p.at += len(name); p.peek() == '(' {
				p.fail(start, "cxdeck calls no methods such as .%s()", name)
			}
			of = &member{node(start), of, name}
		case p.peek() == '[':
			p.at++
			left, closed := p.enter(), p.within()
			at := p.expression()
			p.closing(start, "]")
			closed()
			left()
			of = &element{node(start), of, at}
		case p.startsWith("::"):
			p.fail(start, "cxdeck has no members of .NET classes")
		default:
			return of
		}
	}
}

// within notes that a closing sign ends what follows.
func (p *parser) within() func() {
	p.closers++
	return func() { p.closers-- }
}

// closing consumes the sign that closes what began at start.
func (p *parser) closing(start int, sign string) {
	p.skipLines()
	if p.take(sign) {
		return
	}
	if p.at >= len(p.source) {
		err := errorAt(p.whole, start, "%s is missing: it closes what begins here", sign)
		err.Incomplete = true
		panic(refusal{err})
	}
	p.fail(p.at, "%s is expected before %s", sign, p.shown())
}

// shown quotes what is next for an error.
func (p *parser) shown() string {
	rest := p.rest()
	if rest == "" {
		return "the end"
	}
	end := strings.IndexAny(rest, " \t\n|;(){},")
	switch {
	case rest[0] == '\n':
		return "the end of the line"
	case end < 0:
		end = len(rest)
	case end == 0:
		_, end = utf8.DecodeRuneInString(rest)
	}
	return `"` + rest[:end] + `"`
}

// primary reads a variable, a text, a number, a list, a hashtable or a part in parentheses.
func (p *parser) primary() expression {
	p.skipBlanks()
	start := p.at
	switch r := p.peek(); {
	case p.startsWith("$("):
		p.at++
		return p.subexpression(start)
	case r == '$':
		return p.variable()
	case p.startsWith("@("):
		p.at++
		e := p.subexpression(start)
		e.array = true
		return e
	case p.startsWith("@{"):
		return p.hashtable()
	case p.startsWith(`@"`), p.startsWith("@'"):
		p.fail(start, "here-strings are not supported; quote the text on one line")
	case r == '@':
		p.fail(start, "@ must be followed by ( or {")
	case r == '(':
		return p.subexpression(start)
	case r == '[':
		return p.typed()
	case r == '{':
		p.fail(start, "a script block can't stand here: ForEach-Object and Where-Object take one")
	case p.quoted():
		return p.quote()
	case r >= '0' && r <= '9' || r == '.':
		return p.number()
	case r == '<':
		if n := len(placeholderPattern().FindString(p.rest())); n > 0 {
			p.at += n
			return &literal{node(start), p.source[start:p.at]}
		}
	case r == 0 || p.at >= len(p.source):
		p.ended("a value is expected at the end of the script")
	}
	p.fail(start, "a value is expected, not %s; quote a text", p.shown())
	return nil
}

// number reads a number, or the digits of a MAC address, which are a text.
func (p *parser) number() expression {
	start := p.at
	end := start
	for end < len(p.source) {
		c := p.source[end]
		if c == '.' && strings.HasPrefix(p.source[end:], "..") || c != '.' && !isWordRune(rune(c)) {
			break
		}
		end++
	}
	word := p.source[start:end]
	p.at = end
	if addressPattern().MatchString(word) && (word[0] == '0' || strings.Trim(word, "0123456789") != "") {
		return &literal{node(start), word}
	}
	v, ok := readNumber(word)
	if !ok {
		p.at = start
		p.fail(start, "invalid number %s; quote a text", p.shown())
	}
	return &literal{node(start), v}
}

// subexpression reads statements in parentheses; the opening one is next.
func (p *parser) subexpression(start int) *output {
	p.at++ // (
	defer p.enter()()
	closed := p.within()
	b := p.block(")")
	p.closing(start, ")")
	closed()
	return &output{node: node(start), block: b}
}

// hashtable reads @{Name = value; ...}.
func (p *parser) hashtable() expression {
	start := p.at
	p.at += 2
	defer p.enter()()
	defer p.within()()
	h := &hashtable{node: node(start)}
	for {
		p.skipSeparators()
		if p.take("}") {
			return h
		}
		if p.at >= len(p.source) {
			err := errorAt(p.whole, start, "} is missing: it closes the hashtable that begins here")
			err.Incomplete = true
			panic(refusal{err})
		}
		key := p.identifier()
		if p.quoted() {
			l, ok := p.quote().(*literal)
			if !ok {
				p.fail(p.at, "a key of a hashtable must be a plain name")
			}
			key = Text(l.value)
		} else {
			p.at += len(key)
		}
		p.skipBlanks()
		if key == "" || !p.take("=") {
			p.fail(p.at, "Name = value is expected in a hashtable, not %s", p.shown())
		}
		for _, earlier := range h.keys {
			if strings.EqualFold(earlier, key) {
				p.fail(p.at, "the hashtable has the key %s twice", key)
			}
		}
		p.skipLines()
		h.keys, h.values = append(h.keys, key), append(h.values, p.expression())
	}
}

// typed reads [char]N and [WildcardPattern]::Escape(text), with which the program prints names for a real host.
func (p *parser) typed() expression {
	start := p.at
	const escape = "[WildcardPattern]::Escape"
	rest := strings.ToLower(p.rest())
	switch {
	case strings.HasPrefix(rest, "[char]"):
		p.at += len("[char]")
		defer p.enter()()
		return &character{node(start), p.primary()}
	case strings.HasPrefix(rest, strings.ToLower(escape)+"("):
		p.at += len(escape)
		return p.subexpression(p.at)
	}
	p.fail(start, "types of .NET such as %s are not supported", p.shown())
	return nil
}
