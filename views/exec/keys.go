package exec

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// keyRow is a registry key as JSON. A value is a number or a text, null for none.
type keyRow struct {
	Key   string         `json:"key"`
	Scope registry.Scope `json:"scope"`
	Type  registry.Type  `json:"type"`
	// StoredType is the type of a stored value that has another one than Type.
	StoredType registry.Type   `json:"stored_type,omitempty"`
	Stored     any             `json:"stored"`
	Effective  any             `json:"effective"`
	Default    any             `json:"default"`
	Least      *uint32         `json:"least,omitempty"`
	Most       *uint32         `json:"most,omitempty"`
	Unit       string          `json:"unit,omitempty"`
	Applies    registry.Moment `json:"applies"`
	Pending    bool            `json:"pending,omitempty"`
	Why        string          `json:"why,omitempty"`
	Choices    []choiceRow     `json:"choices,omitempty"`
	Path       string          `json:"path,omitempty"`
	Summary    string          `json:"summary,omitempty"`
}

type choiceRow struct {
	Value uint32 `json:"value"`
	Label string `json:"label"`
}

func keyOf(k driver.Key) keyRow {
	row := keyRow{
		Key: k.Row.Name, Scope: k.Row.Scope, Type: k.Row.StoredType(), StoredType: k.Row.OtherType(k.Stored), Stored: plain(k.Stored), Effective: plain(k.Effective),
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
		return row.Typed(v) + " (" + label + ")"
	}
	return row.Typed(v)
}

// keyTarget is what a command about keys names: a connection, or the card itself, for the keys that its ports share.
type keyTarget struct {
	connection, adapter string // one of them is empty
	family              description.Family
	link                description.LinkType // of the first port, for a card
}

func (t *keyTarget) name() string { return t.connection + t.adapter }

func (c *call) target(name string) (t keyTarget, err error) {
	view, err := c.view()
	if err != nil {
		return t, err
	}
	card, port, err := findAdapter(view, name)
	if err != nil {
		return t, err
	}
	a := &view.Adapters[card]
	t.family, t.link = a.Description.Family, a.Ports[max(port, 0)].Description.Link
	if port < 0 {
		t.adapter = a.Description.Name
	} else {
		t.connection = a.Ports[port].Description.Connection
	}
	return t, nil
}

// key reads a key.
func (c *call) key(t keyTarget, name string) (key driver.Key, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if t.adapter != "" {
			key, err = h.AdapterKey(t.adapter, name)
		} else {
			key, err = h.Key(t.connection, name)
		}
		return err
	})
	var unknown *driver.UnknownKeyError
	if errors.As(err, &unknown) {
		if k, ok := t.keyElsewhere(name); ok {
			return k, nil
		}
	}
	return key, err
}

// storedKey reads a key that can be changed.
func (c *call) storedKey(t keyTarget, name string) (driver.Key, error) {
	k, err := c.key(t, name)
	if place := elsewhere(k.Row); err == nil && place != "" {
		return k, fmt.Errorf("%s is no value of the registry: it is kept %s", k.Row.Name, place)
	}
	return k, err
}

// keyNamed reads the target and the key that the first two arguments name.
func (c *call) keyNamed(
	read func(*call, keyTarget, string) (driver.Key, error),
) (t keyTarget, k driver.Key, err error) {
	if t, err = c.target(c.arguments[0]); err == nil {
		k, err = read(c, t, c.arguments[1])
	}
	return t, k, err
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
		registry.AtNewVM: "for virtual machines that start after it",
	}[m]
}

// note says what is special about a key now.
func note(k *driver.Key) string {
	switch {
	case elsewhere(k.Row) != "":
		return "kept " + elsewhere(k.Row)
	case k.Pending && k.Why != "":
		return "waits; " + k.Why
	case k.Pending:
		return "waits"
	default:
		return k.Why
	}
}

func regGet(c *call) (answer, error) {
	_, k, err := c.keyNamed((*call).key)
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
			t.row("Scope", string(k.Row.Scope))
			if k.Path != "" {
				t.row("Type", string(k.Row.StoredType()))
			}
			t.row("What it is", k.Row.Summary)
			t.row("Stored", shown(k.Row, k.Stored))
			t.row("In effect", shown(k.Row, k.Effective))
			t.row("Default", shown(k.Row, k.Default))
			if limits := rangeWords(&k); limits != "" {
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

// rangeWords is the range of a key in words.
func rangeWords(k *driver.Key) string {
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
	t, k, err := c.keyNamed((*call).storedKey)
	if err != nil {
		return answer{}, err
	}
	value := c.arguments[2]
	if _, err := k.Row.Parse(value); err != nil {
		return answer{}, notItsValue(&k, t.name(), value, err)
	}
	if k.Row.Type == registry.Number {
		value = strings.TrimSpace(value)
	}
	name := exactName(&k, c.arguments[1])
	return c.changeKey(driver.SetValue{Connection: t.connection, Adapter: t.adapter, Key: name, Value: value}, t, name)
}

// notItsValue is the sentence for a value that a key can't store, with those that count here; why is that of the
// catalogue.
func notItsValue(k *driver.Key, target, typed string, why error) error {
	if k.Row.Type != registry.Number {
		return mistake("%v", why)
	}
	takes := rangeWords(k)
	const most = 8 // choices that a sentence can hold
	more := k.Least != nil && k.Most != nil && *k.Most-*k.Least >= uint32(len(k.Row.Choices))
	switch choices := k.Row.Choices; {
	case len(choices) > 0 && len(choices) <= most && !more:
		labels := make([]string, len(choices))
		for i, choice := range choices {
			labels[i] = fmt.Sprintf("%d (%s)", choice.Value, choice.Label)
		}
		takes = strings.Join(labels, ", ")
	case takes == "":
		takes = "0 to 4294967295"
	}
	return mistake("%q is no value for %s of %s: it takes %s", typed, k.Row.Name, target, takes)
}

func regUnset(c *call) (answer, error) {
	t, k, err := c.keyNamed((*call).storedKey)
	if err != nil {
		return answer{}, err
	}
	name := exactName(&k, c.arguments[1])
	return c.changeKey(driver.DeleteValue{Connection: t.connection, Adapter: t.adapter, Key: name}, t, name)
}

// exactName is the name of a key as the catalogue has it, with its scope when the operator named that.
func exactName(k *driver.Key, typed string) string {
	if strings.Contains(typed, "/") {
		return string(k.Row.Scope) + "/" + k.Row.Name
	}
	return k.Row.Name
}

// changeKey applies a change of a key and says what became of it, or puts it in the draft.
func (c *call) changeKey(change driver.Operation, t keyTarget, name string) (answer, error) {
	plan := driver.Plan{Title: upper(change.Describe()), Operations: []driver.Operation{change}}
	if c.flags["draft"] != "" {
		return c.drafted(plan)
	}
	if c.flags["force"] == "" {
		review, err := c.review(plan)
		if err == nil {
			err = invalid(&review)
		}
		if err != nil {
			return answer{}, err
		}
	}
	return c.storeKey(change, t, name)
}

// storeKey is changeKey for a value that the driver may replace with another one.
func (c *call) storeKey(change driver.Operation, t keyTarget, name string) (answer, error) {
	entry, err := c.do(driver.Plan{Title: upper(change.Describe()), Operations: []driver.Operation{change}})
	if err != nil {
		return answer{}, err
	}
	k, err := c.key(t, name)
	if err != nil {
		return answer{}, err
	}
	waits := entry
	waits.Waits = nil // told of the key below
	said := told(waits)
	return answer{
		result: struct {
			Change entryRow `json:"change"`
			Key    keyRow   `json:"key"`
		}{entry, keyOf(k)},
		text: func(w io.Writer) error {
			if err := said.text(w); err != nil {
				return err
			}
			var more string
			if k.Why != "" {
				more = "  " + Clean(upper(k.Why)) + ".\n"
			}
			if k.Pending {
				more += fmt.Sprintf("  It counts %s", moment(k.Until))
				if k.Until == registry.AtRestart && t.connection != "" {
					more += ": adapter restart " + Clean(Quote(t.connection))
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
