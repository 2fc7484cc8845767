package shell

import (
	"slices"
	"strings"
)

// kind is what a checker knows of a value: nothing, that it is no object, or that it is an object of a noun.
type kind struct {
	object bool
	noun   string
	plain  bool
	table  *hashtable
}

// checker walks a script before it runs: it finds names that are not set, commands that can't take their parameters, and pipes that
// carry nothing.
type checker struct {
	script    *Script
	catalogue Catalogue
	set       map[string]kind
	current   []kind // the kinds of $_ of the script blocks around
}

func newChecker(s *Script, catalogue Catalogue, session *Session) *checker {
	c := &checker{script: s, catalogue: catalogue, set: map[string]kind{}}
	for _, name := range session.names() {
		k := kind{}
		switch v := session.get(name).(type) {
		case *Table:
			k.table = &hashtable{keys: v.keys}
			for _, value := range v.values {
				k.table.values = append(k.table.values, &literal{0, value})
			}
		case *Object:
			k = kind{object: true, noun: v.Noun}
		}
		c.set[name] = k
	}
	return c
}

func (c *checker) fail(at interface{ offset() int }, format string, args ...any) {
	err := errorAt(c.script.source, at.offset(), format, args...)
	if one, ok := at.(*command); ok && one.words != nil {
		err.Column = 0
	}
	panic(refusal{err})
}

func (c *checker) run() {
	c.script.Simple = true
	for _, s := range c.script.block.statements {
		p, ok := s.(*pipeline)
		if ok && p.first == nil && len(p.stages) == 1 {
			one, isCommand := p.stages[0].(*command)
			ok = isCommand && one.words != nil
		} else {
			ok = false
		}
		c.script.Simple = c.script.Simple && ok
	}
	c.block(c.script.block)
}

// block checks statements, and returns the kind of their output.
func (c *checker) block(b *block) (last kind) {
	for i, s := range b.statements {
		if k := c.statement(s); i == 0 {
			last = k
		} else {
			last = kind{}
		}
	}
	return last
}

func (c *checker) statement(s statement) kind {
	switch s := s.(type) {
	case *assignment:
		if _, ok := c.set[s.name]; s.adds && !ok {
			c.fail(s, "the variable $%s is not set", s.name)
		}
		k := c.value(s.value)
		if s.adds {
			k = kind{}
		}
		c.set[s.name] = k
		return kind{}
	case *condition:
		for _, clause := range s.clauses {
			c.value(clause.test)
			c.block(clause.body)
		}
		if s.other != nil {
			c.block(s.other)
		}
		return kind{}
	case *loop:
		k := c.value(s.in)
		k.table = nil
		c.set[s.name] = k
		c.block(s.body)
		return kind{}
	case *pipeline:
		return c.pipeline(s)
	}
	return kind{}
}

// value checks a statement whose output is used.
func (c *checker) value(s statement) kind {
	p, ok := s.(*pipeline)
	if !ok {
		return c.statement(s)
	}
	k := c.pipeline(p)
	if len(p.stages) > 0 {
		c.passesOn(p.stages[len(p.stages)-1])
	}
	if p.first != nil && len(p.stages) == 0 {
		if h, ok := p.first.(*hashtable); ok {
			k.table = h
		}
	}
	return k
}

// passesOn refuses a stage whose output is used but that has none.
func (c *checker) passesOn(s stage) {
	if one, ok := s.(*command); ok {
		if words := c.words(one); c.changes(words) {
			c.fail(s, "%s passes nothing on here: it only changes the host", one.name)
		}
	}
	if one, ok := s.(*formatting); ok {
		c.fail(one, "Format-Table and Format-List print, and pass nothing on")
	}
}

func (c *checker) changes(words []string) bool {
	changes, _, _ := c.catalogue.Effect(words)
	return changes
}

func (c *checker) pipeline(p *pipeline) (k kind) {
	piped := p.first != nil
	if piped {
		k = c.expression(p.first)
		if _, isVariable := p.first.(*variable); !isVariable {
			k.table = nil
		}
	}
	for i, s := range p.stages {
		k = c.stage(s, k, piped || i > 0)
		if i < len(p.stages)-1 {
			if !takesPrinted(p.stages[i+1]) {
				c.passesOn(s)
			} else if one, ok := s.(*command); ok {
				c.passesOn(one)
			}
		}
	}
	return k
}

// takesPrinted reports whether a stage takes what would be printed, also of Format-Table.
func takesPrinted(s stage) bool {
	switch s.(type) {
	case *asText, *saving:
		return true
	}
	return false
}

// stage checks a stage that gets values of a kind, and returns the kind of its output.
func (c *checker) stage(s stage, from kind, piped bool) kind {
	switch s := s.(type) {
	case *command:
		return c.command(s, from, piped)
	case *filter:
		c.inside(from, func() {
			if s.test != nil {
				c.expression(s.test)
			} else {
				c.block(s.block)
			}
		})
		return from
	case *each:
		k := kind{}
		if s.block != nil {
			c.inside(from, func() { k = c.block(s.block) })
		}
		return k
	case *selection:
		if s.expand != "" {
			return kind{plain: true}
		}
		return from
	case *sorting, *pass:
		return from
	case *measurement:
		return kind{object: true}
	case *writing:
		k := kind{}
		for _, item := range s.items {
			k = c.expression(item)
		}
		if len(s.items) != 1 {
			k = kind{}
		}
		return k
	case *search:
		c.expression(s.pattern)
		if !s.plain {
			c.pattern(s.pattern)
		}
		return kind{plain: true}
	case *asText, *asJSON:
		return kind{plain: true}
	case *saving:
		c.expression(s.path)
	}
	return kind{}
}

// inside checks a script block whose $_ has a kind.
func (c *checker) inside(k kind, check func()) {
	c.current = append(c.current, k)
	check()
	c.current = c.current[:len(c.current)-1]
}

func (c *checker) command(s *command, from kind, piped bool) kind {
	words := c.words(s)
	noun := from.noun
	if piped {
		switch {
		case s.program:
			c.fail(s, "%s reads nothing from a pipe", s.name)
		case from.plain:
			c.fail(s, "%s takes objects from a pipe, not texts; ForEach-Object { %s -Name $_ } passes each text on", s.name, s.name)
		}
	}
	if err := c.catalogue.Check(words, piped, noun); err != nil {
		c.fail(s, "%v", err)
	}
	changes, interrupts, asks := c.catalogue.Effect(words)
	c.script.Commands = append(c.script.Commands, words)
	c.script.Changes = c.script.Changes || changes
	c.script.Interrupts = c.script.Interrupts || interrupts
	c.script.Asks = c.script.Asks || asks
	if s.program {
		return kind{plain: true}
	}
	return kind{object: true, noun: c.catalogue.Noun(words)}
}

// words returns the words of a command, with Placeholder for values that are not known yet.
func (c *checker) words(s *command) []string {
	if s.words != nil {
		return s.words
	}
	words := []string{s.name}
	for i := range s.arguments {
		a := &s.arguments[i]
		switch {
		case a.splat != "":
			words = append(words, c.splat(a)...)
		case a.parameter != "" && a.value != nil:
			words = append(words, "-"+a.parameter+":"+c.word(s, a.value))
		case a.parameter != "":
			words = append(words, "-"+a.parameter)
		default:
			words = append(words, c.word(s, a.value))
		}
	}
	return words
}

// splat returns the parameters of a splatted hashtable.
func (c *checker) splat(a *argument) (words []string) {
	k, ok := c.set[a.splat]
	switch {
	case !ok:
		c.fail(a, "the variable $%s is not set", a.splat)
	case k.table == nil:
		c.fail(a, "@%s requires that $%s is a hashtable: $%s = @{ Name = 'value' }", a.splat, a.splat, a.splat)
	}
	for i, key := range k.table.keys {
		words = append(words, "-"+key+":"+c.literalWord(k.table.values[i]))
	}
	return words
}

// word checks a value of an argument, and returns its text if it is known.
func (c *checker) word(s *command, e expression) string {
	if k := c.expression(e); k.object && !s.program {
		if v, ok := e.(*variable); ok {
			c.fail(e, "$%s is an object, and %s takes a text: write $%s.Name", v.typed, s.name, v.typed)
		}
		c.fail(e, "%s takes a text here, not an object: write (...).Name", s.name)
	}
	return c.literalWord(e)
}

func (c *checker) literalWord(e expression) string {
	switch e := e.(type) {
	case *literal:
		return wordOf(e.value)
	case *list:
		parts := make([]string, len(e.items))
		for i, item := range e.items {
			parts[i] = c.literalWord(item)
		}
		return strings.Join(parts, ",")
	}
	return Placeholder
}

// expression checks an expression, and returns the kind of its value.
func (c *checker) expression(e expression) kind {
	switch e := e.(type) {
	case *literal:
		return kind{plain: true}
	case *variable:
		return c.variable(e)
	case *member:
		c.expression(e.of)
		return kind{}
	case *element:
		k := c.expression(e.of)
		c.expression(e.at)
		k.table = nil
		return k
	case *unary:
		c.expression(e.of)
	case *binary:
		c.expression(e.left)
		c.expression(e.right)
		if e.operator == "match" || e.operator == "notmatch" {
			c.pattern(e.right)
		}
	case *list:
		for _, item := range e.items {
			c.expression(item)
		}
		return kind{}
	case *hashtable:
		for _, value := range e.values {
			c.expression(value)
		}
		return kind{}
	case *text:
		for _, part := range e.parts {
			c.expression(part)
		}
	case *character:
		c.expression(e.of)
	case *output:
		last := kind{}
		for i, s := range e.block.statements {
			if last = c.value(s); i > 0 {
				last = kind{}
			}
		}
		last.plain = last.plain && len(e.block.statements) == 1
		return last
	}
	return kind{plain: true}
}

func (c *checker) variable(e *variable) kind {
	if e.name == current {
		if len(c.current) == 0 {
			c.fail(e, "$_ has a value only in the script block of ForEach-Object or Where-Object")
		}
		return c.current[len(c.current)-1]
	}
	k, ok := c.set[e.name]
	if !ok {
		var names []string
		for name := range c.set {
			names = append(names, "$"+name)
		}
		slices.Sort(names)
		if len(names) == 0 {
			c.fail(e, "the variable $%s is not set; put a text with $ into single quotes", e.typed)
		}
		c.fail(e, "the variable $%s is not set; the variables are %s", e.typed, strings.Join(names[:min(len(names), 8)], ", "))
	}
	return k
}

// pattern checks a regular expression that is known.
func (c *checker) pattern(e expression) {
	if l, ok := e.(*literal); ok {
		if _, err := regular(Text(l.value)); err != nil {
			c.fail(e, "%v", err)
		}
	}
}
