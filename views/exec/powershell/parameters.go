package powershell

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/views/exec"
)

// psRead reads the arguments of a command as PowerShell does: parameters begin with a dash, in any case and shortened
// as long as they are unambiguous; what has none goes to the first that has no value yet. Values of a list have commas
// between them.
func psRead(command string, words []string, parameters []cmdlet.Parameter) (map[string][]string, error) {
	values := map[string][]string{}
	var at *cmdlet.Parameter   // that waits for a value
	open := false              // a comma ended the last word
	var list *cmdlet.Parameter // the last that took values, which a comma continues with
	take := func(p *cmdlet.Parameter, text string) error {
		parts := []string{text}
		if p.List {
			list = p
			open = strings.HasSuffix(text, ",")
			parts = slices.DeleteFunc(strings.Split(text, ","), func(part string) bool { return strings.TrimSpace(part) == "" })
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
		if strings.HasPrefix(word, "-") && (at == nil || !negative(word)) {
			if at != nil {
				return nil, exec.Mistake("%s requires a value for -%s", command, at.Name)
			}
			name, value, given := strings.Cut(word[1:], ":")
			p, err := psFind(command, name, parameters)
			switch {
			case err != nil:
				return nil, err
			case p.Kind == cmdlet.SwitchKind:
				values[p.Name] = []string{cmp.Or(value, "$true")}
			case given && value != "":
				if err := take(p, value); err != nil {
					return nil, err
				}
			default:
				at = p
			}
			continue
		}
		p := at
		if p == nil && (open || strings.HasPrefix(word, ",")) {
			p = list
		}
		if p == nil {
			p = psNext(values, parameters)
		}
		switch {
		case word == exec.PipeSign:
			return nil, exec.Mistake("%s can't be followed by a |: only Get-VMNetworkAdapter passes on its list", command)
		case p == nil:
			return nil, exec.Mistake("unexpected argument %q of %s; quote a name with spaces", word, command)
		}
		at, open = nil, false
		if err := take(p, word); err != nil {
			return nil, err
		}
	}
	if at != nil {
		return nil, exec.Mistake("%s requires a value for -%s", command, at.Name)
	}
	return values, nil
}

// negative reports whether a word is a negative number, which is a value and no parameter.
func negative(word string) bool {
	n, err := strconv.Atoi(word)
	return err == nil && n < 0
}

// psFind returns the parameter of a name, which may be shortened.
func psFind(command, name string, parameters []cmdlet.Parameter) (*cmdlet.Parameter, error) {
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

// psNext returns the first parameter without a value.
func psNext(values map[string][]string, parameters []cmdlet.Parameter) *cmdlet.Parameter {
	for i := range parameters {
		if p := &parameters[i]; values[p.Name] == nil && !p.Named {
			return p
		}
	}
	return nil
}
