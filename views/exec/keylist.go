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

// scopeRow is a scope of keys as operators name it.
type scopeRow struct {
	scope registry.Scope
	help  string
	// elsewhere says where values are kept that are not in the registry, and what sets them; empty for those that are.
	elsewhere string
}

// scopes are all scopes, in the order in which keys are listed.
func scopes() []scopeRow {
	return []scopeRow{
		{registry.Miniport, "of a port", ""},
		{registry.Congestion, "congestion control of a port", ""},
		{registry.BusDevice, "of a card", ""},
		{registry.BusDriver, "of the bus driver", ""},
		{registry.RoCE, "RoCE, of the driver", ""},
		{registry.Diagnostics, "dumps and traces, of the driver", ""},
		{registry.System, "of Windows", ""},
		{registry.Firmware, "of a card, in its firmware", "in the firmware of the card, where mlxconfig shows and sets it"},
		{registry.DriverParameters, "of a running driver", "in the running driver, and mlxtool sets it"},
	}
}

// elsewhere says where the value of a key is kept that is not in the registry; empty for one that is, and for no key.
func elsewhere(r *registry.Row) string {
	for _, s := range scopes() {
		if r != nil && s.scope == r.Scope {
			return s.elsewhere
		}
	}
	return ""
}

// orderOf is the place of a scope in the table of them.
func orderOf(scope registry.Scope) int {
	return slices.IndexFunc(scopes(), func(s scopeRow) bool { return s.scope == scope })
}

// scopesHelp lists the scopes for a help page.
func scopesHelp() string {
	var parts []string
	for _, s := range scopes() {
		parts = append(parts, fmt.Sprintf("%s (%s)", s.scope, s.help))
	}
	return "Scopes: " + strings.Join(parts, ", ") + "."
}

// scope is the value of the flag of that name; empty when it is not given.
func (c *call) scope() (registry.Scope, error) {
	text, given := c.flags["scope"]
	if !given {
		return "", nil
	}
	var words []string
	for _, s := range scopes() {
		if strings.EqualFold(string(s.scope), text) {
			return s.scope, nil
		}
		words = append(words, string(s.scope))
	}
	return "", mistake("there is no scope %q%s", text, suggest(text, words, "there are "+strings.Join(words, ", ")))
}

// keysElsewhere are the keys that are not in the registry. Nothing in the lab changes the parameters of a running driver,
// so that it works with their defaults.
func (t *keyTarget) keysElsewhere() (keys []driver.Key) {
	for _, r := range registry.Keys(t.family).List(t.link, registry.Firmware, registry.DriverParameters) {
		least, most := r.Range(t.link)
		k := driver.Key{Row: r, Default: r.Default(t.link), Least: least, Most: most}
		if r.Scope == registry.DriverParameters {
			k.Effective = k.Default
		}
		keys = append(keys, k)
	}
	return keys
}

// keyElsewhere is one of them by its name. Two may differ in their case alone: what is typed exactly comes first.
func (t *keyTarget) keyElsewhere(name string) (driver.Key, bool) {
	keys := t.keysElsewhere()
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range keys {
			if r := keys[i].Row; same(r.Name, name) || same(string(r.Scope)+"/"+r.Name, name) {
				return keys[i], true
			}
		}
	}
	return driver.Key{}, false
}

// keys are all keys of a target, by scope and then in the order of the manuals.
func (c *call) keys(t keyTarget) (keys []driver.Key, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if t.adapter != "" {
			keys, err = h.AdapterKeys(t.adapter)
		} else {
			keys, err = h.Keys(t.connection)
		}
		return err
	})
	keys = append(keys, t.keysElsewhere()...)
	slices.SortStableFunc(keys, func(a, b driver.Key) int { return orderOf(a.Row.Scope) - orderOf(b.Row.Scope) })
	return keys, err
}

func regList(c *call) (answer, error) {
	scope, err := c.scope()
	if err != nil {
		return answer{}, err
	}
	if len(c.arguments) == 0 {
		return c.catalogue(scope)
	}
	t, err := c.target(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	part := ""
	if len(c.arguments) > 1 {
		part = strings.ToLower(strings.Trim(c.arguments[1], "*"))
	}
	keys, err := c.keys(t)
	if err != nil {
		return answer{}, err
	}
	keys = slices.DeleteFunc(keys, func(k driver.Key) bool {
		return scope != "" && k.Row.Scope != scope || !strings.Contains(strings.ToLower(k.Row.Name), part) ||
			c.flags["changed"] != "" && !changed(&k)
	})
	rows := make([]keyRow, len(keys))
	for i, k := range keys {
		rows[i] = keyOf(k)
		rows[i].Choices, rows[i].Path, rows[i].Summary = nil, "", ""
	}
	return answer{
		result: struct {
			Keys []keyRow `json:"keys"`
		}{rows},
		text: func(w io.Writer) error {
			if len(keys) == 0 {
				_, err := fmt.Fprintln(w, "There are no such keys.")
				return err
			}
			t := newTable(w, "KEY", "SCOPE", "STORED", "IN EFFECT", "DEFAULT", "COUNTS", "NOTE")
			for _, k := range keys {
				t.row(k.Row.Name, string(k.Row.Scope), text(k.Stored), text(k.Effective), text(k.Default), moment(k.Row.Applies),
					note(&k))
			}
			return t.Flush()
		},
	}, nil
}

// changed says whether a key is not as after a fresh installation, or waits.
func changed(k *driver.Key) bool {
	return k.Pending || k.Stored != k.Default && (k.Stored.Exists() || k.Row.Scope.Stored() && !k.Row.MustCreate)
}

// catalogueRow is a key of a driver as JSON, with who has it.
type catalogueRow struct {
	Key      string          `json:"key"`
	Scope    registry.Scope  `json:"scope"`
	Driver   string          `json:"driver"`
	Type     registry.Type   `json:"type"`
	Applies  registry.Moment `json:"applies"`
	Summary  string          `json:"summary"`
	Adapters []string        `json:"adapters"`
}

// catalogue lists all keys of the host's drivers with the connections that have them.
func (c *call) catalogue(scope registry.Scope) (answer, error) {
	if c.flags["changed"] != "" {
		return answer{}, mistake("--changed needs the NAME whose values it is about")
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	rows := []catalogueRow{}
	places := map[*registry.Row]int{} // of those that are listed
	for _, s := range scopes() {
		if scope != "" && s.scope != scope {
			continue
		}
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			for i := range view.Adapters {
				if a := &view.Adapters[i]; a.Description.Family == family {
					rows = listCatalogue(rows, places, a, s.scope)
				}
			}
		}
	}
	return answer{
		result: struct {
			Catalogue []catalogueRow `json:"catalogue"`
		}{rows},
		text: func(w io.Writer) error {
			t := newTable(w, "KEY", "SCOPE", "DRIVER", "COUNTS", "ADAPTERS")
			for _, r := range rows {
				t.row(r.Key, string(r.Scope), r.Driver, moment(r.Applies), strings.Join(r.Adapters, ", "))
			}
			return t.Flush()
		},
	}, nil
}

// listCatalogue adds the keys of a scope that the ports of a card have to rows, or the ports to those that are there.
func listCatalogue(
	rows []catalogueRow, places map[*registry.Row]int, a *driver.AdapterView, scope registry.Scope,
) []catalogueRow {
	for _, p := range a.Ports {
		for _, r := range registry.Keys(a.Description.Family).List(p.Description.Link, scope) {
			at, listed := places[r]
			if !listed {
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
