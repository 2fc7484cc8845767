package exec

import (
	"io"
	"slices"
	"strings"

	"cxdeck/views/exec/shell"
)

// rowWriter collects the rows that a cmdlet prints, for a pipe. Other text is what the cmdlet says to a reader.
type rowWriter struct {
	noun    string
	objects []shell.Value
}

// Write drops a text that is no row.
func (*rowWriter) Write(text []byte) (int, error) { return len(text), nil }

// PutRow passes an object to a pipe; ok is false if w is printed.
func PutRow(w io.Writer, properties [][2]string) (ok bool) {
	rows, ok := w.(*rowWriter)
	if ok {
		rows.put(&shell.Layout{List: true}, properties)
	}
	return ok
}

func (w *rowWriter) put(layout *shell.Layout, properties [][2]string) {
	if n := len(w.objects); n > 0 && layout.List {
		layout = w.objects[n-1].(*shell.Object).Layout
	}
	o := &shell.Object{Noun: w.noun, Layout: layout}
	for _, property := range properties {
		o.Properties = append(o.Properties, shell.Property{Name: property[0], Value: shell.CellValue(property[1])})
	}
	w.objects = append(w.objects, o)
}

// rowTable is a table whose rows go to a pipe.
type rowTable struct {
	rows    *rowWriter
	layout  *shell.Layout
	heading []string
}

func (t *rowTable) row(cells []string) {
	if t.heading == nil {
		t.heading = slices.Clone(cells)
		for i := range t.heading {
			t.heading[i] = strings.TrimSpace(t.heading[i])
		}
		return
	}
	if strings.Trim(strings.Join(cells, ""), "- ") == "" && len(cells) > 0 {
		t.layout.Dashes = true
		return
	}
	properties := make([][2]string, len(t.heading))
	for i, name := range t.heading {
		if properties[i][0] = name; i < len(cells) {
			properties[i][1] = strings.TrimSpace(cells[i])
		}
	}
	t.rows.put(t.layout, properties)
}
