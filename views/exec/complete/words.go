package complete

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"cxdeck/driver"
	"cxdeck/views/exec"
	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// Candidate is a word that completes a line, with a short description.
type Candidate struct {
	Word string `json:"word"`
	Help string `json:"help,omitempty"`
}

// Completion holds the candidates at a position of a line.
type Completion struct {
	Candidates []Candidate `json:"candidates"`
	// Files reports that a file name is valid at the position, too.
	Files bool `json:"files,omitempty"`
}

// Words returns the candidates after words that begin with part, which has no quotes. open opens the host for the names
// of its objects; it is called only where a name is valid. Without a host only the words of the syntax are returned.
func Words(ctx context.Context, t *exec.Table, words []string, part string, open func(context.Context) (exec.Host, exec.DraftStore, error)) Completion {
	for at := slices.Index(words, syntax.PipeSign); at >= 0; at = slices.Index(words, syntax.PipeSign) {
		if words = words[at+1:]; len(words) == 0 {
			return Completion{Candidates: matchPrefix(piped(t), part)}
		}
	}
	if len(words) > 0 && words[0] == "help" {
		return Completion{Candidates: matchPrefix(nextWords(t, words[1:]), part)}
	}
	k := completer{ctx: ctx, table: t, open: open, part: part}
	command, rest := t.Match(words)
	next := matchPrefix(nextWords(t, words), part)
	if command == nil {
		if got, ok := k.toolValue(words); ok {
			return got
		}
		return Completion{Candidates: next}
	}
	k.command = command
	got := k.completeArguments(rest)
	got.Candidates = append(next, got.Candidates...)
	return got
}

// piped returns the commands that may follow a pipe: those for all objects, and the cmdlets.
func piped(t *exec.Table) (list []Candidate) {
	for _, b := range shell.Builtins() {
		list = append(list, Candidate{b.Name, b.Help})
	}
	for _, c := range t.Commands() {
		if t.IsCmdlet(c.Name) {
			list = append(list, Candidate{c.Name, c.Describe().Help})
		}
	}
	return list
}

// nextWords returns the words that continue words to the name of a command, with the help of completed names.
func nextWords(t *exec.Table, words []string) []Candidate {
	var list []Candidate
	words = t.Respell(words)
	for _, c := range t.Commands() {
		if len(c.Words) <= len(words) || c.CountNameWords(words) < len(words) {
			continue
		}
		candidate := Candidate{Word: c.Words[len(words)]}
		if len(c.Words) == len(words)+1 {
			candidate.Help = c.Describe().Help
		}
		if !slices.ContainsFunc(list, func(c Candidate) bool { return c.Word == candidate.Word }) {
			list = append(list, candidate)
		}
	}
	return list
}

// matchPrefix returns the candidates that begin with part: in the same case, or if there are none, in any case and without
// the leading asterisk of a key's name.
func matchPrefix(list []Candidate, part string) []Candidate {
	for _, matches := range []func(word string) bool{
		func(word string) bool { return strings.HasPrefix(word, part) },
		func(word string) bool {
			word, part := strings.ToLower(word), strings.ToLower(part)
			return strings.HasPrefix(word, part) || strings.HasPrefix(strings.TrimPrefix(word, "*"), part)
		},
	} {
		var found []Candidate
		for _, candidate := range list {
			if matches(candidate.Word) && candidate.Word == exec.Clean(candidate.Word) { // names with control characters can't be typed
				found = append(found, candidate)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// completer completes flags and arguments of a command. view is nil until openHost has opened the host.
type completer struct {
	ctx     context.Context
	table   *exec.Table
	command *exec.Command
	part    string
	open    func(context.Context) (exec.Host, exec.DraftStore, error)

	opened bool
	host   exec.Host
	drafts exec.DraftStore
	view   *driver.View
	files  bool
}

// placeholder is a word of a synopsis, such as NAME or on|off.
type placeholder struct {
	// option precedes the word when it is the option's value, as -d in -d DEVICE; else it is empty.
	option string
	word   string
	// repeats reports that it takes any number of arguments, as NAME... does.
	repeats bool
}

// optionPattern matches an option of a synopsis: a dash or slash and a letter.
var optionPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-{1,2}|/)[A-Za-z]`) })

// placeholders parses the arguments of a synopsis. positions has all placeholders in their order, valued the values of
// options among them, and names all options.
func placeholders(arguments string) (positions, valued []placeholder, names []string) {
	text := strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(arguments)
	option := ""
	for _, word := range strings.Fields(text) {
		switch {
		case optionPattern().MatchString(word):
			for _, value := range strings.Split(word, "|") {
				if optionPattern().MatchString(value) {
					names = append(names, value)
					option = value
				}
			}
			if !strings.HasSuffix(word, option) {
				option = ""
			}
			continue
		case strings.Trim(word, ".") == "":
			if len(positions) > 0 {
				positions[len(positions)-1].repeats = true
			}
		default:
			p := placeholder{option: option, repeats: strings.HasSuffix(word, "..."), word: strings.TrimRight(word, ".,")}
			p.word, _, _ = strings.Cut(p.word, ",")
			if option != "" {
				valued = append(valued, p)
			}
			positions = append(positions, p)
		}
		option = ""
	}
	return positions, valued, names
}

// completeArguments completes the argument or flag after rest, which are the words typed after the command's name.
func (k *completer) completeArguments(rest []string) Completion {
	positions, valued, optionNames := placeholders(k.command.Describe().Arguments)
	last := ""
	if len(rest) > 0 {
		last = rest[len(rest)-1]
	}
	if name, _, found := strings.Cut(k.part, "="); found && strings.HasPrefix(k.part, "--") {
		return k.completeFlag(name, rest, name+"=")
	}
	if k.takesValue(last) {
		return k.completeFlag(last, rest, "")
	}
	for _, p := range valued {
		if strings.EqualFold(p.option, last) {
			return k.finish(k.words(p.word, rest))
		}
	}
	if k.part != "" && optionPattern().MatchString(k.part+"a") && k.part[0] != '/' || strings.HasPrefix(k.part, "/") && len(optionNames) > 0 {
		var list []Candidate
		for _, flag := range k.command.Describe().Flags {
			list = append(list, Candidate{"--" + flag.Name, flag.Help})
		}
		for _, parameter := range k.command.Parameters() {
			parameter, _, _ = strings.Cut(parameter, " ")
			optionNames = append(optionNames, parameter)
		}
		for _, name := range optionNames {
			if !slices.Contains(list, Candidate{Word: name}) {
				list = append(list, Candidate{Word: name})
			}
		}
		return k.finish(list)
	}
	at := k.position(rest, valued)
	if at >= len(positions) {
		if len(positions) == 0 || !positions[len(positions)-1].repeats {
			return Completion{}
		}
		at = len(positions) - 1
	}
	return k.finish(k.words(positions[at].word, rest))
}

// toolValue completes the value of an option that stands within a command's name, as in mlxconfig -d DEVICE q. ok is false
// if words do not end with such an option.
func (k *completer) toolValue(words []string) (got Completion, ok bool) {
	if len(words) < 2 {
		return got, false
	}
	for _, c := range k.table.Commands() {
		if c.CountNameWords(words) != 1 {
			continue
		}
		_, valued, _ := placeholders(c.Describe().Arguments)
		for _, p := range valued {
			if strings.EqualFold(p.option, words[len(words)-1]) {
				k.command = c
				return k.finish(k.words(p.word, nil)), true
			}
		}
	}
	return got, false
}

func (k *completer) takesValue(flag string) bool {
	return slices.ContainsFunc(k.command.Flags, func(f exec.Flag) bool { return "--"+f.Name == flag && f.Value != "" })
}

// completeFlag completes the value of a flag; before is the part of the word in front of it: "--scope=", or empty.
func (k *completer) completeFlag(name string, rest []string, before string) Completion {
	var list []Candidate
	for _, flag := range k.command.Flags {
		if "--"+flag.Name == name {
			for _, word := range k.words(flag.Value, rest) {
				list = append(list, Candidate{before + word.Word, word.Help})
			}
		}
	}
	return k.finish(list)
}

func (k *completer) finish(list []Candidate) Completion {
	return Completion{Candidates: matchPrefix(list, k.part), Files: k.files}
}

// position returns the index of the placeholder that the next argument fills.
func (k *completer) position(rest []string, valued []placeholder) (at int) {
	for i := 0; i < len(rest); i++ {
		switch {
		case k.takesValue(rest[i]):
			i++
		case slices.ContainsFunc(valued, func(h placeholder) bool { return strings.EqualFold(h.option, rest[i]) }):
			at++
			i++
		case !optionPattern().MatchString(rest[i]):
			at++
		}
	}
	return at
}

// words returns the candidates for the word of a placeholder.
func (k *completer) words(placeholder string, rest []string) []Candidate {
	var list []Candidate
	if strings.Contains(placeholder, "=") {
		return nil // SETTING=VALUE
	}
	for _, word := range strings.Split(placeholder, "|") {
		if word != strings.ToUpper(word) { // a literal, such as on
			list = append(list, Candidate{Word: word})
			continue
		}
		word, _, _ = strings.Cut(word, "/") // VM[/ADAPTER]
		if names, ok := k.kinds()[word]; ok {
			list = append(list, names(rest)...)
		}
	}
	return list
}

// kinds returns the placeholders for named objects, each with a function that lists their names.
func (k *completer) kinds() map[string]func(rest []string) []Candidate {
	return map[string]func(rest []string) []Candidate{
		"NAME": k.adapters, "OTHER": k.adapters, "MEMBER": k.connections, "CARD": k.cards, "KEY": k.keys, "TEAM": k.teams, "VM": k.machines,
		"SWITCH": k.switches, "VLAN": k.vlans, "PROFILE": k.profiles, "SCENE": k.scenes, "SCOPE": scopeWords, "FAULT": faultWords, "TYPE": teamTypes,
		"DEVICE": k.devices, "POLICY": k.policies, "CLASS": k.classes, "COMMAND": func([]string) []Candidate { return nextWords(k.table, nil) },
		"FILE": func([]string) []Candidate { k.files = true; return nil },
	}
}

// openHost opens the host at its first call, and reports whether there is one.
func (k *completer) openHost() bool {
	if k.opened || k.open == nil {
		return k.view != nil
	}
	k.opened = true
	host, drafts, err := k.open(k.ctx)
	if err != nil || host == nil {
		return false
	}
	k.host, k.drafts = host, drafts
	return host.ReadHost(k.ctx, func(h *driver.Host) error {
		k.view = h.View()
		return nil
	}) == nil
}

// Line completes the last word of a line typed after : in the console, up to the common prefix of all candidates.
// offered lists the candidates when there are several.
func Line(ctx context.Context, t *exec.Table, line string, open func(context.Context) (exec.Host, exec.DraftStore, error)) (completed string, offered []string) {
	head, words, part := lastWord(t, line)
	found := Words(ctx, t, words, part, open).Candidates
	if len(found) == 0 {
		return line, nil
	}
	if len(found) == 1 {
		return head + syntax.Quote(found[0].Word) + " ", nil
	}
	common := found[0].Word
	for _, candidate := range found {
		offered = append(offered, candidate.Word)
		for !strings.HasPrefix(candidate.Word, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	switch {
	case len(common) <= len(part):
		return line, offered
	case syntax.Quote(common) == common:
		return head + common, offered
	case strings.Contains(common, "'"):
		return head + `"` + common, offered
	}
	return head + "'" + common, offered
}

// lastWord splits a line into its last word, part, without quotes (a quote may be open), and the text before it, head,
// whose words it returns, too.
func lastWord(t *exec.Table, line string) (head string, words []string, part string) {
	start, quote := 0, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && c == '\\' && i+1 < len(line) && line[i+1] == '"':
			i++
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t':
			start = i + 1
		}
	}
	head, part = line[:start], line[start:]
	if quote != 0 {
		part += string(quote)
	}
	if split, err := t.Split(part); err == nil && len(split) == 1 {
		part = split[0]
	}
	words, _ = t.Split(head) // an unreadable line has no completion
	return head, words, part
}
