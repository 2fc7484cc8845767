package cmdlet

import (
	"fmt"
	"reflect"
	"strings"
)

// Line is a line of PowerShell under construction: a command of the table with some of its parameters. A name that is missing
// from the table is an error in the program, and panics.
type Line struct {
	cmdlet *Cmdlet
	text   string
}

// New begins a line with a command.
func New(name string) Line { return Line{}.joinTexts("", name) }

// Expression is a value that PowerShell evaluates, such as $NIC.InterfaceIndex: it is not quoted.
type Expression string

// With adds a parameter with its value: a text is quoted as the parameter's kind requires; a bool is $true or $false. A nil
// pointer adds nothing.
func (l Line) With(parameter string, value any) Line {
	kind := l.parameter(parameter).Kind
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return l
		}
		v = v.Elem()
	}
	text := fmt.Sprint(v.Interface())
	switch {
	case v.Type() == reflect.TypeFor[Expression](), v.CanInt(), v.CanUint():
	case v.Kind() == reflect.Bool:
		text = "$" + text
	default:
		text = quoteAs(kind, text)
	}
	l.text += " -" + parameter + " " + text
	return l
}

// Switch adds switches.
func (l Line) Switch(parameters ...string) Line {
	for _, parameter := range parameters {
		l.parameter(parameter)
		l.text += " -" + parameter
	}
	return l
}

// WithoutConfirm suppresses PowerShell's question: the program has asked.
func (l Line) WithoutConfirm() Line {
	l.text += " -" + Confirm + ":$false"
	return l
}

// Pipe passes the output of the line to a command.
func (l Line) Pipe(name string) Line { return l.joinTexts(l.text+" | ", name) }

func (l Line) joinTexts(before, name string) Line {
	c := Find(name)
	if c == nil {
		panic("the table has no command " + name)
	}
	return Line{c, before + name}
}

// String returns the line.
func (l Line) String() string { return l.text }

func (l Line) parameter(name string) *Parameter {
	p := l.cmdlet.parameter(name)
	if p == nil {
		panic(l.cmdlet.Name + " has no parameter -" + name)
	}
	return p
}

// quoteAs writes a text as the value of a parameter.
func quoteAs(kind Kind, text string) string {
	switch {
	case kind == PatternKind:
		return Pattern(text)
	case kind == WordKind && text != "" && strings.Trim(text, plainCharacters[:62]+"_") == "":
		return text
	}
	return Quote(text)
}
