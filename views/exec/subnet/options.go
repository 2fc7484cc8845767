package subnet

import (
	"fmt"
	"slices"
	"strings"
)

// option is an option of a program: its long name, its letter (0 without one), the name of its value ("" for a flag) and its help.
type option struct {
	long   string
	letter byte
	value  string
	help   string
}

// common are the options that most programs have.
var common = []option{
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
func (p *program) options() []option {
	all := slices.Clone(p.own)
	for _, o := range common {
		if !strings.ContainsRune(p.without, rune(o.letter)) && !slices.ContainsFunc(p.own, func(own option) bool { return own.letter == o.letter }) {
			all = append(all, o)
		}
	}
	return all
}

// given are the options of a run in their order, and the operands.
type given struct {
	options  []choice
	operands []string
}

// choice is an option that was given, with its value.
type choice struct {
	option
	text string
}

// parse reads the arguments as getopt_long does: options may follow operands, letters may stand together, and a long name may be cut
// short while it is unambiguous. It returns what is wrong as an error.
func (p *program) parse(arguments []string) (given, error) {
	var g given
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
			g.operands = append(g.operands, arguments[i+1:]...)
			return g, nil
		case strings.HasPrefix(word, "--"):
			name, value, has := strings.Cut(word[2:], "=")
			o, err := p.named(options, name)
			if err != nil {
				return g, err
			}
			switch {
			case o.value == "" && has:
				return g, fmt.Errorf("%s: option '--%s' doesn't allow an argument", p.name, o.long)
			case o.value != "" && !has:
				if value, has = next(); !has {
					return g, fmt.Errorf("%s: option '--%s' requires an argument", p.name, o.long)
				}
			}
			g.options = append(g.options, choice{o, value})
		case len(word) > 1 && word[0] == '-':
			for at := 1; at < len(word); at++ {
				n := slices.IndexFunc(options, func(o option) bool { return o.letter == word[at] })
				if n < 0 {
					return g, fmt.Errorf("%s: invalid option -- '%c'", p.name, word[at])
				}
				o := options[n]
				if o.value == "" {
					g.options = append(g.options, choice{o, ""})
					continue
				}
				value := word[at+1:]
				if value == "" {
					var has bool
					if value, has = next(); !has {
						return g, fmt.Errorf("%s: option requires an argument -- '%c'", p.name, word[at])
					}
				}
				g.options = append(g.options, choice{o, value})
				break
			}
		default:
			g.operands = append(g.operands, word)
		}
	}
	return g, nil
}

// named returns the option with a long name, or the only one that begins with it.
func (p *program) named(options []option, name string) (option, error) {
	var found []option
	for _, o := range options {
		if o.long == name {
			return o, nil
		}
		if strings.HasPrefix(o.long, name) {
			found = append(found, o)
		}
	}
	switch len(found) {
	case 0:
		return option{}, fmt.Errorf("%s: unknown option '--%s'", p.name, name)
	case 1:
		return found[0], nil
	}
	return option{}, fmt.Errorf("%s: option '--%s' is ambiguous", p.name, name)
}

// usage is the help of a program.
func (p *program) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nUsage: %s [options] %s\n\nOptions:\n", p.name, p.operands)
	for _, o := range p.options() {
		text := "--" + o.long
		if o.letter != 0 {
			text += ", -" + string(o.letter)
		}
		if o.value != "" {
			text += " " + o.value
		}
		fmt.Fprintf(&b, "  %-25s %s\n", text, o.help)
	}
	if len(p.examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, example := range p.examples {
			b.WriteString("  " + p.name + " " + example + "\n")
		}
	}
	return b.String() + "\n"
}
