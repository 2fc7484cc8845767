package switchcli

import (
	"fmt"
	"slices"
	"strings"
)

// mode is a mode of the console, which decides the lines that it takes.
type mode int

// The modes. A line of an outer mode is taken in the inner ones too, as on the real systems.
const (
	userMode mode = iota
	enableMode
	configMode
	portMode
)

// form is a row of the grammar.
type form struct {
	// from is the outermost mode in which the line is taken.
	from mode
	// pattern has literals, choices {a|b}, optional parts [a], and values <name>; see values.
	pattern string
	// help says in a few words what it does.
	help string
	run  action
}

// action runs a line. words are the choices and values of its pattern, in their order.
type action func(s *session, words []string) error

// expand returns the patterns without optional parts that a pattern stands for, each as its tokens.
func expand(pattern string) (list [][]string) {
	open := strings.IndexByte(pattern, '[')
	if open < 0 {
		return [][]string{strings.Fields(pattern)}
	}
	end := open + strings.IndexByte(pattern[open:], ']')
	head, part, tail := pattern[:open], pattern[open+1:end], pattern[end+1:]
	return append(expand(head+part+tail), expand(head+tail)...)
}

// values are the kinds of values. take returns how many of the words belong to a value, 0 when the first is none.
func values(name string) (take func(words []string) int, help string) {
	one := func(words []string) int { return min(len(words), 1) }
	number := func(words []string) int {
		if strings.Trim(words[0], "0123456789") != "" {
			return 0
		}
		return 1
	}
	switch name {
	case "<port>":
		return takePort, "a port, such as ethernet 1/7 or et7; several as et7,et9 or et1-4"
	case "<n>":
		return number, "a number"
	case "<priority>":
		return number, "a priority, 0 to 7"
	case "<vlans>":
		return one, "VLANs, such as 100 or 30,31,100-200"
	case "<speed>":
		return one, "a speed, such as 56000, 40G or 40gfull"
	case "<text>":
		return func(words []string) int { return len(words) }, "a text"
	}
	return one, "a word"
}

// choices returns the words that a token takes literally; nil for a value.
func choices(token string) []string {
	switch {
	case strings.HasPrefix(token, "<"):
		return nil
	case strings.HasPrefix(token, "{"):
		return strings.Split(strings.Trim(token, "{}"), "|")
	}
	return []string{token}
}

// candidate is a pattern of which the words so far are the beginning.
type candidate struct {
	form   *form
	tokens []string
	at     int      // tokens used
	word   int      // words used
	taken  []string // choices and values
	exact  int      // words typed in full, for which abbreviations make room
}

// lineError is a line that the grammar doesn't take, in the words of the console.
type lineError struct{ text string }

func (e *lineError) Error() string { return e.text }

// parser reads lines of a console.
type parser struct {
	forms    []form
	patterns []candidate // the patterns of all forms, unread
}

func newParser() *parser {
	p := &parser{forms: grammar()}
	for i := range p.forms {
		for _, tokens := range expand(p.forms[i].pattern) {
			p.patterns = append(p.patterns, candidate{form: &p.forms[i], tokens: tokens})
		}
	}
	return p
}

// in returns the patterns that a mode takes.
func (p *parser) in(m mode) (list []candidate) {
	for _, c := range p.patterns {
		if c.form.from <= m {
			list = append(list, c)
		}
	}
	return list
}

// parse finds the form of a line in a mode, with its choices and values.
func (p *parser) parse(m mode, words []string) (*form, []string, error) {
	list := p.in(m)
	var complete []candidate
	for len(list) > 0 {
		var next []candidate
		ambiguous, err := abbreviations(list, words)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range list {
			if c.word == len(words) {
				if c.at == len(c.tokens) {
					complete = append(complete, c)
				}
				continue
			}
			next = append(next, c.step(words, ambiguous)...)
		}
		if len(next) == 0 && len(complete) == 0 {
			return nil, nil, unmatched(p, m, list, words)
		}
		list = next
	}
	slices.SortStableFunc(complete, func(a, b candidate) int { return b.exact - a.exact })
	if len(complete) == 0 {
		return nil, nil, &lineError{"% The line is empty"}
	}
	return complete[0].form, complete[0].taken, nil
}

// abbreviations returns for each word position of the candidates the literal that the word stands for. Candidates may stand at
// different words, as a port has one or two. It fails when a word is short for several literals and is none of them in full.
func abbreviations(list []candidate, words []string) (map[int]string, error) {
	literals := map[int][]string{}
	for _, c := range list {
		if c.at == len(c.tokens) || c.word == len(words) {
			continue
		}
		for _, literal := range choices(c.tokens[c.at]) {
			if strings.HasPrefix(literal, strings.ToLower(words[c.word])) && !slices.Contains(literals[c.word], literal) {
				literals[c.word] = append(literals[c.word], literal)
			}
		}
	}
	meant := map[int]string{}
	for at, found := range literals {
		typed := strings.ToLower(words[at])
		switch {
		case slices.Contains(found, typed):
			meant[at] = typed
		case len(found) == 1:
			meant[at] = found[0]
		case usual(found, typed) != "":
			meant[at] = usual(found, typed)
		default:
			slices.Sort(found)
			return nil, &lineError{fmt.Sprintf("%% Ambiguous word %q: it may be %s", words[at], strings.Join(found, ", "))}
		}
	}
	return meant, nil
}

// usual returns which of several literals a word of at least two letters stands for: the one that begins the others, and of
// shutdown, which takes a link down, and configuration the shorter one that is typed often; empty when it is ambiguous.
func usual(found []string, typed string) string {
	for _, word := range found {
		begins := !slices.ContainsFunc(found, func(other string) bool { return !strings.HasPrefix(other, word) })
		if len(typed) > 1 && (begins || word == "show" || word == "configure") {
			return word
		}
	}
	return ""
}

// step reads a token of a candidate; nothing when the words don't match.
func (c candidate) step(words []string, meant map[int]string) []candidate {
	if c.at == len(c.tokens) {
		return nil
	}
	token, typed := c.tokens[c.at], words[c.word:]
	c.at++
	literals := choices(token)
	if literals == nil {
		take, _ := values(token)
		n := take(typed)
		if n == 0 {
			return nil
		}
		c.taken = append(slices.Clone(c.taken), strings.Join(typed[:n], " "))
		c.word += n
		return []candidate{c}
	}
	literal := meant[c.word]
	if literal == "" || !slices.Contains(literals, literal) {
		return nil
	}
	if len(literals) > 1 {
		c.taken = append(slices.Clone(c.taken), literal)
	}
	c.exact++
	c.word++
	return []candidate{c}
}

// unmatched returns the error of a line for which no pattern is left; list are the last ones that matched.
func unmatched(p *parser, m mode, list []candidate, words []string) error {
	furthest := 0
	for _, c := range list {
		furthest = max(furthest, c.word)
	}
	if furthest == len(words) {
		return &lineError{"% Incomplete line; it continues with " + strings.Join(followers(list, furthest), ", ")}
	}
	bad := words[furthest]
	if m < portMode {
		if _, _, err := p.parse(portMode, words); err == nil {
			return &lineError{fmt.Sprintf("%% %q is not available in this mode: %s first", strings.Join(words, " "), entering(p, m, words))}
		}
	}
	if furthest == 0 {
		return &lineError{fmt.Sprintf("%% Unknown command %q; ? lists the commands", bad)}
	}
	return &lineError{fmt.Sprintf("%% Invalid input %q after %q; it continues with %s", bad, strings.Join(words[:furthest], " "),
		strings.Join(followers(list, furthest), ", "))}
}

// entering returns the lines that lead from a mode to one that takes the words.
func entering(p *parser, m mode, words []string) string {
	steps := []string{"enable", "configure terminal", "interface PORT"}
	for to := m + 1; to <= portMode; to++ {
		if _, _, err := p.parse(to, words); err == nil {
			return strings.Join(steps[m:to], ", ")
		}
	}
	return ""
}

// maxFollowers is the maximum number of words that an error or the help lists.
const maxFollowers = 30

// followers lists the words that may follow, with <cr> for the end of the line.
func followers(list []candidate, at int) (next []string) {
	add := func(word string) {
		if !slices.Contains(next, word) {
			next = append(next, word)
		}
	}
	for _, c := range list {
		switch {
		case c.word != at:
		case c.at == len(c.tokens):
			add("<cr>")
		default:
			for _, literal := range choices(c.tokens[c.at]) {
				add(literal)
			}
			if choices(c.tokens[c.at]) == nil {
				_, help := values(c.tokens[c.at])
				add(help)
			}
		}
	}
	slices.Sort(next)
	return next[:min(len(next), maxFollowers)]
}

// help returns what a line that ends with ? may go on with: the words after it, or with part of a word the words that begin with it.
func (p *parser) help(m mode, words []string, part string) ([]string, error) {
	list := p.in(m)
	for {
		var next []candidate
		meant, err := abbreviations(list, words)
		if err != nil {
			return nil, err
		}
		waiting := false
		for _, c := range list {
			if c.word == len(words) {
				next = append(next, c)
				continue
			}
			waiting = true
			next = append(next, c.step(words, meant)...)
		}
		if !waiting {
			break
		}
		if len(next) == 0 {
			return nil, unmatched(p, m, list, words)
		}
		list = next
	}
	var lines []string
	if len(words) == 0 {
		list = firstOfEach(list)
	}
	for _, word := range followers(list, len(words)) {
		if strings.HasPrefix(word, strings.ToLower(part)) {
			lines = append(lines, "  "+word)
		}
	}
	if len(lines) == 0 {
		return nil, &lineError{fmt.Sprintf("%% No word begins with %q here", part)}
	}
	return lines, nil
}

// firstOfEach keeps one pattern of each first word.
func firstOfEach(list []candidate) (firsts []candidate) {
	var seen []string
	for _, c := range list {
		if !slices.Contains(seen, c.tokens[0]) {
			seen = append(seen, c.tokens[0])
			firsts = append(firsts, c)
		}
	}
	return firsts
}
