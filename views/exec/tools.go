package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// toolTarget is a connection that a tool of the vendor's speaks of, with its keys.
type toolTarget struct {
	connection string
	keys       []driver.Key
}

// otherTool names the tool that shows the keys of the other driver; nothing for tools that show something else.
func otherTool(tool string) string {
	return map[string]string{
		"mlxtool show regkeys": "; mlx5cmd -RegKeys shows its keys",
		"mlx5cmd -RegKeys":     "; mlxtool show regkeys shows its keys",
	}[tool]
}

// toolTargets are the connections of a family that a tool was asked for: the one that is named, or all; ethernet leaves
// those of InfiniBand out.
func (c *call) toolTargets(family description.Family, tool, name string, ethernet bool) (list []toolTarget, err error) {
	view, err := c.view()
	if err != nil {
		return nil, err
	}
	if name != "" {
		if name, err = connection(view, name); err != nil {
			return nil, err
		}
	}
	var refusal error
	for i := range view.Adapters {
		a := &view.Adapters[i]
		for _, p := range a.Ports {
			d := p.Description
			switch {
			case name != "" && d.Connection != name:
			case a.Description.Family != family:
				refusal = fmt.Errorf("%s knows nothing of %s, whose driver is %s%s", tool, d.Connection, a.Driver, otherTool(tool))
			case ethernet && d.Link != description.Ethernet:
				refusal = fmt.Errorf("%s shows Ethernet connections, and %s is InfiniBand", tool, d.Connection)
			default:
				list = append(list, toolTarget{connection: d.Connection})
			}
		}
	}
	if len(list) == 0 && refusal == nil {
		refusal = fmt.Errorf("the host has no adapter that %s knows", tool)
	}
	if len(list) == 0 {
		return nil, refusal
	}
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		for i := range list {
			if list[i].keys, err = h.Keys(list[i].connection); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// toolRow is a key as a tool shows it, as JSON.
type toolRow struct {
	Connection string `json:"connection"`
	keyRow
}

// toolTable is what a tool shows of keys: which, and with which columns.
type toolTable struct {
	columns []string
	wanted  func(*driver.Key) bool
	cells   func(*driver.Key) []string
}

// The tables of mlxtool show regkeys. The manual has no text of their output.
func regkeysTables() map[string]toolTable {
	ends := func(n *uint32) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	return map[string]toolTable{
		"config": {
			[]string{"KEY", "VALUE"}, func(*driver.Key) bool { return true },
			func(k *driver.Key) []string { return []string{text(k.Effective)} },
		},
		"diff": {
			[]string{"KEY", "REGISTRY", "DRIVER", "WHY"},
			func(k *driver.Key) bool { return k.Stored.Exists() && k.Stored.String() != k.Effective.String() },
			func(k *driver.Key) []string { return []string{text(k.Stored), text(k.Effective), note(k)} },
		},
		"info": {
			[]string{"KEY", "DEFAULT", "MIN", "MAX"}, func(*driver.Key) bool { return true },
			func(k *driver.Key) []string { return []string{text(k.Default), ends(k.Least), ends(k.Most)} },
		},
	}
}

// regkeysSpelled is a line with the name of mlxtool show regkeys, which an example of the manual spells regkey.
func regkeysSpelled(words []string) []string {
	if len(words) < 3 || !strings.EqualFold(trimExe(words[0]), "mlxtool") ||
		!strings.EqualFold(words[1], "show") || !strings.EqualFold(words[2], "regkey") {
		return words
	}
	return slices.Concat(words[:2], []string{"regkeys"}, words[3:])
}

// regkeys is mlxtool show regkeys with one of its words.
func regkeys(word string) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		name := ""
		if len(c.arguments) > 0 {
			name = c.arguments[0]
		}
		list, err := c.toolTargets(description.WinOF, "mlxtool show regkeys", name, true)
		if err != nil {
			return answer{}, err
		}
		table := regkeysTables()[word]
		return c.toolAnswer(list, table, "Nothing differs: the driver works with what is stored."), nil
	}
}

// toolAnswer shows the keys of connections in a table.
func (c *call) toolAnswer(list []toolTarget, table toolTable, none string) answer {
	rows := []toolRow{}
	for _, t := range list {
		for i := range t.keys {
			if k := &t.keys[i]; table.wanted(k) {
				row := toolRow{t.connection, keyOf(*k)}
				row.Choices, row.Path, row.Summary = nil, "", ""
				rows = append(rows, row)
			}
		}
	}
	return answer{
		result: struct {
			Keys []toolRow `json:"keys"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, none)
				return err
			}
			out := newTable(w, append([]string{"CONNECTION"}, table.columns...)...)
			for _, t := range list {
				for i := range t.keys {
					if k := &t.keys[i]; table.wanted(k) {
						out.row(append([]string{t.connection, k.Row.Name}, table.cells(k)...)...)
					}
				}
			}
			return out.Flush()
		},
	}
}

// driverParameters is mlxtool show driverparams.
func driverParameters(c *call) (answer, error) {
	list, err := c.toolTargets(description.WinOF, "mlxtool show driverparams", c.arguments[0], false)
	if err != nil {
		return answer{}, err
	}
	t, err := c.target(list[0].connection)
	if err != nil {
		return answer{}, err
	}
	list[0].keys = nil
	for _, k := range t.keysElsewhere() {
		if k.Row.Scope == registry.DriverParameters {
			list[0].keys = append(list[0].keys, k)
		}
	}
	table := regkeysTables()["info"]
	table.columns = []string{"PARAMETER", "DEFAULT", "MIN", "MAX", "CURRENT"}
	info := table.cells
	table.cells = func(k *driver.Key) []string { return append(info(k), text(k.Effective)) }
	return c.toolAnswer(list, table, "The driver has no such parameters."), nil
}

// mlx5Keys is mlx5cmd -RegKeys.
func mlx5Keys(c *call) (answer, error) {
	name, dynamic := "", false
	words, part, err := grepped(c.arguments)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case strings.EqualFold(word, "-DynamicKeys"):
			dynamic = true
		case strings.EqualFold(word, "-Name") && i+1 < len(words):
			i++
			name = words[i]
		default:
			return answer{}, mistake("mlx5cmd -RegKeys does not know %q: it takes -DynamicKeys and -Name NAME", word)
		}
	}
	list, err := c.toolTargets(description.WinOF2, "mlx5cmd -RegKeys", name, false)
	if err != nil {
		return answer{}, err
	}
	return c.toolAnswer(list, toolTable{
		[]string{"KEY", "REGISTRY", "DRIVER", "DEFAULT", "COUNTS"},
		func(k *driver.Key) bool {
			return (!dynamic || k.Row.Applies == registry.AtOnce) && strings.Contains(strings.ToLower(k.Row.Name), part)
		},
		func(k *driver.Key) []string {
			return []string{text(k.Stored), text(k.Effective), text(k.Default), moment(k.Row.Applies)}
		},
	}, "There are no such keys."), nil
}

// grepped is a line before its | grep TEXT, and the text in lower case, as the manual shortens the list of keys; the
// text is empty without one. findstr and Select-String do the same.
func grepped(words []string) (before []string, text string, err error) {
	at := slices.Index(words, pipeSign)
	if at < 0 {
		return words, "", nil
	}
	filters := []string{"grep", "findstr", "Select-String"}
	behind := words[at+1:]
	switch {
	case len(behind) == 0 || !slices.ContainsFunc(filters, func(f string) bool { return strings.EqualFold(f, behind[0]) }):
		return nil, "", mistake("behind | there can be grep with a part of the names of keys, such as | grep VfCpu")
	case len(behind) != 2 || strings.HasPrefix(behind[1], "-"):
		return nil, "", mistake("%s takes one word here, which is part of the names of keys", behind[0])
	}
	return words[:at], strings.ToLower(behind[1]), nil
}
