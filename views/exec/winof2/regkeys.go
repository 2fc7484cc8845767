package winof2

import (
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
	"cxdeck/views/exec/syntax"
)

// mlx5Keys implements mlx5cmd -RegKeys.
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
	list, err := registrykey.ToolTargets(c, description.WinOF2, "mlx5cmd -RegKeys", name, false)
	if err != nil {
		return exec.Answer{}, err
	}
	return registrykey.ToolAnswer(c, list, registrykey.ToolTable{
		Columns: []string{"KEY", "REGISTRY", "DRIVER", "DEFAULT", "TAKES EFFECT"},
		Wanted: func(k *registry.Key) bool {
			return (!dynamic || k.Row.Applies == registry.AtOnce) && strings.Contains(strings.ToLower(k.Row.Name), part)
		},
		Cells: func(k *registry.Key) []string {
			return []string{registrykey.ValueText(k.Stored), registrykey.ValueText(k.Effective), registrykey.ValueText(k.Default), exec.WhenEffective(k.Row.Applies)}
		},
	}, "No key matches."), nil
}

// splitGrep returns the words before | grep TEXT, and the text in lower case; it is empty without | grep. findstr and
// Select-String are accepted, too. The manual filters the list of keys with grep.
func splitGrep(words []string) (before []string, text string, err error) {
	at := slices.Index(words, syntax.PipeSign)
	if at < 0 {
		return words, "", nil
	}
	filters := []string{"grep", "findstr", "Select-String"}
	filter := words[at+1:]
	switch {
	case len(filter) == 0 || !slices.ContainsFunc(filters, func(f string) bool { return strings.EqualFold(f, filter[0]) }):
		return nil, "", exec.Mistake("| can be followed by grep with a part of the key names, such as | grep VfCpu")
	case len(filter) != 2 || strings.HasPrefix(filter[1], "-"):
		return nil, "", exec.Mistake("%s takes one word, a part of the key names", filter[0])
	}
	return words[:at], strings.ToLower(filter[1]), nil
}
