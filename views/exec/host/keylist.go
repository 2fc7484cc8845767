package host

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// scopesHelp lists the scopes for a help page.
func scopesHelp() string {
	var parts []string
	for _, s := range registrykey.Scopes() {
		parts = append(parts, fmt.Sprintf("%s (%s)", s.Scope, s.Help))
	}
	return "Scopes: " + strings.Join(parts, ", ") + "."
}

// scopeName is a scope as an argument; empty for none.
type scopeName registry.Scope

// Read accepts the name of a scope in any case.
func (n *scopeName) Read(_ *exec.Call, text, _ string) error {
	var words []string
	for _, s := range registrykey.Scopes() {
		if strings.EqualFold(string(s.Scope), text) {
			*n = scopeName(s.Scope)
			return nil
		}
		words = append(words, string(s.Scope))
	}
	return exec.Mistake("there is no scope %q%s", text, exec.Suggest(text, words, "choose from "+strings.Join(words, ", ")))
}

func regList(c *exec.Call, in *struct {
	Scope scopeName `flag:"scope"`
	Name  registrykey.Target
	Part  string
}) (exec.Answer, error) {
	scope := registry.Scope(in.Scope)
	if len(c.Arguments) == 0 {
		return catalogue(c, scope)
	}
	part := strings.ToLower(strings.Trim(in.Part, "*"))
	keys, err := registrykey.List(c, in.Name)
	if err != nil {
		return exec.Answer{}, err
	}
	keys = slices.DeleteFunc(keys, func(k registry.Key) bool {
		return scope != "" && k.Row.Scope != scope || !strings.Contains(strings.ToLower(k.Row.Name), part) ||
			c.Flags["changed"] != "" && !isChanged(&k)
	})
	rows := make([]registrykey.Row, len(keys))
	for i, k := range keys {
		rows[i] = registrykey.RowOf(k)
		rows[i].Choices, rows[i].Path, rows[i].Summary = nil, "", ""
	}
	return exec.Answer{
		Result: struct {
			Keys []registrykey.Row `json:"keys"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(keys) == 0 {
				_, err := fmt.Fprintln(w, "No key matches.")
				return err
			}
			t := exec.NewTextTable(w, "KEY", "SCOPE", "STORED", "IN EFFECT", "DEFAULT", "TAKES EFFECT", "NOTE")
			for _, k := range keys {
				t.Row(k.Row.Name, string(k.Row.Scope), registrykey.ValueText(k.Stored), registrykey.ValueText(k.Effective), registrykey.ValueText(k.Default), exec.WhenEffective(k.Row.Applies),
					registrykey.Note(&k))
			}
			return t.Flush()
		},
	}, nil
}

// isChanged reports whether a key differs from a fresh installation, or is pending.
func isChanged(k *registry.Key) bool {
	return k.Pending || k.Stored != k.Default && (k.Stored.Exists() || k.Row.Scope.Stored() && !k.Row.MustCreate)
}

// catalogueRow is a key of a driver as JSON, with the connections that have it.
type catalogueRow struct {
	Key      string              `json:"key"`
	Scope    registry.Scope      `json:"scope"`
	Driver   string              `json:"driver"`
	Type     registry.Type       `json:"type"`
	Applies  registry.EffectTime `json:"applies"`
	Summary  string              `json:"summary"`
	Adapters []string            `json:"adapters"`
}

// catalogue lists all keys of the host's drivers with the connections that have them.
func catalogue(c *exec.Call, scope registry.Scope) (exec.Answer, error) {
	if c.Flags["changed"] != "" {
		return exec.Answer{}, exec.Mistake("--changed requires a NAME")
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []catalogueRow{}
	places := map[*registry.Row]int{} // index in rows
	for _, s := range registrykey.Scopes() {
		if scope != "" && s.Scope != scope {
			continue
		}
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			for i := range view.Adapters {
				if a := &view.Adapters[i]; a.Description.Family == family {
					rows = listCatalogue(rows, places, a, s.Scope)
				}
			}
		}
	}
	return exec.Answer{
		Result: struct {
			Catalogue []catalogueRow `json:"catalogue"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "KEY", "SCOPE", "DRIVER", "TAKES EFFECT", "ADAPTERS")
			for _, r := range rows {
				t.Row(r.Key, string(r.Scope), r.Driver, exec.WhenEffective(r.Applies), strings.Join(r.Adapters, ", "))
			}
			return t.Flush()
		},
	}, nil
}

// listCatalogue adds the keys of a card's ports in a scope to rows. For a key that rows has already, it adds the ports to
// that row. places has the index of each key in rows.
func listCatalogue(
	rows []catalogueRow, places map[*registry.Row]int, a *driver.AdapterView, scope registry.Scope,
) []catalogueRow {
	for _, p := range a.Ports {
		for _, r := range registry.Keys(a.Description.Family).List(p.Description.Link, scope) {
			at, found := places[r]
			if !found {
				at = len(rows)
				places[r] = at
				rows = append(rows, catalogueRow{Key: r.Name, Scope: r.Scope, Driver: a.Driver, Type: r.StoredType(), Applies: r.Applies,
					Summary: r.Summary})
			}
			rows[at].Adapters = append(rows[at].Adapters, p.Description.Connection)
		}
	}
	return rows
}
