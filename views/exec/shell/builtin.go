package shell

import (
	"slices"
	"strings"
)

// builtin is a cmdlet that works on values of any kind.
type builtin struct {
	name    string
	aliases []string
	// parameters are as in the table of cmdlets: "Name" may stand without its name, "-Name" not, "-Name?" is a switch.
	parameters string
	// begins reports that it needs nothing before it.
	begins bool
	help   string
	build  func(*builtinCall) stage
}

// builtins are the cmdlets of this package, in the order of their documentation.
func builtins() []builtin {
	return []builtin{
		{"Where-Object", []string{"where", "?"}, "Property Value -FilterScript", false, "keeps the objects for which a condition holds", buildWhere},
		{"ForEach-Object", []string{"foreach", "%"}, "Process|MemberName", false, "runs a script block for each object, or takes a property of each", buildForEach},
		{"Select-Object", []string{"select"}, "Property -ExpandProperty -First -Last -Skip -Unique?", false, "keeps properties, or some of the objects", buildSelect},
		{"Sort-Object", []string{"sort"}, "Property -Descending? -Unique?", false, "sorts the objects", buildSort},
		{"Measure-Object", []string{"measure"}, "Property -Sum? -Average? -Minimum? -Maximum?", false, "counts the objects, and sums up a property", buildMeasure},
		{"Format-Table", []string{"ft"}, "Property -AutoSize? -Wrap?", false, "prints a table", buildFormat(false)},
		{"Format-List", []string{"fl"}, "Property", false, "prints a line for each property", buildFormat(true)},
		{"Out-String", nil, "-Stream?", false, "turns the objects into the text that would be printed", buildOutString},
		{"ConvertTo-Json", nil, "-Depth -Compress?", false, "turns the objects into one text in JSON", buildJSON},
		{"Out-File", nil, "FilePath -Encoding -Force?", false, "writes what would be printed to a file that only you can read", buildOutFile},
		{"Out-Null", nil, "", false, "prints nothing", func(c *builtinCall) stage { c.read(); return &discard{c.node} }},
		{"Out-Host", []string{"oh"}, "-Paging?", false, "prints, as happens anyway", func(c *builtinCall) stage { c.read(); return &pass{c.node} }},
		{"Write-Output", []string{"write"}, "InputObject", true, "passes values on", buildWrite},
		{"Write-Host", nil, "Object", true, "prints values", buildWrite},
		{"Select-String", []string{"sls", "findstr", "grep"}, "Pattern -SimpleMatch?", false, "keeps the lines that have a text", buildSearch},
	}
}

// Builtin is a cmdlet of this package, for help.
type Builtin struct {
	Name, Help string
	Aliases    []string
}

// Builtins returns the cmdlets of this package.
func Builtins() (list []Builtin) {
	for _, b := range builtins() {
		list = append(list, Builtin{b.name, b.help, b.aliases})
	}
	return list
}

// findBuiltin finds a cmdlet of this package by its name or an alias.
func findBuiltin(name string) *builtin {
	all := builtins()
	for i := range all {
		if strings.EqualFold(all[i].name, name) || slices.ContainsFunc(all[i].aliases, func(a string) bool { return strings.EqualFold(a, name) }) {
			return &all[i]
		}
	}
	return nil
}

// IsBuiltin reports whether a name is a cmdlet of this package.
func IsBuiltin(name string) bool { return findBuiltin(name) != nil }

// builtinCall is a call of a builtin while it is read.
type builtinCall struct {
	*parser
	node
	builtin   *builtin
	arguments []argument
	values    map[string]expression
	switches  map[string]bool
}

// builtinParameter is a parameter of a builtin.
type builtinParameter struct {
	name, alias   string
	named, toggle bool
}

func (b *builtin) list() (list []builtinParameter) {
	for _, word := range strings.Fields(b.parameters) {
		var parameter builtinParameter
		word, parameter.alias, _ = strings.Cut(word, "|")
		word, parameter.named = strings.CutPrefix(word, "-")
		parameter.name, parameter.toggle = strings.CutSuffix(word, "?")
		list = append(list, parameter)
	}
	return list
}

// find returns the parameter with a name, an alias, or an unambiguous abbreviation.
func (c *builtinCall) find(a *argument) builtinParameter {
	var found []builtinParameter
	for _, candidate := range c.builtin.list() {
		if strings.EqualFold(candidate.name, a.parameter) || strings.EqualFold(candidate.alias, a.parameter) {
			return candidate
		}
		if len(a.parameter) < len(candidate.name) && strings.EqualFold(candidate.name[:len(a.parameter)], a.parameter) {
			found = append(found, candidate)
		}
	}
	if len(found) != 1 {
		c.fail(a.offset(), "%s has no parameter -%s here; it takes %s", c.builtin.name, a.parameter, c.builtin.usage())
	}
	return found[0]
}

// usage lists the parameters.
func (b *builtin) usage() string {
	var names []string
	for _, parameter := range b.list() {
		names = append(names, "-"+parameter.name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// read assigns the arguments to parameters.
func (c *builtinCall) read() {
	c.values, c.switches = map[string]expression{}, map[string]bool{}
	for i := 0; i < len(c.arguments); i++ {
		a := &c.arguments[i]
		switch {
		case a.splat != "":
			c.fail(a.offset(), "%s takes no splatted variable", c.builtin.name)
		case a.parameter != "":
			parameter := c.find(a)
			value := a.value
			switch {
			case parameter.toggle:
				if l, ok := value.(*literal); value != nil && (!ok || l.value != true) {
					c.fail(a.offset(), "-%s is a switch", parameter.name)
				}
				c.switches[parameter.name] = true
				continue
			case value == nil:
				if i++; i == len(c.arguments) || c.arguments[i].value == nil || c.arguments[i].parameter != "" {
					c.fail(a.offset(), "-%s requires a value", parameter.name)
				}
				value = c.arguments[i].value
			}
			c.set(a.offset(), parameter.name, value)
		default:
			free := ""
			for _, parameter := range c.builtin.list() {
				if !parameter.named && !parameter.toggle && c.values[parameter.name] == nil {
					free = parameter.name
					break
				}
			}
			if free == "" {
				c.fail(a.offset(), "%s takes no further value; its parameters are %s", c.builtin.name, c.builtin.usage())
			}
			c.set(a.offset(), free, a.value)
		}
	}
}

func (c *builtinCall) set(offset int, name string, value expression) {
	if c.values[name] != nil {
		c.fail(offset, "-%s of %s is given twice", name, c.builtin.name)
	}
	c.values[name] = value
}

// names returns the value of a parameter as names of properties.
func (c *builtinCall) names(parameter string) (names []string) {
	e := c.values[parameter]
	if e == nil {
		return nil
	}
	items := []expression{e}
	if l, ok := e.(*list); ok {
		items = l.items
	}
	for _, item := range items {
		l, ok := item.(*literal)
		if !ok || Text(l.value) == "" {
			c.fail(item.offset(), "-%s of %s takes plain names of properties here", parameter, c.builtin.name)
		}
		names = append(names, Text(l.value))
	}
	return names
}

// count returns the value of a parameter as a number of objects; -1 without it.
func (c *builtinCall) count(parameter string) int {
	e := c.values[parameter]
	if e == nil {
		return -1
	}
	l, ok := e.(*literal)
	n := Value(nil)
	if ok {
		n, ok = readNumber(Text(l.value))
	}
	whole, isWhole := n.(int64)
	if !ok || !isWhole || whole > maxValues {
		c.fail(e.offset(), "-%s of %s must be a whole number up to %d", parameter, c.builtin.name, maxValues)
	}
	return int(whole)
}

// Stages of a pipeline that work on values.
type (
	filter struct {
		node
		test  expression // nil for a script block
		block *block
	}
	each struct {
		node
		block  *block // nil for a property
		member string
	}
	selection struct {
		node
		names             []string
		expand            string
		first, last, skip int // -1 if not given
		unique            bool
	}
	sorting struct {
		node
		names              []string
		descending, unique bool
	}
	measurement struct {
		node
		property                       string
		sum, average, minimum, maximum bool
	}
	formatting struct {
		node
		list  bool
		names []string
	}
	asText struct {
		node
		stream bool
	}
	asJSON struct {
		node
		compress bool
	}
	saving struct {
		node
		path expression
	}
	discard struct{ node }
	pass    struct{ node }
	writing struct {
		node
		items []expression
	}
	search struct {
		node
		pattern expression
		plain   bool
	}
)

// comparisons are the operators of Where-Object without a script block.
func comparisons() []string {
	return slices.DeleteFunc(levels()[1], func(operator string) bool { return operator == "join" })
}

func buildWhere(c *builtinCall) stage {
	f := &filter{node: c.node}
	operator := ""
	var rest []argument
	for _, a := range c.arguments {
		word := strings.ToLower(a.parameter)
		if i := strings.TrimPrefix(word, "i"); a.parameter != "" && slices.Contains(comparisons(), i) && word != "in" {
			word = i
		}
		if a.parameter != "" && slices.Contains(comparisons(), word) {
			if operator != "" {
				c.fail(a.offset(), "Where-Object without a script block compares once; write { ... -and ... }")
			}
			operator = word
			if a.value != nil {
				rest = append(rest, argument{node: a.node, value: a.value})
			}
			continue
		}
		rest = append(rest, a)
	}
	c.arguments = rest
	c.read()
	property, value, script := c.values["Property"], c.values["Value"], c.values["FilterScript"]
	if b, ok := property.(*scriptBlock); ok && script == nil {
		property, script = nil, b
	}
	b, isBlock := script.(*scriptBlock)
	switch {
	case script != nil && (!isBlock || property != nil || value != nil || operator != ""):
		c.fail(int(c.node), "Where-Object takes a script block, or a property, an operator and a value")
	case isBlock:
		if len(b.block.statements) != 1 {
			c.fail(b.offset(), "the script block of Where-Object must be one condition")
		}
		f.block = b.block
		return f
	case property == nil:
		c.fail(int(c.node), "Where-Object requires a condition: ? Status -eq Up, or ? { $_.Status -eq 'Up' }")
	case value != nil && operator == "" || value == nil && operator != "":
		c.fail(int(c.node), "Where-Object requires a property, an operator and a value: ? Status -eq Up")
	}
	of := &member{c.node, &variable{c.node, current, current}, c.names("Property")[0]}
	if f.test = of; operator != "" {
		f.test = &binary{c.node, operator, of, argumentNumber(value)}
	}
	return f
}

// argumentNumber returns the number that a plain word of an argument is, else the word.
func argumentNumber(e expression) expression {
	l, ok := e.(*literal)
	if !ok {
		return e
	}
	word, isText := l.value.(string)
	if n, ok := readNumber(word); isText && ok && !addressPattern().MatchString(word) {
		return &literal{l.node, n}
	}
	return e
}

func buildForEach(c *builtinCall) stage {
	c.read()
	switch b := c.values["Process"].(type) {
	case *scriptBlock:
		return &each{node: c.node, block: b.block}
	case *literal:
		return &each{node: c.node, member: Text(b.value)}
	}
	c.fail(int(c.node), "ForEach-Object requires a script block: %% { ... $_.Name ... }")
	return nil
}

func buildSelect(c *builtinCall) stage {
	c.read()
	s := &selection{node: c.node, names: c.names("Property"), first: c.count("First"), last: c.count("Last"), skip: c.count("Skip"), unique: c.switches["Unique"]}
	if len(s.names) == 1 && s.names[0] == "*" {
		s.names = nil
	}
	if list := c.names("ExpandProperty"); len(list) == 1 {
		s.expand = list[0]
	}
	switch {
	case len(c.arguments) == 0:
		c.fail(int(c.node), "Select-Object requires properties, -First, -Last, -Skip, -Unique or -ExpandProperty")
	case s.expand != "" && s.names != nil:
		c.fail(int(c.node), "Select-Object takes -ExpandProperty or properties here, not both")
	case s.first >= 0 && s.last >= 0:
		c.fail(int(c.node), "Select-Object takes -First or -Last here, not both")
	}
	return s
}

func buildSort(c *builtinCall) stage {
	c.read()
	return &sorting{c.node, c.names("Property"), c.switches["Descending"], c.switches["Unique"]}
}

func buildMeasure(c *builtinCall) stage {
	c.read()
	m := &measurement{node: c.node, sum: c.switches["Sum"], average: c.switches["Average"], minimum: c.switches["Minimum"], maximum: c.switches["Maximum"]}
	if list := c.names("Property"); len(list) > 1 {
		c.fail(int(c.node), "Measure-Object takes one property here")
	} else if len(list) == 1 {
		m.property = list[0]
	}
	return m
}

func buildFormat(asList bool) func(*builtinCall) stage {
	return func(c *builtinCall) stage {
		c.read()
		f := &formatting{c.node, asList, c.names("Property")}
		if len(f.names) == 1 && f.names[0] == "*" {
			f.names = nil
		}
		return f
	}
}

func buildOutString(c *builtinCall) stage {
	c.read()
	return &asText{c.node, c.switches["Stream"]}
}

func buildWrite(c *builtinCall) stage {
	w := &writing{node: c.node}
	for _, a := range c.arguments {
		if a.parameter != "" || a.value == nil {
			c.fail(a.offset(), "%s takes only values here", c.builtin.name)
		}
		if _, ok := a.value.(*scriptBlock); ok {
			c.fail(a.offset(), "%s takes no script block", c.builtin.name)
		}
		w.items = append(w.items, argumentNumber(a.value))
	}
	return w
}

func buildSearch(c *builtinCall) stage {
	c.read()
	s := &search{c.node, c.values["Pattern"], c.switches["SimpleMatch"]}
	if _, isBlock := s.pattern.(*scriptBlock); s.pattern == nil || isBlock {
		c.fail(int(c.node), "%s requires a text", c.builtin.name)
	}
	return s
}
