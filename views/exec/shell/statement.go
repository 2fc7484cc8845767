package shell

import (
	"slices"
	"strings"
	"unicode"
)

// Parse reads a script and checks it. session has the variables that earlier scripts have assigned; it may be nil. The error is an
// *Error.
func Parse(source *Source, catalogue Catalogue, session *Session) (s *Script, err error) {
	p := &parser{source: source.Text, whole: source, catalogue: catalogue, known: map[string]bool{}}
	for _, name := range session.names() {
		p.known[name] = true
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			refused, ok := thrown.(refusal)
			if !ok {
				panic(thrown)
			}
			s, err = nil, refused.err
		}
	}()
	if len(source.Text) > MaxBytes {
		p.fail(0, "a script with PowerShell syntax can have at most %d bytes", MaxBytes)
	}
	if at := strings.IndexFunc(source.Text, isStrayControl); at >= 0 {
		p.fail(at, "a script can't have the control character %U", []rune(source.Text[at:])[0])
	}
	s = &Script{source: source, block: p.block("")}
	newChecker(s, catalogue, session).run()
	return s, nil
}

// isStrayControl reports whether a character is a control character other than the ones between words and lines.
func isStrayControl(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) }

// block reads statements up to a closing sign, which it does not consume, or to the end.
func (p *parser) block(closing string) *block {
	b := &block{}
	for p.skipSeparators(); p.at < len(p.source); p.skipSeparators() {
		if closing != "" && p.startsWith(closing) {
			break
		}
		b.statements = append(b.statements, p.statement())
		p.skipBlanks()
		if r := p.peek(); p.at < len(p.source) && !strings.ContainsRune("\n;#", r) && (closing == "" || !p.startsWith(closing)) {
			if p.endsCommand() {
				p.fail(p.at, "%s closes nothing that begins here", p.shown())
			}
			p.fail(p.at, "%s is not expected here", p.shown())
		}
	}
	return b
}

// refusedKeywords are statements of PowerShell that are not supported.
func refusedKeywords() []string {
	return []string{
		"for", "while", "do", "function", "filter", "param", "try", "trap", "return", "break", "continue", "class", "enum", "begin", "process",
		"end", "throw", "exit", "data", "using", "workflow", "configuration", "until",
	}
}

// statement reads a statement.
func (p *parser) statement() statement {
	defer p.enter()()
	start := p.at
	if line := p.lineStatement(); line != nil {
		return line
	}
	typed := p.identifier()
	word, rest := strings.ToLower(typed), p.source[p.at+len(typed):] // lower case can have more bytes
	after := strings.TrimLeft(rest, " \t\n")
	switch {
	case word == "if" && strings.HasPrefix(after, "("):
		return p.condition()
	case word == "foreach" && strings.HasPrefix(after, "("):
		return p.loop()
	case word == "else" || word == "elseif":
		p.fail(start, "%s must follow the } of an if", word)
	case word == "switch" && strings.HasPrefix(after, "("), slices.Contains(refusedKeywords(), word) && p.catalogue.Kind(word) == Unknown &&
		!strings.HasPrefix(rest, "-"):
		p.fail(start, "%s of PowerShell is not supported; there are if, foreach, ForEach-Object and Where-Object", word)
	}
	if p.peek() == '$' {
		if a := p.assignment(); a != nil {
			return a
		}
	}
	return p.pipeline()
}

// lineStatement reads a line that is one command without syntax of PowerShell, as such lines have always been read.
func (p *parser) lineStatement() statement {
	line, _, _ := strings.Cut(p.rest(), "\n")
	words, ok := p.catalogue.Line(line)
	if !ok || p.closers > 0 && strings.ContainsAny(line, "})") {
		return nil
	}
	c := &command{node: node(p.at), name: words[0], words: words, program: p.catalogue.Kind(words[0]) == Program}
	p.at += len(line)
	if last := p.catalogue.More(words); last != nil {
		c.words = append(c.words, "--")
		for {
			if p.at >= len(p.source) {
				if p.whole.Partial {
					p.ended("%s reads lines, and the last one is missing", words[0])
				}
				break
			}
			p.at++ // line end
			line, _, _ := strings.Cut(p.rest(), "\n")
			p.at += len(line)
			if c.words = append(c.words, line); last(line) {
				break
			}
		}
	}
	return &pipeline{node: c.node, stages: []stage{c}}
}

// assignment reads $name = ... or $name += ...; nil if none is next.
func (p *parser) assignment() statement {
	start := p.at
	p.at++
	typed := p.identifier()
	name := strings.ToLower(typed)
	p.at += len(typed)
	if name+":" == environment && p.take(":") {
		of := p.identifier()
		name += ":" + strings.ToLower(of)
		p.at += len(of)
	}
	nameEnd := p.at
	p.skipBlanks()
	switch {
	case name != "" && p.take("+="):
	case name != "" && p.startsWith("=") && !p.startsWith("=="):
		p.at++
	case nameEnd == p.at && strings.HasPrefix(p.rest(), "."):
		if before, _, ok := strings.Cut(strings.SplitN(p.rest(), "\n", 2)[0], "="); ok && strings.Trim(before[1:], " \tabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
			p.fail(start, "properties of objects can't be assigned; use a Set- cmdlet")
		}
		p.at = start
		return nil
	default:
		p.at = start
		return nil
	}
	if slices.Contains([]string{"true", "false", "null", "_", "psitem"}, name) {
		p.fail(start, "$%s can't be assigned", name)
	}
	a := &assignment{node: node(start), name: name, adds: p.source[p.at-2] == '+'}
	p.skipLines()
	if p.at >= len(p.source) {
		p.ended("a value for $%s is expected", name)
	}
	a.value = p.statement()
	if _, nested := a.value.(*assignment); nested {
		p.fail(a.value.offset(), "one assignment can't stand in another one")
	}
	p.known[name] = true
	return a
}

// test reads the condition of an if or the list of a foreach.
func (p *parser) test(closing string) statement {
	defer p.enter()()
	start := p.at
	if p.skipLines(); p.startsWith(closing) {
		p.fail(start, "a value is expected before %s", closing)
	}
	s := p.pipeline()
	p.closing(start, closing)
	return s
}

func (p *parser) condition() statement {
	c := &condition{node: node(p.at)}
	for keyword := "if"; ; keyword = "elseif" {
		p.at += len(keyword)
		p.skipLines()
		if !p.take("(") {
			p.fail(p.at, "( is expected behind %s, not %s", keyword, p.shown())
		}
		closed := p.within()
		test := p.test(")")
		closed()
		p.skipLines()
		c.clauses = append(c.clauses, clause{test, p.braces()})
		end := p.at
		p.skipLines()
		switch strings.ToLower(p.identifier()) {
		case "elseif":
			continue
		case "else":
			p.at += len("else")
			p.skipLines()
			c.other = p.braces()
		default:
			p.at = end
		}
		return c
	}
}

func (p *parser) loop() statement {
	l := &loop{node: node(p.at)}
	p.at += len("foreach")
	p.skipLines()
	p.at++ // (
	p.skipLines()
	start := p.at
	if !p.take("$") {
		p.fail(start, "foreach requires a variable: foreach ($x in ...) { ... }")
	}
	name := p.identifier()
	l.name = strings.ToLower(name)
	p.at += len(name)
	p.skipLines()
	if word := p.identifier(); !strings.EqualFold(word, "in") || l.name == "" || l.name == current {
		p.fail(start, "foreach requires a variable and in: foreach ($x in ...) { ... }")
	}
	p.at += len("in")
	closed := p.within()
	l.in = p.test(")")
	closed()
	p.known[l.name] = true
	p.skipLines()
	l.body = p.braces()
	return l
}

// pipeline reads a value or a command, and the stages behind it.
func (p *parser) pipeline() statement {
	p.skipBlanks()
	pl := &pipeline{node: node(p.at)}
	if p.beginsExpression() {
		pl.first = p.expression()
	} else {
		pl.stages = append(pl.stages, p.command(false))
	}
	for {
		p.skipBlanks()
		if !p.startsWith("|") {
			if p.startsWith("&") {
				p.fail(p.at, "& of PowerShell is not supported here")
			}
			return pl
		}
		start := p.at
		if p.at++; p.peek() == '|' {
			p.fail(start, "|| of PowerShell is not supported")
		}
		if p.skipLines(); p.at >= len(p.source) {
			p.ended("a | must be followed by a command")
		}
		if p.endsCommand() || p.beginsExpression() {
			p.fail(p.at, "a | must be followed by a command, not by %s", p.shown())
		}
		pl.stages = append(pl.stages, p.command(true))
		if len(pl.stages) > maxDepth {
			p.fail(start, "a pipeline can have at most %d commands", maxDepth)
		}
	}
}

// beginsExpression reports whether a value is next, and not the name of a command.
func (p *parser) beginsExpression() bool {
	r := p.peek()
	switch {
	case r == '$', r == '@', r == '(', r == '!', r == '[', r == '{', p.quoted():
		return true
	case r == '.' || p.dash() > 0:
		next := firstRune(p.rest()[len(string(r)):] + " ")
		return next >= '0' && next <= '9' || strings.HasPrefix(strings.ToLower(p.rest()[len(string(r)):]), "not ")
	}
	return r >= '0' && r <= '9'
}

// command reads a command; piped reports that it gets values.
func (p *parser) command(piped bool) stage {
	start := p.at
	name := ""
	if p.take("&") {
		p.skipBlanks()
	}
	if p.quoted() {
		l, ok := p.quote().(*literal)
		if !ok {
			p.fail(start, "the name of a command must be plain")
		}
		name = Text(l.value)
	} else {
		for p.at < len(p.source) && !strings.ContainsRune(" \t\n|;(){}\u00a0\u202f", p.peek()) {
			r := p.next()
			if strings.ContainsRune(dashes, r) && r != '-' {
				r = '-'
			}
			name += string(r)
		}
	}
	if name == "" {
		p.fail(start, "%s is not expected here", p.shown())
	}
	if b := findBuiltin(name); b != nil {
		c := &builtinCall{parser: p, node: node(start), builtin: b, arguments: p.arguments(b.name, true)}
		if !piped && !b.begins {
			p.fail(start, "%s must follow a |", b.name)
		}
		return b.build(c)
	}
	kind := p.catalogue.Kind(name)
	c := &command{node: node(start), name: name, program: kind == Program}
	switch kind {
	case Cmdlet:
		c.arguments = p.arguments(name, false)
	case Program:
		c.arguments = p.programWords(name)
	default:
		p.fail(start, "%s", p.catalogue.Missing(name))
	}
	return c
}
