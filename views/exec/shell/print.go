package shell

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Part is a part of printed values: texts, or objects of one layout.
type Part struct {
	// Texts are lines; nil if the part has objects.
	Texts []string
	// List reports that each object has a line for each property; else the rows are a table below the heading.
	List, Dashes bool
	Heading      []string
	Rows         [][]string
}

// Parts splits values into the parts in which they are printed.
func Parts(list []Value) (parts []Part) {
	var previous *Layout
	for _, v := range list {
		o, ok := v.(*Object)
		if !ok {
			previous = nil
			lines := strings.Split(Text(v), "\n")
			if t, isTable := v.(*Table); isTable {
				lines = nil
				for i, key := range t.keys {
					lines = append(lines, key+" = "+Text(t.values[i]))
				}
			}
			if n := len(parts) - 1; n >= 0 && parts[n].Heading == nil {
				parts[n].Texts = append(parts[n].Texts, lines...)
			} else {
				parts = append(parts, Part{Texts: lines})
			}
			continue
		}
		layout := o.Layout
		if layout == nil {
			layout = &Layout{List: len(o.Properties) > 4, Dashes: true}
		}
		var heading, row []string
		for i := range o.Properties {
			name := o.Properties[i].Name
			if layout.Names == nil || slices.Contains(layout.Names, name) {
				heading, row = append(heading, name), append(row, Text(o.Properties[i].Value))
			}
		}
		n := len(parts) - 1
		if n < 0 || previous != layout || !slices.Equal(parts[n].Heading, heading) {
			parts = append(parts, Part{List: layout.List, Dashes: layout.Dashes, Heading: heading})
			n++
		}
		parts[n].Rows = append(parts[n].Rows, row)
		previous = layout
	}
	return parts
}

// Lines returns the part as text.
func (p *Part) Lines() (lines []string) {
	switch {
	case p.Heading == nil:
		return p.Texts
	case p.List:
		width := 0
		for _, name := range p.Heading {
			width = max(width, utf8.RuneCountInString(name))
		}
		for i, row := range p.Rows {
			if i > 0 {
				lines = append(lines, "")
			}
			for n, name := range p.Heading {
				lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s : %s", width, name, row[n]), " "))
			}
		}
		return lines
	}
	rows := append([][]string{p.Heading}, p.Rows...)
	widths := make([]int, len(p.Heading))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], cell)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
