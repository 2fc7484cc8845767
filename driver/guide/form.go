package guide

import (
	"cmp"
	"fmt"
	"slices"

	"cxdeck/driver/wording"
)

// The kinds of answers that only the fields of forms have.
const (
	// MAC is a MAC address.
	MAC FieldKind = "mac"
	// One is one of what the host offers, and Many is a list of it.
	One  FieldKind = "one"
	Many FieldKind = "many"
	// Rows is a list of rows, whose Columns are fields.
	Rows FieldKind = "rows"
	// Shares are percentages that add up to 100.
	Shares FieldKind = "shares"
	// Facts and Curves ask nothing: the form shows them.
	Facts  FieldKind = "facts"
	Curves FieldKind = "curves"
)

// Page is a page of a form: the fields that name it.
type Page struct {
	// ID is stable: saved drafts name it.
	ID    string `toml:"id" json:"id"`
	Title string `toml:"title" json:"title"`
	Help  string `toml:"help" json:"help"`
	// From are the steps of the manuals' procedures that it stands for: "sriov-firmware-mlxconfig/4".
	From []string `toml:"from" json:"from,omitempty"`
	// Follows are fields of the procedures that it does not ask, because they follow from other answers.
	Follows []string `toml:"follows" json:"follows,omitempty"`
}

// FormPart is the part of a field that only a form uses.
type FormPart struct {
	// Page is the ID of its page; empty for a field of a guide without a form.
	Page string `toml:"page" json:"page,omitempty"`
	// Key is its ID in the form and in saved drafts where it differs from its name.
	Key  string `toml:"key" json:"key,omitempty"`
	Hint string `toml:"hint" json:"hint,omitempty"`
	// Limit is the maximum length of a text, or the maximum number of rows.
	Limit int `toml:"limit" json:"limit,omitempty"`
	// Columns are the names of the fields of a row; Item names a row.
	Columns []string `toml:"columns" json:"columns,omitempty"`
	Item    string   `toml:"item" json:"item,omitempty"`
	// Options are choices with labels.
	Options []Option `toml:"options" json:"options,omitempty"`
	// InProcedure is its name in the procedures.
	InProcedure string `toml:"in_procedure" json:"in_procedure,omitempty"`
}

// Option is a choice with a label.
type Option struct {
	ID    string `toml:"id" json:"id"`
	Label string `toml:"label" json:"label"`
	Text  string `toml:"text" json:"text,omitempty"`
}

// ID returns the ID of a field in its form.
func (f *Field) ID() string { return cmp.Or(f.Key, f.Name) }

// Asks reports whether a field is a question.
func (f *Field) Asks() bool { return f.Kind != Facts && f.Kind != Curves }

// ChoiceIDs returns the possible answers of a choice.
func (f *Field) ChoiceIDs() []string {
	list := slices.Clone(f.Choices)
	for i := range f.Options {
		list = append(list, f.Options[i].ID)
	}
	return list
}

// Form returns the name of the form of a guide, empty for a guide of lines.
func (g *Guide) Form() string {
	for i := range g.Steps {
		if g.Steps[i].Form != "" {
			return g.Steps[i].Form
		}
	}
	return ""
}

// FieldOfForm returns the field with an ID in the form.
func (g *Guide) FieldOfForm(id string) (*Field, bool) {
	for i := range g.Fields {
		if g.Fields[i].ID() == id {
			return &g.Fields[i], true
		}
	}
	return nil, false
}

// WithForm returns the guide with a form.
func WithForm(form string) (*Guide, bool) {
	at := slices.IndexFunc(all(), func(g *Guide) bool { return g.Form() == form })
	if at < 0 {
		return nil, false
	}
	return all()[at], true
}

// FormOf returns the guide whose form leads through the procedure that a guide carries out by lines; false for none.
func FormOf(name string) (*Guide, bool) {
	at := slices.IndexFunc(all(), func(g *Guide) bool { return g.Name != name && g.Form() != "" && slices.Contains(g.Procedures, name) })
	if at < 0 {
		return nil, false
	}
	return all()[at], true
}

// formProblem returns what is wrong with the part of a field that a form uses; empty for nothing.
func (g *Guide) formProblem(f *Field) string {
	onPage := slices.ContainsFunc(g.Pages, func(p Page) bool { return p.ID == f.Page })
	switch {
	case onPage != (len(g.Pages) > 0):
		return fmt.Sprintf("there is no page %q", wording.Shorten(f.Page, maxName))
	case !onPage && slices.Contains([]FieldKind{MAC, One, Many, Rows, Shares, Facts, Curves}, f.Kind):
		return fmt.Sprintf("the kind %q belongs to a form", f.Kind)
	case (f.Kind == Rows) != (len(f.Columns) > 0):
		return fmt.Sprintf("columns belong to the kind %q", Rows)
	}
	for _, column := range f.Columns {
		if !slices.ContainsFunc(g.Fields, func(other Field) bool { return other.Name == column && other.Page == f.Page && other.Kind != Rows }) {
			return fmt.Sprintf("there is no column %q on its page", wording.Shorten(column, maxName))
		}
	}
	return ""
}
