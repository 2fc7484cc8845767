package subnet

import (
	"fmt"
	"slices"
	"strings"
)

// Option is an option of a program: its long name, its letter (0 without one), the name of its value ("" for a flag) and its help.
type Option struct {
	Long   string
	Letter byte
	value  string
	help   string
}

// NewOption returns an option; letter is 0 for one that has a long name only, and value is empty for a flag.
func NewOption(long string, letter byte, value, help string) Option {
	return Option{Long: long, Letter: letter, value: value, help: help}
}

// common are the options that most programs have.
var common = []Option{
	{"config", 'z', "<config>", "read settings from this file"},
	{"Ca", 'C', "<ca>", "name of the channel adapter to send from"},
	{"Port", 'P', "<port>", "port of the adapter to send from"},
	{"Direct", 'D', "", "the address is a directed route"},
	{"Lid", 'L', "", "the address is a LID"},
	{"Guid", 'G', "", "the address is a GUID"},
	{"timeout", 't', "<ms>", "time to wait for an answer, in ms"},
	{"sm_port", 's', "<lid>", "LID of the subnet manager to ask"},
	{"show_keys", 'K', "", "show keys instead of hiding them"},
	{"m_key", 'y', "<key>", "management key of the requests"},
	{"errors", 'e', "", "show errors of sending and receiving"},
	{"verbose", 'v', "", "say more; may be given several times"},
	{"debug", 'd', "", "show each step; may be given several times"},
	{"help", 'h', "", "show this help"},
	{"version", 'V', "", "show the version"},
}

// options returns the options of a program: its own, then the common ones that it does not exclude by letter.
func (p *Program) options() []Option {
	all := slices.Clone(p.Own)
	for _, o := range common {
		if !strings.ContainsRune(p.Without, rune(o.Letter)) && !slices.ContainsFunc(p.Own, func(own Option) bool { return own.Letter == o.Letter }) {
			all = append(all, o)
		}
	}
	return all
}

// Given are the options of a run in their order, and the operands.
type Given struct {
	Options  []Choice
	Operands []string
}

// Choice is an option that was given, with its value.
type Choice struct {
	Option
	Text string
}

// parse reads the arguments as getopt_long does: options may follow operands, letters may stand together, and a long name may be cut
// short while it is unambiguous. It returns what is wrong as an error.
func (p *Program) parse(arguments []string) (Given, error) {
	var g Given
	options := p.options()
	for i := 0; i < len(arguments); i++ {
		word := arguments[i]
		next := func() (string, bool) {
			if i+1 >= len(arguments) {
				return "", false
			}
			i++
			return arguments[i], true
		}
		switch {
		case word == "--":
			g.Operands = append(g.Operands, arguments[i+1:]...)
			return g, nil
		case strings.HasPrefix(word, "--"):
			name, value, has := strings.Cut(word[2:], "=")
			o, err := p.named(options, name)
			if err != nil {
				return g, err
			}
			switch {
			case o.value == "" && has:
				return g, fmt.Errorf("%s: option '--%s' doesn't allow an argument", p.Name, o.Long)
			case o.value != "" && !has:
				if value, has = next(); !has {
					return g, fmt.Errorf("%s: option '--%s' requires an argument", p.Name, o.Long)
				}
			}
			g.Options = append(g.Options, Choice{o, value})
		case len(word) > 1 && word[0] == '-':
			for at := 1; at < len(word); at++ {
				n := slices.IndexFunc(options, func(o Option) bool { return o.Letter == word[at] })
				if n < 0 {
					return g, fmt.Errorf("%s: invalid option -- '%c'", p.Name, word[at])
				}
				o := options[n]
				if o.value == "" {
					g.Options = append(g.Options, Choice{o, ""})
					continue
				}
				value := word[at+1:]
				if value == "" {
					var has bool
					if value, has = next(); !has {
						return g, fmt.Errorf("%s: option requires an argument -- '%c'", p.Name, word[at])
					}
				}
				g.Options = append(g.Options, Choice{o, value})
				break
			}
		default:
			g.Operands = append(g.Operands, word)
		}
	}
	return g, nil
}

// named returns the option with a long name, or the only one that begins with it.
func (p *Program) named(options []Option, name string) (Option, error) {
	var found []Option
	for _, o := range options {
		if o.Long == name {
			return o, nil
		}
		if strings.HasPrefix(o.Long, name) {
			found = append(found, o)
		}
	}
	switch len(found) {
	case 0:
		return Option{}, fmt.Errorf("%s: unknown option '--%s'", p.Name, name)
	case 1:
		return found[0], nil
	}
	return Option{}, fmt.Errorf("%s: option '--%s' is ambiguous", p.Name, name)
}

// Usage is the help of a program.
func (p *Program) Usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nUsage: %s [options] %s\n\nOptions:\n", p.Name, p.Operands)
	for _, o := range p.options() {
		text := "--" + o.Long
		if o.Letter != 0 {
			text += ", -" + string(o.Letter)
		}
		if o.value != "" {
			text += " " + o.value
		}
		fmt.Fprintf(&b, "  %-25s %s\n", text, o.help)
	}
	if len(p.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, example := range p.Examples {
			b.WriteString("  " + p.Name + " " + example + "\n")
		}
	}
	return b.String() + "\n"
}
