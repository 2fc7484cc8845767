package exec

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// keyRow is a registry key as JSON. A value is a number or a text, null for none.
type keyRow struct {
	Key       string          `json:"key"`
	Scope     registry.Scope  `json:"scope"`
	Type      registry.Type   `json:"type"`
	Stored    any             `json:"stored"`
	Effective any             `json:"effective"`
	Default   any             `json:"default"`
	Least     *uint32         `json:"least,omitempty"`
	Most      *uint32         `json:"most,omitempty"`
	Unit      string          `json:"unit,omitempty"`
	Applies   registry.Moment `json:"applies"`
	Pending   bool            `json:"pending,omitempty"`
	Why       string          `json:"why,omitempty"`
	Choices   []choiceRow     `json:"choices,omitempty"`
	Path      string          `json:"path,omitempty"`
	Summary   string          `json:"summary,omitempty"`
}

type choiceRow struct {
	Value uint32 `json:"value"`
	Label string `json:"label"`
}

func keyOf(k driver.Key) keyRow {
	row := keyRow{
		Key: k.Row.Name, Scope: k.Row.Scope, Type: k.Row.Type, Stored: plain(k.Stored), Effective: plain(k.Effective),
		Default: plain(k.Default), Least: k.Least, Most: k.Most, Unit: k.Row.Unit, Applies: k.Row.Applies, Pending: k.Pending,
		Why: k.Why, Path: k.Path, Summary: k.Row.Summary,
	}
	for _, c := range k.Row.Choices {
		row.Choices = append(row.Choices, choiceRow{c.Value, c.Label})
	}
	return row
}

// plain is a value as JSON has it.
func plain(v registry.Value) any {
	switch {
	case !v.Exists():
		return nil
	case v.Type() == registry.Number:
		return v.Number()
	default:
		return v.String()
	}
}

// shown is a value as a person reads it, with its meaning when it has one.
func shown(row *registry.Row, v registry.Value) string {
	if !v.Exists() {
		return "-"
	}
	if label := row.Label(v); label != "" {
		return v.String() + " (" + label + ")"
	}
	return v.String()
}

// target is the connection or the card that a name means; the other is empty.
func (c *call) target(name string) (connection, adapter string, err error) {
	view, err := c.view()
	if err != nil {
		return "", "", err
	}
	card, port, err := findAdapter(view, name)
	switch {
	case err != nil:
		return "", "", err
	case port < 0:
		return "", view.Adapters[card].Description.Name, nil
	default:
		return view.Adapters[card].Ports[port].Description.Connection, "", nil
	}
}

// key reads a key of a connection or card.
func (c *call) key(connection, adapter, name string) (key driver.Key, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if adapter != "" {
			key, err = h.AdapterKey(adapter, name)
		} else {
			key, err = h.Key(connection, name)
		}
		return err
	})
	return key, err
}

func regList(c *call) (answer, error) {
	connection, adapter, err := c.target(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	part := ""
	if len(c.arguments) > 1 {
		part = strings.ToLower(strings.Trim(c.arguments[1], "*"))
	}
	var keys []driver.Key
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if adapter != "" {
			keys, err = h.AdapterKeys(adapter)
		} else {
			keys, err = h.Keys(connection)
		}
		return err
	})
	if err != nil {
		return answer{}, err
	}
	var found []driver.Key
	rows := []keyRow{}
	for _, k := range keys {
		if strings.Contains(strings.ToLower(k.Row.Name), part) && (c.flags["changed"] == "" || changed(&k)) {
			row := keyOf(k)
			row.Choices, row.Path, row.Summary = nil, "", ""
			found, rows = append(found, k), append(rows, row)
		}
	}
	return answer{
		result: struct {
			Keys []keyRow `json:"keys"`
		}{rows},
		text: func(w io.Writer) error {
			if len(found) == 0 {
				_, err := fmt.Fprintln(w, "There are no such keys.")
				return err
			}
			t := newTable(w, "KEY", "STORED", "IN EFFECT", "DEFAULT", "COUNTS", "NOTE")
			for _, k := range found {
				t.row(listedName(&k, found), text(k.Stored), text(k.Effective), text(k.Default), moment(k.Row.Applies), note(&k))
			}
			return t.Flush()
		},
	}, nil
}

// changed says whether a key is not as after a fresh installation, or waits.
func changed(k *driver.Key) bool {
	return k.Pending || k.Stored != k.Default && (k.Stored.Exists() || !k.Row.MustCreate)
}

// listedName is a key's name in a list: with its scope when a key of another scope has the same.
func listedName(k *driver.Key, among []driver.Key) string {
	for i := range among {
		if among[i].Row.Name == k.Row.Name && among[i].Row.Scope != k.Row.Scope {
			return string(k.Row.Scope) + "/" + k.Row.Name
		}
	}
	return k.Row.Name
}

// text is a value without its meaning.
func text(v registry.Value) string {
	if !v.Exists() {
		return "-"
	}
	return v.String()
}

// moment says when a stored value counts.
func moment(m registry.Moment) string {
	return map[registry.Moment]string{
		registry.AtRestart: "after a restart of the adapter", registry.AtOnce: "at once",
		registry.AtReload: "after a reload of the driver", registry.AtReboot: "after a reboot",
	}[m]
}

// note says what is special about a key now.
func note(k *driver.Key) string {
	switch {
	case k.Pending && k.Why != "":
		return "waits; " + k.Why
	case k.Pending:
		return "waits"
	default:
		return k.Why
	}
}

func regGet(c *call) (answer, error) {
	connection, adapter, err := c.target(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	k, err := c.key(connection, adapter, c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Key keyRow `json:"key"`
		}{keyOf(k)},
		text: func(w io.Writer) error {
			t := newTable(w)
			t.row("Key", k.Row.Name)
			t.row("What it is", k.Row.Summary)
			t.row("Stored", shown(k.Row, k.Stored))
			t.row("In effect", shown(k.Row, k.Effective))
			t.row("Default", shown(k.Row, k.Default))
			if limits := limits(&k); limits != "" {
				t.row("Range", limits)
			}
			for i, choice := range k.Row.Choices {
				lead := ""
				if i == 0 {
					lead = "Values"
				}
				t.row(lead, strconv.FormatUint(uint64(choice.Value), 10)+" "+choice.Label)
			}
			t.row("Counts", moment(k.Row.Applies))
			if n := note(&k); n != "" {
				t.row("Now", n)
			}
			if k.Path != "" {
				t.row("Where", k.Path)
			}
			return t.Flush()
		},
	}, nil
}

// limits is the range of a key in words.
func limits(k *driver.Key) string {
	end := func(n *uint32) string { return strconv.FormatUint(uint64(*n), 10) }
	var s string
	switch {
	case k.Least != nil && k.Most != nil:
		s = end(k.Least) + " to " + end(k.Most)
	case k.Least != nil:
		s = "from " + end(k.Least)
	case k.Most != nil:
		s = "up to " + end(k.Most)
	default:
		return ""
	}
	return strings.TrimSpace(s + " " + k.Row.Unit)
}

func regSet(c *call) (answer, error) {
	connection, adapter, err := c.target(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	k, err := c.key(connection, adapter, c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	set := driver.SetValue{Connection: connection, Adapter: adapter, Key: exactName(&k, c.arguments[1]), Value: c.arguments[2]}
	return c.changeKey(set, connection, adapter)
}

func regUnset(c *call) (answer, error) {
	connection, adapter, err := c.target(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	k, err := c.key(connection, adapter, c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	return c.changeKey(driver.DeleteValue{Connection: connection, Adapter: adapter, Key: exactName(&k, c.arguments[1])}, connection, adapter)
}

// exactName is the name of a key as the catalogue has it, with its scope when the operator named that.
func exactName(k *driver.Key, typed string) string {
	if strings.Contains(typed, "/") {
		return string(k.Row.Scope) + "/" + k.Row.Name
	}
	return k.Row.Name
}

// changeKey applies a change of a key and says what became of it.
func (c *call) changeKey(change driver.Operation, connection, adapter string) (answer, error) {
	entry, err := c.host.Apply(c.ctx, driver.Plan{Title: upper(change.Describe()), Operations: []driver.Operation{change}})
	if err != nil {
		return answer{}, err
	}
	var name string
	switch o := change.(type) {
	case driver.SetValue:
		name = o.Key
	case driver.DeleteValue:
		name = o.Key
	default:
		return answer{}, errors.New("this is no change of a key")
	}
	k, err := c.key(connection, adapter, name)
	if err != nil {
		return answer{}, err
	}
	said := told(entry)
	return answer{
		result: struct {
			Change entryRow `json:"change"`
			Key    keyRow   `json:"key"`
		}{entryOf(entry), keyOf(k)},
		text: func(w io.Writer) error {
			if err := said.text(w); err != nil {
				return err
			}
			var more string
			if k.Why != "" {
				more = "  " + Clean(upper(k.Why)) + ".\n"
			}
			if k.Pending {
				more += fmt.Sprintf("  It counts %s", moment(k.Row.Applies))
				if k.Row.Applies != registry.AtReboot && connection != "" {
					more += ": adapter restart " + Clean(Quote(connection))
				}
				more += "\n"
			}
			_, err := io.WriteString(w, more)
			return err
		},
	}, nil
}

// upper is a phrase with its first letter in upper case.
func upper(phrase string) string {
	if phrase == "" {
		return ""
	}
	return strings.ToUpper(phrase[:1]) + phrase[1:]
}
