package shell

import "strings"

// current is the variable of the current object in a script block.
const current = "_"

// variable reads $name or ${name}. The manuals' pages have lost the underscore of some $_, which leaves "$ .Name".
func (p *parser) variable() expression {
	start := p.at
	p.at++ // $
	if p.startsWith(" .") && isWordRune(firstRune(p.rest()[2:]+" ")) {
		p.at++
		return &variable{node(start), current, current}
	}
	name := p.identifier()
	if p.peek() == '{' {
		end := strings.IndexAny(p.rest(), "}\n")
		if end < 0 || p.rest()[end] == '\n' {
			p.fail(start, "the name of a variable is not closed: } is missing")
		}
		name = p.rest()[1:end]
		p.at += end + 1
	} else {
		p.at += len(name)
	}
	switch {
	case name == "":
		p.fail(start, "$ must be followed by the name of a variable, or by parentheses")
	case strings.EqualFold(name+":", environment) && p.peek() == ':' && isWordRune(firstRune(p.rest()[1:]+" ")):
		p.at++
		of := p.identifier()
		p.at += len(of)
		return &variable{node(start), environment + strings.ToLower(of), name + ":" + of}
	case p.peek() == ':' && isWordRune(firstRune(p.rest()[1:]+" ")):
		p.fail(start, "$%s: is a scope or drive of PowerShell, which cxdeck does not have; use a plain $name", name)
	}
	switch lower := strings.ToLower(name); lower {
	case "true", "false":
		return &literal{node(start), lower == "true"}
	case "null":
		return &literal{node(start), nil}
	case "psitem":
		name = current
	case "args", "input", "matches", "error", "host", "pwd", "home", "profile", "psscriptroot", "pscommandpath", "pscmdlet", "this":
		if !p.known[lower] {
			p.fail(start, "cxdeck does not have the variable $%s of PowerShell", name)
		}
	}
	return &variable{node(start), strings.ToLower(name), name}
}
