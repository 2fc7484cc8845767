package exec

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// PowerShell is the command that runs lines of PowerShell; it is also the request to another process to run a script.
const PowerShell = "powershell"

// cmdletName matches the name of a cmdlet: one of PowerShell's verbs and a noun.
var cmdletName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)(Add|Clear|Close|Connect|Convert|ConvertFrom|ConvertTo|Copy|Disable|Disconnect|Dismount|Enable|Enter|Exit|Export|Find|` +
		`ForEach|Format|Get|Grant|Group|Import|Initialize|Install|Invoke|Join|Limit|Measure|Mount|Move|New|Open|Out|Ping|Pop|Push|Read|Receive|` +
		`Register|Remove|Rename|Repair|Reset|Resolve|Restart|Restore|Resume|Save|Search|Select|Send|Set|Show|Sort|Split|Start|Stop|Suspend|Switch|` +
		`Sync|Tee|Test|Trace|Unblock|Uninstall|Unregister|Update|Use|Wait|Where|Write)-[A-Za-z][A-Za-z0-9]+$`)
})

// literalVariables are the variables of PowerShell that a cmdlet takes as words.
func literalVariables() []string { return []string{"true", "false", "null"} }

// IsShell reports whether a line has syntax of PowerShell: it is not one command with its words.
func (t *Table) IsShell(line string) bool {
	_, plain := (catalogue{t}).Line(line)
	if words, err := t.Split(line); err == nil && t.NeedsShell(words) {
		return true
	}
	return !plain && t.needsShell(line)
}

// needsShell reports whether a line is read as PowerShell: it begins with a cmdlet, a variable or a keyword, or has a pipe.
func (t *Table) needsShell(line string) bool {
	line, _ = syntax.SplitContinuation(syntax.WithoutPrompt(line))
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return false
	}
	words, err := t.Split(line)
	if err != nil || len(words) == 0 {
		first := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t|;(){}", r) })
		return strings.ContainsRune(`$@([{}`, rune(line[0])) || len(first) > 0 && (t.IsCmdlet(first[0]) || shell.IsBuiltin(first[0]) || isKeyword(first[0]))
	}
	if command, _ := t.Match(words); command != nil {
		return t.IsCmdlet(words[0]) || !command.Pipes && !plainProgram(line)
	}
	first := words[0]
	if strings.ContainsRune(syntax.DoubleQuotes+syntax.SingleQuotes+`"'`, []rune(line)[0]) && manualCommand(words) != "" {
		return false
	}
	return t.IsCmdlet(first) || cmdletName().MatchString(first) || strings.ContainsRune(`$@([{}!`, rune(line[0])) || shell.IsBuiltin(first) ||
		line[0] == '"' && t.start(first) == nil || line[0] == '\'' && t.start(first) == nil || line[0] >= '0' && line[0] <= '9' || isKeyword(first) ||
		!plainProgram(line) || strings.HasPrefix(line, "<#")
}

// isKeyword reports whether a word begins a statement of PowerShell.
func isKeyword(word string) bool {
	word, _, _ = strings.Cut(strings.ToLower(word), "(")
	return slices.Contains([]string{"if", "foreach", "for", "while", "do", "function", "try", "param", "else", "elseif"}, word)
}

// IsCmdlet reports whether a command takes parameters as PowerShell does.
func (t *Table) IsCmdlet(word string) bool {
	s := t.start(word)
	return s != nil && s.family.Parameters != nil && s.family.Parameters(s.commands[0].Name) != nil
}

// plainProgram reports whether a line is one program without a pipe or a second statement.
func plainProgram(line string) bool {
	for rest := line; rest != ""; {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" || rest[0] == '#' {
			return true
		}
		word, length, err := syntax.FirstWord(rest)
		if err != nil {
			return true // the line is refused for this
		}
		raw := rest[:length]
		if word == syntax.PipeSign && raw == syntax.PipeSign || raw == ";" || strings.HasSuffix(raw, ";") && raw == word && len(rest) > length {
			return false
		}
		rest = rest[length:]
	}
	return true
}

// plainCmdlet reports whether the text behind a cmdlet's name has only words of one command: no variable, block, pipe or list of
// PowerShell.
func plainCmdlet(text string) bool {
	for rest := text; rest != ""; {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" || rest[0] == '#' {
			return true
		}
		_, length, err := syntax.FirstWord(rest)
		if err != nil || length == 0 {
			return false
		}
		if _, n := syntax.ParseExpression(rest); n == 0 && !plainWord(rest[:length]) {
			return false
		}
		rest = rest[length:]
	}
	return true
}

// plainWord reports whether a word has no syntax of PowerShell outside single quotes.
func plainWord(raw string) bool {
	single := false
	for i, r := range raw {
		switch {
		case strings.ContainsRune("'"+syntax.SingleQuotes, r):
			single = !single
		case single:
		case r == '$':
			name := raw[i+1:]
			if end := strings.IndexFunc(name, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' }); end >= 0 {
				name = name[:end]
			}
			if !slices.Contains(literalVariables(), strings.ToLower(name)) || strings.Contains(raw, `"`) {
				return false
			}
		case strings.ContainsRune("|;(){}`@&", r):
			return false
		}
	}
	return true
}
