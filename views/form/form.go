// Package form makes plans from the answers of guides. A guide with a plan step names a form and has its pages and fields as data; the
// form completes them with what the host offers, checks the answers and makes the plan. Screens show the pages, commands take the answers
// as text: both get their plan here.
package form

import (
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/ui/widget/wizard"
)

// Completer adds the host's data to a field of a guide: choices, the initial value, why it can't be changed. It returns
// false to hide the field.
type Completer func(f *wizard.Field, values wizard.Values) bool

// Form holds the functions of a form for a host. All but Plan or Make may be nil.
type Form struct {
	Field Completer
	// Skip returns why a page is skipped, empty if it is not.
	Skip func(page string, values wizard.Values) string
	// Check returns errors and warnings about the answers.
	Check func(values wizard.Values) []wizard.Message
	// Plan makes the plan from the answers.
	Plan func(values wizard.Values) driver.Plan
	// Make makes the plan on a copy of the host in place of Plan, outside the terminal loop. Its error is why there can be no plan.
	Make func(values wizard.Values) func(h *driver.Host) (AnnotatedPlan, error)
}

// AnnotatedPlan is a plan with notes on it, sentences without their ends.
type AnnotatedPlan struct {
	Plan  driver.Plan
	Notes []string
}

// Makers return the form of a host, by the name of the form.
type Makers map[string]func(h *driver.Host) (Form, error)

// ReviewPage is the ID of the page that every form ends with.
const ReviewPage = "review"

var kinds = map[guide.FieldKind]wizard.Kind{
	guide.Text: wizard.Text, guide.File: wizard.Text, guide.Number: wizard.Number, guide.MAC: wizard.MAC, guide.YesNo: wizard.Toggle,
	guide.Choice: wizard.OneOf, guide.One: wizard.OneOf, guide.Connection: wizard.OneOf, guide.Team: wizard.OneOf, guide.Machine: wizard.OneOf,
	guide.Many: wizard.ManyOf, guide.Rows: wizard.Rows, guide.Facts: wizard.Facts, guide.Shares: wizard.Shares, guide.Curves: wizard.Curves,
}

// Fields returns the visible fields of a page, completed by a form.
func Fields(g *guide.Guide, page string, complete Completer, values wizard.Values) (list []wizard.Field) {
	columns := map[string]bool{}
	for i := range g.Fields {
		for _, name := range g.Fields[i].Columns {
			columns[name] = true
		}
	}
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Page == page && !columns[f.Name] {
			list = appendField(list, g, f, complete, values)
		}
	}
	return list
}

// appendField appends a field, unless it is hidden.
func appendField(list []wizard.Field, g *guide.Guide, f *guide.Field, complete Completer, values wizard.Values) []wizard.Field {
	field := Field(f)
	for _, name := range f.Columns {
		if column, found := g.Field(name); found {
			field.Columns = appendField(field.Columns, g, column, complete, values)
		}
	}
	if complete != nil && !complete(&field, values) {
		return list
	}
	return append(list, field)
}

// Field returns a field of a guide as the field of a form, with its default answer.
func Field(f *guide.Field) wizard.Field {
	field := wizard.Field{
		ID: f.ID(), Kind: kinds[f.Kind], Label: f.Label, Hint: f.Hint, Required: !f.Optional && f.Asks(), Low: f.Low, High: f.High,
		Limit: f.Limit, Item: f.Item,
	}
	if field.Kind == wizard.Toggle {
		field.Required = false
	}
	field.Initial, _ = value(f, nil, f.Default) // Parse has checked the default
	for _, choice := range f.Choices {
		field.Choices = append(field.Choices, wizard.Choice{ID: choice, Label: choice})
	}
	for i := range f.Options {
		o := &f.Options[i]
		field.Choices = append(field.Choices, wizard.Choice{ID: o.ID, Label: o.Label, Text: o.Text})
	}
	return field
}

// Filled is a form with answers: the answers that were given, and the initial values of the other fields.
type Filled struct {
	guide *guide.Guide
	form  Form
	// Values are the answers to all fields that apply.
	Values wizard.Values
	// Problem is what is wrong with them, a sentence without its end; nil for nothing.
	Problem error
}

// Fill fills in the form of a guide with answers, which may leave fields out.
func Fill(g *guide.Guide, f Form, answers guide.Answers) (*Filled, error) {
	given, err := Values(g, answers)
	if err != nil {
		return nil, err
	}
	steps := func(values wizard.Values) (list []wizard.Step) {
		for i := range g.Pages {
			page := &g.Pages[i]
			step := wizard.Step{ID: page.ID, Title: page.Title, Fields: Fields(g, page.ID, f.Field, values)}
			if f.Skip != nil {
				step.Skip = f.Skip(page.ID, values)
			}
			list = append(list, step)
		}
		return list
	}
	w := wizard.New(steps, f.Check, wizard.Draft{Values: given})
	filled := &Filled{guide: g, form: f, Values: w.Values()}
	for _, m := range w.Messages() {
		if m.Severity != wizard.Error {
			continue
		}
		text := strings.TrimSuffix(m.Text, ".")
		if field, found := g.FieldOfForm(m.Field); found && !strings.HasPrefix(strings.ToLower(text), strings.ToLower(field.Label)) {
			text = fmt.Sprintf("%s: %s", field.Label, lowerFirst(text))
		}
		filled.Problem = errors.New(text)
		break
	}
	for id := range given { // an answer to a field that does not apply would be lost without a word
		if _, asked := filled.Values[id]; !asked && filled.Problem == nil {
			if field, found := g.FieldOfForm(id); found && !isColumn(g, field.Name) {
				filled.Problem = fmt.Errorf("%s is not asked with these answers", field.Label)
			}
		}
	}
	return filled, nil
}

// Answers returns all answers as text.
func (f *Filled) Answers() guide.Answers { return Answers(f.guide, f.Values) }

// Plan makes the plan on a copy of the host.
func (f *Filled) Plan(h *driver.Host) (AnnotatedPlan, error) {
	switch {
	case f.Problem != nil:
		return AnnotatedPlan{}, f.Problem
	case f.form.Make != nil:
		return f.form.Make(f.Values)(h)
	}
	return AnnotatedPlan{Plan: f.form.Plan(f.Values)}, nil
}

// lowerFirst returns a text with a small first letter, for the middle of a sentence; abbreviations stay.
func lowerFirst(text string) string {
	if len(text) > 1 && strings.ToUpper(text[1:2]) != text[1:2] {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}

func isColumn(g *guide.Guide, name string) bool {
	for i := range g.Fields {
		for _, column := range g.Fields[i].Columns {
			if column == name {
				return true
			}
		}
	}
	return false
}
