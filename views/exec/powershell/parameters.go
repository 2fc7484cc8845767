package powershell

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// ChooseWord returns the word of words that was typed, in any case, or the first of them if nothing was typed.
func ChooseWord(command, parameter string, typed []string, words []string) (string, error) {
	if len(typed) == 0 {
		return words[0], nil
	}
	for _, word := range words {
		if strings.EqualFold(word, typed[0]) {
			return word, nil
		}
	}
	return "", exec.Mistake("invalid value %[3]q for -%[1]s of %[2]s%[4]s", parameter, command, typed[0], exec.Suggest(typed[0], words,
		"choose from "+strings.Join(words, ", ")))
}

// RegistryType parses -RegistryDataType or -PropertyType; an empty word is the key's own type.
func RegistryType(word string) (registry.Type, error) {
	switch strings.ToUpper(word) {
	case "":
		return "", nil
	case "REG_DWORD", "DWORD":
		return registry.Number, nil
	case "REG_SZ", "STRING":
		return registry.Text, nil
	}
	return "", exec.Mistake("the type must be REG_DWORD or REG_SZ, not %s", word)
}

// parseParameters parses arguments as PowerShell does: the name of a parameter begins with a dash, in any case, and may be
// abbreviated as long as it is unambiguous. A value without a name belongs to the first parameter without a value. Commas
// separate the values of a list.
func parseParameters(command string, words []string, parameters []cmdlet.Parameter) (map[string][]string, error) {
	values := map[string][]string{}
	var named *cmdlet.Parameter // its name was read, and its value comes next
	continues := false          // the last word ended with a comma
	var list *cmdlet.Parameter  // the last parameter with a list, which a comma continues
	take := func(p *cmdlet.Parameter, text string) error {
		if strings.TrimSpace(text) == "" { // a script's empty variable must not stand for all, or for the default
			return exec.Mistake("%s requires a value for -%s, not an empty one", command, p.Name)
		}
		parts := []string{text}
		if p.List {
			list = p
			continues = strings.HasSuffix(text, ",")
			parts = slices.DeleteFunc(splitList(text), func(part string) bool { return strings.TrimSpace(part) == "" })
		} else if len(values[p.Name]) > 0 {
			return exec.Mistake("%s has two values for -%s: %q and %q; quote a name with spaces", command, p.Name,
				values[p.Name][0], text)
		}
		for _, part := range parts {
			values[p.Name] = append(values[p.Name], strings.TrimSpace(part))
		}
		return nil
	}
	for _, word := range words {
		if strings.HasPrefix(word, "-") && (named == nil || !isNegative(word)) {
			if named != nil {
				return nil, exec.Mistake("%s requires a value for -%s", command, named.Name)
			}
			name, value, found := strings.Cut(word[1:], ":")
			p, err := findParameter(command, name, parameters)
			switch {
			case err != nil:
				return nil, err
			case p.Kind == cmdlet.SwitchKind:
				values[p.Name] = []string{cmp.Or(value, "$true")}
			case found && value != "":
				if err := take(p, value); err != nil {
					return nil, err
				}
			default:
				named = p
			}
			continue
		}
		p := named
		if p == nil && (continues || strings.HasPrefix(word, ",")) {
			p = list
		}
		if p == nil {
			p = nextParameter(values, parameters)
		}
		switch {
		case word == syntax.PipeSign:
			return nil, exec.Mistake("%s can't be followed by a |: it passes no list on", command)
		case p == nil:
			return nil, exec.Mistake("unexpected argument %q of %s; quote a name with spaces", word, command)
		}
		named, continues = nil, false
		if err := take(p, word); err != nil {
			return nil, err
		}
	}
	if named != nil {
		return nil, exec.Mistake("%s requires a value for -%s", command, named.Name)
	}
	return values, nil
}

// splitList splits a word at its commas. A comma before a blank belongs to a quoted name, such as "Live migration, arriving": without
// quotes the blank would have ended the word.
func splitList(word string) (parts []string) {
	begin := 0
	for i, r := range word {
		if r == ',' && !strings.HasPrefix(word[i+1:], " ") {
			parts = append(parts, word[begin:i])
			begin = i + 1
		}
	}
	return append(parts, word[begin:])
}

// isNegative reports whether a word is a negative number: a value, not the name of a parameter.
func isNegative(word string) bool {
	n, err := strconv.Atoi(word)
	return err == nil && n < 0
}

// findParameter finds a parameter by its name, its alias, or an unambiguous abbreviation of its name.
func findParameter(command, name string, parameters []cmdlet.Parameter) (*cmdlet.Parameter, error) {
	var found []*cmdlet.Parameter
	var names []string
	for i := range parameters {
		p := &parameters[i]
		if strings.EqualFold(p.Name, name) || p.Alias != "" && strings.EqualFold(p.Alias, name) {
			return p, nil
		}
		if len(name) <= len(p.Name) && strings.EqualFold(p.Name[:len(name)], name) {
			found = append(found, p)
		}
		names = append(names, "-"+p.Name)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, exec.Mistake("%s has no parameter -%s%s", command, name, exec.Suggest("-"+name, names,
			"help "+command+" explains it"))
	}
	return nil, exec.Mistake("-%s is ambiguous: it could be -%s or -%s of %s", name, found[0].Name, found[1].Name, command)
}

// nextParameter returns the first parameter without a value that does not require its name; nil if there is none.
func nextParameter(values map[string][]string, parameters []cmdlet.Parameter) *cmdlet.Parameter {
	for i := range parameters {
		if p := &parameters[i]; values[p.Name] == nil && !p.Named {
			return p
		}
	}
	return nil
}
