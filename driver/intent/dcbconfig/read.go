package dcbconfig

import (
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/wording"
)

// Limits of a file: real ones have a few hundred values.
const (
	maxDepth  = 32
	maxValues = 100_000
	maxNodes  = 1024
)

// Read returns the value of $configData: a map of names as they are spelled. Values are maps, []any, strings, int64, bools
// and nil, as the decoder of TOML gives them. An *Error has the line of what can't be read.
func Read(data []byte) (map[string]any, error) {
	source, err := Text(data)
	if err != nil {
		return nil, err
	}
	p := &reader{scanner: scanner{rest: source, line: 1}, variables: map[string]any{}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.statements(end, ""); err != nil {
		return nil, err
	}
	found, ok := p.variables["configdata"].(map[string]any)
	if !ok {
		return nil, &Error{p.at.line, "the file assigns no table to $configData"}
	}
	return found, nil
}

// reader reads tokens into values.
type reader struct {
	scanner
	at        token
	variables map[string]any
	// looping is true within a ForEach-Object, depth counts nested tables and lists, and values all values that were made.
	looping       bool
	depth, values int
}

func (p *reader) advance() (err error) {
	p.at, err = p.next()
	return err
}

func (p *reader) is(s string) bool { return p.at.kind == sign && p.at.text == s }

func (p *reader) expected(want string) error {
	found := "the end of the file"
	switch p.at.kind {
	case end:
	case newline:
		found = "the end of the line"
	case variable:
		found = "$" + wording.Shorten(p.at.text, maxQuoted)
	case word:
		found = wording.Shorten(p.at.text, maxQuoted) + ", which PowerShell would have to run"
	default:
		found = strconv.Quote(wording.Shorten(p.at.text, maxQuoted))
	}
	return &Error{p.at.line, want + " is required, not " + found}
}

// gaps skips ends of lines and of statements.
func (p *reader) gaps() error {
	for p.at.kind == newline || p.is(";") {
		if err := p.advance(); err != nil {
			return err
		}
	}
	return nil
}

// statements reads statements up to a token.
func (p *reader) statements(until kind, closing string) error {
	for {
		if err := p.gaps(); err != nil {
			return err
		}
		switch {
		case p.at.kind == until && (closing == "" || p.at.text == closing):
			return nil
		case p.at.kind != variable:
			return p.expected("an assignment such as $AllNodes = @()")
		}
		if err := p.statement(); err != nil {
			return err
		}
	}
}

// statement reads an assignment, or a loop over nodes.
func (p *reader) statement() error {
	name := strings.ToLower(p.at.text)
	if err := p.advance(); err != nil {
		return err
	}
	switch {
	case p.is("="), p.is("+="):
		if name == "_" {
			return p.expected("a variable that the file may set")
		}
		adds := p.at.text == "+="
		if err := p.advance(); err != nil {
			return err
		}
		value, err := p.commaList()
		if err != nil {
			return err
		}
		if adds {
			value, err = p.join(p.variables[name], value)
		}
		if p.variables[name] = value; err != nil {
			return err
		}
		if p.at.kind != newline && p.at.kind != end && !p.is(";") && !p.is("}") {
			return p.expected("the end of the line")
		}
		return nil
	case p.is("|"):
		return p.loop(name)
	}
	return p.expected("= or += after the variable $" + wording.Shorten(name, maxQuoted))
}

// join appends to a list, as += does.
func (p *reader) join(list, more any) (any, error) {
	joined := slices.Clone(asList(list))
	joined = append(joined, asList(more)...)
	if len(joined) > maxValues {
		return nil, &Error{p.at.line, "a list has too many values"}
	}
	return joined, nil
}

// asList returns what PowerShell goes through: the values of a list, one value, or none.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// loop reads | ForEach-Object { ... } and runs its statements for each node. They are read again each time.
func (p *reader) loop(name string) error {
	nodes, known := p.variables[name]
	if !known {
		return &Error{p.at.line, "the variable $" + wording.Shorten(name, maxQuoted) + " has no value"}
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.at.kind != word || !strings.EqualFold(p.at.text, "ForEach-Object") && !strings.EqualFold(p.at.text, "foreach") {
		return p.expected("ForEach-Object after the |")
	}
	if p.looping {
		return &Error{p.at.line, "nested loops can't be read"}
	}
	if err := p.advance(); err != nil {
		return err
	}
	if !p.is("{") {
		return p.expected("a { after ForEach-Object")
	}
	list := asList(nodes)
	if len(list) == 0 || len(list) > maxNodes {
		return &Error{p.at.line, "a loop must have 1 to " + strconv.Itoa(maxNodes) + " nodes"}
	}
	p.looping = true
	body, before := p.scanner, p.variables["_"]
	for _, node := range list {
		p.scanner, p.variables["_"] = body, node
		if err := p.advance(); err != nil {
			return err
		}
		if err := p.statements(sign, "}"); err != nil {
			return err
		}
	}
	p.looping, p.variables["_"] = false, before
	return p.advance()
}

// commaList reads a value, or several with commas between them, which are a list.
func (p *reader) commaList() (any, error) {
	first, err := p.value()
	if err != nil || !p.is(",") {
		return first, err
	}
	list := []any{first}
	for p.is(",") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		for p.at.kind == newline { // a list may continue on the next line
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		element, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}

// value reads one value.
func (p *reader) value() (v any, err error) {
	if p.values++; p.values > maxValues {
		return nil, &Error{p.at.line, "the file has too many values"}
	}
	switch {
	case p.is("@{"), p.is("@("), p.is("("):
		if p.depth++; p.depth > maxDepth {
			return nil, &Error{p.at.line, "tables and lists are nested too deeply"}
		}
		defer func() { p.depth-- }()
		if p.is("@{") {
			return p.table()
		}
		return p.list()
	case p.at.kind == text:
		v = p.at.text
	case p.at.kind == variable:
		if v, err = p.variable(); err != nil {
			return nil, err
		}
	case p.at.kind == word:
		n, err := strconv.ParseInt(p.at.text, 0, 64)
		if err != nil {
			return nil, p.expected("a value")
		}
		v = n
	default:
		return nil, p.expected("a value")
	}
	return v, p.advance()
}

// variable returns the value of a variable, which must have one.
func (p *reader) variable() (any, error) {
	switch name := strings.ToLower(p.at.text); name {
	case "true", "false":
		return name == "true", nil
	case "null":
		return nil, nil //nolint:nilnil // the value of $null
	default:
		v, known := p.variables[name]
		if !known {
			return nil, &Error{p.at.line, "the variable $" + wording.Shorten(p.at.text, maxQuoted) + " has no value"}
		}
		p.values += size(v)
		if p.values > maxValues {
			return nil, &Error{p.at.line, "the file has too many values"}
		}
		return v, nil
	}
}

// size returns how many values a value consists of.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			n += size(element)
		}
	case map[string]any:
		for _, element := range v {
			n += size(element)
		}
	}
	return n
}

// table reads @{ Name = value; ... }.
func (p *reader) table() (any, error) {
	table, line := map[string]any{}, p.at.line
	known := map[string]bool{} // names differ in more than case
	if err := p.advance(); err != nil {
		return nil, err
	}
	for {
		if err := p.gaps(); err != nil {
			return nil, err
		}
		if p.is("}") {
			return table, p.advance()
		}
		if p.at.kind == end {
			return nil, &Error{line, "the table that begins here has no end"}
		}
		if p.at.kind != word && p.at.kind != text {
			return nil, p.expected("the name of a field")
		}
		name := p.at.text
		if known[strings.ToLower(name)] {
			return nil, &Error{p.at.line, "the table has the field " + wording.Shorten(name, maxQuoted) + " twice"}
		}
		known[strings.ToLower(name)] = true
		if err := p.advance(); err != nil {
			return nil, err
		}
		if !p.is("=") {
			return nil, p.expected("= after the field " + wording.Shorten(name, maxQuoted))
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		for p.at.kind == newline {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		v, err := p.commaList()
		if err != nil {
			return nil, err
		}
		if p.at.kind != newline && p.at.kind != end && !p.is(";") && !p.is("}") {
			return nil, p.expected("the end of the field " + wording.Shorten(name, maxQuoted))
		}
		table[name] = v
	}
}

// list reads @( ... ): values on lines of their own, or with commas or semicolons between them.
func (p *reader) list() (any, error) {
	list, line := []any{}, p.at.line
	if err := p.advance(); err != nil {
		return nil, err
	}
	for {
		if err := p.gaps(); err != nil {
			return nil, err
		}
		switch {
		case p.is(")"):
			return list, p.advance()
		case p.at.kind == end:
			return nil, &Error{line, "the list that begins here has no end"}
		}
		v, err := p.commaList()
		if err != nil {
			return nil, err
		}
		list = append(list, asList(v)...)
		if p.at.kind != newline && p.at.kind != end && !p.is(";") && !p.is(")") {
			return nil, p.expected("the end of the list")
		}
	}
}

// maxQuoted is the maximum length of a quoted text in a sentence, in characters.
const maxQuoted = 40
