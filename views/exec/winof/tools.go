package winof

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
)

// regkeysTables returns the tables of mlxtool show regkeys by its last word. The manual does not show their output.
func regkeysTables() map[string]exec.ToolTable {
	bound := func(n *uint32) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	return map[string]exec.ToolTable{
		"config": {
			Columns: []string{"KEY", "VALUE"},
			Wanted:  func(*registry.Key) bool { return true },
			Cells:   func(k *registry.Key) []string { return []string{exec.ValueText(k.Effective)} },
		},
		"diff": {
			Columns: []string{"KEY", "REGISTRY", "DRIVER", "WHY"},
			Wanted:  func(k *registry.Key) bool { return k.Stored.Exists() && k.Stored.String() != k.Effective.String() },
			Cells: func(k *registry.Key) []string {
				return []string{exec.ValueText(k.Stored), exec.ValueText(k.Effective), exec.KeyNote(k)}
			},
		},
		"info": {
			Columns: []string{"KEY", "DEFAULT", "MIN", "MAX"},
			Wanted:  func(*registry.Key) bool { return true },
			Cells: func(k *registry.Key) []string {
				return []string{exec.ValueText(k.Default), bound(k.Min), bound(k.Max)}
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
		list, err := c.ToolTargets(description.WinOF, "mlxtool show regkeys", name, true)
		if err != nil {
			return exec.Answer{}, err
		}
		table := regkeysTables()[word]
		return c.ToolAnswer(list, table, "No differences: the driver uses the stored values."), nil
	}
}

// driverParameters implements mlxtool show driverparams.
func driverParameters(c *exec.Call) (exec.Answer, error) {
	list, err := c.ToolTargets(description.WinOF, "mlxtool show driverparams", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	t, err := c.Target(list[0].Connection)
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
	table.Cells = func(k *registry.Key) []string { return append(info(k), exec.ValueText(k.Effective)) }
	return c.ToolAnswer(list, table, "No parameter matches."), nil
}
