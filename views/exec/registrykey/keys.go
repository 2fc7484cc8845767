package registrykey

import (
	"errors"
	"fmt"
	"io"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// Row is a registry key as JSON. A value is a number or a text, null for none.
type Row struct {
	Key   string         `json:"key"`
	Scope registry.Scope `json:"scope"`
	Type  registry.Type  `json:"type"`
	// StoredType is the type of the stored value; it is empty if that is Type.
	StoredType registry.Type       `json:"stored_type,omitempty"`
	Stored     any                 `json:"stored"`
	Effective  any                 `json:"effective"`
	Default    any                 `json:"default"`
	Min        *uint32             `json:"least,omitempty"`
	Max        *uint32             `json:"most,omitempty"`
	Unit       string              `json:"unit,omitempty"`
	Applies    registry.EffectTime `json:"applies"`
	Pending    bool                `json:"pending,omitempty"`
	Why        string              `json:"why,omitempty"`
	Choices    []registry.Choice   `json:"choices,omitempty"`
	Path       string              `json:"path,omitempty"`
	Summary    string              `json:"summary,omitempty"`
}

// RowOf returns the row of a registry key.
func RowOf(k registry.Key) Row {
	row := Row{
		Key: k.Row.Name, Scope: k.Row.Scope, Type: k.Row.StoredType(), StoredType: k.Row.OtherType(k.Stored), Stored: JSONValue(k.Stored), Effective: JSONValue(k.Effective),
		Default: JSONValue(k.Default), Min: k.Min, Max: k.Max, Unit: k.Row.Unit, Applies: k.Row.Applies, Pending: k.Pending,
		Why: k.Reason, Path: k.Path, Summary: k.Row.Summary, Choices: k.Row.Choices,
	}
	return row
}

// JSONValue returns a value as a JSON number or text, nil for none.
func JSONValue(v registry.Value) any {
	switch {
	case !v.Exists():
		return nil
	case v.Type() == registry.Number:
		return v.Number()
	default:
		return v.String()
	}
}

// Target is the owner of registry keys: a connection, or a card with the keys that its ports share.
type Target struct {
	// One of Connection and Adapter is empty.
	Connection, Adapter string
	Family              description.Family
	link                description.LinkType // of the first port, for a card
}

// Read finds a connection or a card by its name.
func (t *Target) Read(c *exec.Call, name, _ string) (err error) {
	*t, err = FindTarget(c, name)
	return err
}

// FindTarget finds a connection or a card by its name, in any case.
func FindTarget(c *exec.Call, name string) (t Target, err error) {
	view, err := c.View()
	if err != nil {
		return t, err
	}
	card, port, err := exec.FindAdapter(view, name)
	if err != nil {
		return t, err
	}
	a := &view.Adapters[card]
	t.Family, t.link = a.Description.Family, a.Ports[max(port, 0)].Description.Link
	if port < 0 {
		t.Adapter = a.Description.Name
	} else {
		t.Connection = a.Ports[port].Description.Connection
	}
	return t, nil
}

// Find finds a key of a target by its name, and returns its current values.
func Find(c *exec.Call, t Target, name string) (key registry.Key, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		if t.Adapter != "" {
			key, err = h.AdapterKey(t.Adapter, name)
		} else {
			key, err = h.Key(t.Connection, name)
		}
		return err
	})
	var unknown *registry.UnknownKeyError
	if errors.As(err, &unknown) {
		if k, ok := t.keyElsewhere(name); ok {
			return k, nil
		}
	}
	return key, err
}

// ValueText returns a value without its label, or "-" if it does not exist.
func ValueText(v registry.Value) string {
	if !v.Exists() {
		return "-"
	}
	return v.String()
}

// Note returns a note on the state of a key, such as pending, or the place of a setting outside the registry; it is empty
// if there is nothing to note.
func Note(k *registry.Key) string {
	switch {
	case ScopeElsewhere(k.Row) != "":
		return "kept " + ScopeElsewhere(k.Row)
	case k.Pending && k.Reason != "":
		return "pending; " + k.Reason
	case k.Pending:
		return "pending"
	default:
		return k.Reason
	}
}

// Store applies an Operation on a key, and answers with the change and the key's new state.
func Store(c *exec.Call, change driver.Operation, t Target, name string) (exec.Answer, error) {
	entry, err := c.Do(driver.Plan{Title: wording.UpperFirst(change.Describe()), Operations: []driver.Operation{change}})
	if err != nil {
		return exec.Answer{}, err
	}
	k, err := Find(c, t, name)
	if err != nil {
		return exec.Answer{}, err
	}
	shown := entry
	shown.Waits = nil // the text about the key says it
	answer := exec.ChangeAnswer(shown)
	return exec.Answer{
		Result: struct {
			Change exec.EntryRow `json:"change"`
			Key    Row           `json:"key"`
		}{entry, RowOf(k)},
		Text: func(w io.Writer) error {
			if err := answer.Text(w); err != nil {
				return err
			}
			var status string
			if k.Reason != "" {
				status = "  " + exec.Clean(wording.UpperFirst(k.Reason)) + ".\n"
			}
			if k.Pending {
				status += fmt.Sprintf("  It takes effect %s", exec.WhenEffective(k.TakesEffect))
				if k.TakesEffect == registry.AtRestart && t.Connection != "" {
					status += ": adapter restart " + exec.Clean(syntax.Quote(t.Connection))
				}
				status += "\n"
			}
			_, err := io.WriteString(w, status)
			return err
		},
	}, nil
}
