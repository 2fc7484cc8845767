package powershell

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/views/exec"
)

// psParameter is a parameter of a command of PowerShell: "-Name NAME", or a switch without a value.
type psParameter struct {
	name string
	// list takes several values with commas between them; toggle takes none, and means nothing here unless it is kept.
	list, toggle, kept bool
	// named is never meant by a value without a name. alias is another name for it.
	named bool
	alias string
}

// readParameters reads parameters as tables have them, with spaces between them: "Name" takes a value with or without
// its name, "-Name" only with it, "-Name?" is a switch, "Name..." takes a list; "|Alias" at the end is a second name.
func readParameters(text string) (list []psParameter) {
	for _, word := range strings.Fields(text) {
		var p psParameter
		word, p.alias, _ = strings.Cut(word, "|")
		word, p.named = strings.CutPrefix(word, "-")
		word, p.list = strings.CutSuffix(word, "...")
		p.name, p.toggle = strings.CutSuffix(word, "?")
		p.kept = p.toggle
		list = append(list, p)
	}
	return list
}

// Parameters that all commands of PowerShell take: Confirm means nothing to most of them here, as nobody is asked;
// WhatIf, which commands that only read do without, lets a change be tried on a copy of the host alone.
const (
	psConfirm = "Confirm"
	psWhatIf  = "WhatIf"
)

// psRead reads the arguments of a command as PowerShell does: parameters begin with a dash, in any case and shortened
// as long as they are unambiguous; what has none goes to the first that has no value yet. Values of a list have commas
// between them.
func psRead(command string, words []string, parameters []psParameter) (map[string][]string, error) {
	values := map[string][]string{}
	var at *psParameter // that waits for a value
	open := false       // a comma ended the last word
	take := func(p *psParameter, text string) error {
		parts := []string{text}
		if p.list {
			open = strings.HasSuffix(text, ",")
			parts = slices.DeleteFunc(strings.Split(text, ","), func(part string) bool { return strings.TrimSpace(part) == "" })
		} else if len(values[p.name]) > 0 {
			return exec.Mistake("%s has two values for -%s: %q and %q; a name with spaces stands in quotes", command, p.name,
				values[p.name][0], text)
		}
		for _, part := range parts {
			values[p.name] = append(values[p.name], strings.TrimSpace(part))
		}
		return nil
	}
	for _, word := range words {
		if strings.HasPrefix(word, "-") {
			if at != nil {
				return nil, exec.Mistake("%s needs a value for -%s", command, at.name)
			}
			name, value, given := strings.Cut(word[1:], ":")
			p, err := psFind(command, name, parameters)
			switch {
			case err != nil:
				return nil, err
			case p.kept:
				values[p.name] = []string{cmp.Or(value, "$true")}
			case p.toggle: // whatever its value: it means nothing here
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
			p = lastList(values, parameters)
		}
		if p == nil {
			p = psNext(values, parameters)
		}
		switch {
		case word == exec.PipeSign:
			return nil, exec.Mistake("nothing follows %s with a | here: only Get-VMNetworkAdapter passes on what it lists", command)
		case p == nil:
			return nil, exec.Mistake("unexpected argument %q of %s; a name with spaces stands in quotes", word, command)
		}
		at, open = nil, false
		if err := take(p, word); err != nil {
			return nil, err
		}
	}
	if at != nil {
		return nil, exec.Mistake("%s needs a value for -%s", command, at.name)
	}
	return values, nil
}

// psFind is the parameter of a name, which may be shortened.
func psFind(command, name string, parameters []psParameter) (*psParameter, error) {
	all := slices.Clone(parameters)
	if !slices.ContainsFunc(all, func(p psParameter) bool { return p.name == psConfirm }) {
		all = append(all, psParameter{name: psConfirm, toggle: true})
	}
	if !strings.HasPrefix(command, "Get-") {
		all = append(all, psParameter{name: psWhatIf, named: true, toggle: true, kept: true})
	}
	var found []*psParameter
	var names []string
	for i := range all {
		p := &all[i]
		if strings.EqualFold(p.name, name) || p.alias != "" && strings.EqualFold(p.alias, name) {
			return p, nil
		}
		if len(name) <= len(p.name) && strings.EqualFold(p.name[:len(name)], name) {
			found = append(found, p)
		}
		names = append(names, "-"+p.name)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, exec.Mistake("%s has no parameter -%s%s", command, name, exec.Suggest("-"+name, names,
			"help "+command+" explains it"))
	}
	return nil, exec.Mistake("-%s could be -%s or -%s of %s; write it out", name, found[0].name, found[1].name, command)
}

// lastList is the list that has values, which a comma goes on with.
func lastList(values map[string][]string, parameters []psParameter) *psParameter {
	for i := range parameters {
		if p := &parameters[i]; p.list && len(values[p.name]) > 0 {
			return p
		}
	}
	return nil
}

// psNext is the first parameter without a value.
func psNext(values map[string][]string, parameters []psParameter) *psParameter {
	for i := range parameters {
		if p := &parameters[i]; values[p.name] == nil && !p.named {
			return p
		}
	}
	return nil
}
