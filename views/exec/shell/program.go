package shell

import "strings"

// programWords reads the arguments of a program: words as in a plain line, and the variables that the script has assigned.
func (p *parser) programWords(name string) (all []argument) {
	for p.skipBlanks(); !p.endsCommand(); p.skipBlanks() {
		start := p.at
		line := p.rest()
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		if p.namesVariable(line) {
			all = append(all, argument{node: node(start), value: p.word(name)})
			continue
		}
		word, length, err := p.catalogue.Word(line)
		if err != nil {
			p.fail(start+length, "%v", err)
		}
		if raw := line[:length]; !strings.ContainsAny(raw, doubleQuotes+singleQuotes+"(") {
			if cut := p.programEnd(raw); cut < len(raw) {
				word, length = raw[:cut], cut
			}
		}
		if length == 0 {
			p.fail(start, "%s is not expected as an argument of %s", p.shown(), name)
		}
		p.at += length
		all = append(all, argument{node: node(start), value: &literal{node(start), word}})
	}
	return all
}

// programEnd returns where a word of a program ends: at a semicolon, or at a sign that closes a block around the program.
func (p *parser) programEnd(raw string) int {
	depth := 0
	for i, r := range raw {
		switch r {
		case ';':
			return i
		case '{':
			depth++
		case '}', ')':
			if depth--; depth < 0 && p.closers > 0 {
				return i
			}
		}
	}
	return len(raw)
}

// namesVariable reports whether the first word of a line has a variable that the script has assigned.
func (p *parser) namesVariable(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	if strings.HasPrefix(word, "'") {
		return false
	}
	for rest := word; ; {
		at := strings.IndexByte(rest, '$')
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
		if name := (&parser{source: strings.TrimPrefix(rest, "{")}).identifier(); p.known[strings.ToLower(name)] || strings.HasPrefix(rest, "(") {
			return true
		}
	}
}
