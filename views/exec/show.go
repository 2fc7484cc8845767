package exec

import (
	"io"
	"strconv"
	"strings"

	"cxdeck/views/exec/shell"
)

// Show prints the values of a statement.
func (h *scriptHost) Show(values []shell.Value) error {
	objects := []any{}
	for _, v := range values {
		objects = append(objects, jsonValue(v))
	}
	notes := h.notes
	h.notes = nil
	return h.runner.print(PowerShell, Done, &Answer{
		Result: struct {
			Objects []any `json:"objects"`
		}{objects},
		Text:  func(w io.Writer) error { return writeValues(w, values) },
		notes: notes,
	})
}

// jsonValue returns a value for a JSON document. A property that is a plain number is a number.
func jsonValue(v shell.Value) any {
	switch v := v.(type) {
	case shell.Cell:
		if n, err := strconv.ParseInt(string(v), 10, 53); err == nil && strconv.FormatInt(n, 10) == string(v) {
			return n
		}
		return string(v)
	case []shell.Value:
		list := []any{}
		for _, element := range v {
			if _, nested := element.([]shell.Value); nested {
				element = shell.Text(element)
			}
			list = append(list, jsonValue(element))
		}
		return list
	case *shell.Table:
		return shell.Text(v)
	case *shell.Object:
		properties := map[string]any{}
		for i := range v.Properties {
			properties[v.Properties[i].Name] = jsonValue(v.Properties[i].Value)
		}
		return properties
	}
	return v
}

// writeValues prints values as PowerShell does.
func writeValues(w io.Writer, values []shell.Value) error {
	for i, part := range shell.Parts(values) {
		if i > 0 && part.Heading != nil {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if part.Heading == nil || part.List {
			for _, line := range part.Lines() {
				if _, err := io.WriteString(w, cutMiddle(Clean(line), maxCell)+"\n"); err != nil {
					return err
				}
			}
			continue
		}
		t := NewTextTable(w, append([]string{}, part.Heading...)...)
		if part.Dashes {
			dashes := make([]string, len(part.Heading))
			for n, name := range part.Heading {
				dashes[n] = strings.Repeat("-", len([]rune(name)))
			}
			t.Row(dashes...)
		}
		for _, row := range part.Rows {
			t.Row(append([]string{}, row...)...)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
