package winof2

import (
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
)

// mlx5Keys is mlx5cmd -RegKeys.
func mlx5Keys(c *exec.Call) (exec.Answer, error) {
	name, dynamic := "", false
	words, part, err := splitGrep(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case strings.EqualFold(word, "-DynamicKeys"):
			dynamic = true
		case strings.EqualFold(word, "-Name"):
			if i++; i == len(words) {
				return exec.Answer{}, exec.Mistake("-Name requires a value")
			}
			name = words[i]
		default:
			return exec.Answer{}, exec.Mistake("mlx5cmd -RegKeys does not support %q: it takes -DynamicKeys and -Name NAME", word)
		}
	}
	list, err := c.ToolTargets(description.WinOF2, "mlx5cmd -RegKeys", name, false)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ToolAnswer(list, exec.ToolTable{
		Columns: []string{"KEY", "REGISTRY", "DRIVER", "DEFAULT", "COUNTS"},
		Wanted: func(k *registry.Key) bool {
			return (!dynamic || k.Row.Applies == registry.AtOnce) && strings.Contains(strings.ToLower(k.Row.Name), part)
		},
		Cells: func(k *registry.Key) []string {
			return []string{exec.ValueText(k.Stored), exec.ValueText(k.Effective), exec.ValueText(k.Default), exec.WhenEffective(k.Row.Applies)}
		},
	}, "No key matches."), nil
}

// splitGrep returns a line before its | grep TEXT, and the text in lower case, as the manual shortens the list of keys; the
// text is empty without one. findstr and Select-String do the same.
func splitGrep(words []string) (before []string, text string, err error) {
	at := slices.Index(words, exec.PipeSign)
	if at < 0 {
		return words, "", nil
	}
	filters := []string{"grep", "findstr", "Select-String"}
	behind := words[at+1:]
	switch {
	case len(behind) == 0 || !slices.ContainsFunc(filters, func(f string) bool { return strings.EqualFold(f, behind[0]) }):
		return nil, "", exec.Mistake("| can be followed by grep with a part of the key names, such as | grep VfCpu")
	case len(behind) != 2 || strings.HasPrefix(behind[1], "-"):
		return nil, "", exec.Mistake("%s takes one word, a part of the key names", behind[0])
	}
	return words[:at], strings.ToLower(behind[1]), nil
}
