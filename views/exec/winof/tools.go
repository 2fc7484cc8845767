package winof

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// regkeysTables returns the tables of mlxtool show regkeys by its last word. The manual does not show their output.
func regkeysTables() map[string]registrykey.ToolTable {
	bound := func(n *uint32) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	return map[string]registrykey.ToolTable{
		"config": {
			Columns: []string{"KEY", "VALUE"},
			Wanted:  func(*registry.Key) bool { return true },
			Cells:   func(k *registry.Key) []string { return []string{registrykey.ValueText(k.Effective)} },
		},
		"diff": {
			Columns: []string{"KEY", "REGISTRY", "DRIVER", "WHY"},
			Wanted:  func(k *registry.Key) bool { return k.Stored.Exists() && k.Stored.String() != k.Effective.String() },
			Cells: func(k *registry.Key) []string {
				return []string{registrykey.ValueText(k.Stored), registrykey.ValueText(k.Effective), registrykey.Note(k)}
			},
		},
		"info": {
			Columns: []string{"KEY", "DEFAULT", "MIN", "MAX"},
			Wanted:  func(*registry.Key) bool { return true },
			Cells: func(k *registry.Key) []string {
				return []string{registrykey.ValueText(k.Default), bound(k.Min), bound(k.Max)}
			},
		},
	}
}

// respellRegkeys replaces mlxtool show regkey, the spelling of one example in the manual, by mlxtool show regkeys.
func respellRegkeys(words []string) []string {
	if len(words) < 3 || !strings.EqualFold(exec.TrimExe(words[0]), "mlxtool") ||
		!strings.EqualFold(words[1], "show") || !strings.EqualFold(words[2], "regkey") {
		return words
	}
	return slices.Concat(words[:2], []string{"regkeys"}, words[3:])
}

// regkeys returns mlxtool show regkeys config, diff or info.
func regkeys(word string) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		name := ""
		if len(c.Arguments) > 0 {
			name = c.Arguments[0]
		}
		list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show regkeys", name, true)
		if err != nil {
			return exec.Answer{}, err
		}
		table := regkeysTables()[word]
		return registrykey.ToolAnswer(c, list, table, "No differences: the driver uses the stored values."), nil
	}
}

// driverParameters implements mlxtool show driverparams.
func driverParameters(c *exec.Call) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show driverparams", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	t, err := registrykey.FindTarget(c, list[0].Connection)
	if err != nil {
		return exec.Answer{}, err
	}
	list[0].Keys = nil
	for _, k := range t.KeysElsewhere() {
		if k.Row.Scope == registry.DriverParameters {
			list[0].Keys = append(list[0].Keys, k)
		}
	}
	table := regkeysTables()["info"]
	table.Columns = []string{"PARAMETER", "DEFAULT", "MIN", "MAX", "CURRENT"}
	info := table.Cells
	table.Cells = func(k *registry.Key) []string { return append(info(k), registrykey.ValueText(k.Effective)) }
	return registrykey.ToolAnswer(c, list, table, "No parameter matches."), nil
}
