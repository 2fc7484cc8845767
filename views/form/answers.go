package form

import (
	"fmt"
	"strings"

	"cxdeck/driver/guide"
	"cxdeck/ui/widget/wizard"
)

// Lists are written with a comma between their items, and the columns of a row with a slash: "10/v10/3,20/v20/0". A backslash before
// one of these characters makes it a part of the text.
const (
	betweenItems   = ','
	betweenColumns = '/'
	escape         = '\\'
)

// List returns a list as the text of an answer.
func List(items []string) string { return join(items, betweenItems) }

// Answers returns the answers to the fields of a guide as text.
func Answers(g *guide.Guide, values wizard.Values) guide.Answers {
	answers := guide.Answers{}
	for i := range g.Fields {
		f := &g.Fields[i]
		if v, asked := values[f.ID()]; asked && f.Asks() {
			answers[f.Name] = text(g, f, v)
		}
	}
	return answers
}

// Items returns the items of a list, each with its columns.
func Items(list string) (items []string, columns [][]string) {
	items = split(list, betweenItems)
	for _, item := range items {
		columns = append(columns, split(item, betweenColumns))
	}
	return items, columns
}

// text returns a value as text.
func text(g *guide.Guide, f *guide.Field, v wizard.Value) string {
	switch kinds[f.Kind] {
	case wizard.Toggle:
		return map[bool]string{true: "yes", false: "no"}[v.On]
	case wizard.ManyOf:
		return join(v.IDs, betweenItems)
	case wizard.Rows:
		rows := make([]string, len(v.Rows))
		for i, row := range v.Rows {
			var cells []string
			for _, name := range f.Columns {
				if column, found := g.Field(name); found {
					cells = append(cells, text(g, column, row[column.ID()]))
				}
			}
			rows[i] = join(cells, betweenColumns)
		}
		return join(rows, betweenItems)
	default:
		return strings.TrimSpace(v.Text)
	}
}

// Values returns answers as the values of the fields of a guide.
func Values(g *guide.Guide, answers guide.Answers) (wizard.Values, error) {
	values := wizard.Values{}
	for i := range g.Fields {
		f := &g.Fields[i]
		answer, given := answers[f.Name]
		if !given || !f.Asks() {
			continue
		}
		v, err := value(f, g, answer)
		if err != nil {
			return nil, err
		}
		values[f.ID()] = v
	}
	return values, nil
}

// value returns an answer as the value of a field; g has the columns of rows.
func value(f *guide.Field, g *guide.Guide, answer string) (v wizard.Value, err error) {
	switch kinds[f.Kind] {
	case wizard.Toggle:
		v.On = answer == "yes"
	case wizard.ManyOf:
		v.IDs = split(answer, betweenItems)
	case wizard.Rows:
		for _, text := range split(answer, betweenItems) {
			cells := split(text, betweenColumns)
			if len(cells) > len(f.Columns) {
				return v, fmt.Errorf("%s: a row has at most %d parts (%s), not %q", f.Label, len(f.Columns), strings.Join(f.Columns, string(betweenColumns)), text)
			}
			row := wizard.Values{}
			for i, cell := range cells {
				column, found := g.Field(f.Columns[i])
				if !found {
					continue
				}
				if row[column.ID()], err = value(column, g, cell); err != nil {
					return v, err
				}
			}
			v.Rows = append(v.Rows, row)
		}
	default:
		v.Text = answer
	}
	return v, nil
}

// join writes a list with a separator.
func join(list []string, separator rune) string {
	escaped := make([]string, len(list))
	quote := strings.NewReplacer(string(escape), string(escape)+string(escape), string(separator), string(escape)+string(separator))
	for i, item := range list {
		escaped[i] = quote.Replace(item)
	}
	return strings.Join(escaped, string(separator))
}

// split reads a list with a separator; blanks at the ends of its items don't count, and an empty text is an empty list.
func split(text string, separator rune) (list []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var item strings.Builder
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			if r != separator && r != escape {
				item.WriteRune(escape)
			}
			item.WriteRune(r)
			escaped = false
		case r == escape:
			escaped = true
		case r == separator:
			list = append(list, strings.TrimSpace(item.String()))
			item.Reset()
		default:
			item.WriteRune(r)
		}
	}
	if escaped {
		item.WriteRune(escape)
	}
	return append(list, strings.TrimSpace(item.String()))
}
