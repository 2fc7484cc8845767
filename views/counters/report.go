package counters

import (
	"slices"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// reportLine is one line of the report.
type reportLine struct {
	label string
	style themes.Style
	cells []reportCell
}

// reportCell is one value, or the title of a column; curve is -1 for a title.
type reportCell struct {
	text  string
	curve int
}

// The columns of the report, in cells.
const (
	reportLabel = 30
	minReport   = 15
	maxReport   = 24
)

// reportColumns returns the widths of the labels and of a column of values, which has room for the instances' names.
func (s *Screen) reportColumns(width int) (label, column int) {
	column = minReport
	for i := range s.curves {
		column = max(column, min(widget.Width(s.curves[i].instance)+2, maxReport))
	}
	return min(reportLabel, max(width/3, 12)), column
}

// makeReport arranges the values like Performance Monitor's report: a block for each set, counters as rows, instances as
// columns.
func (s *Screen) makeReport(lines []reportLine, width int) []reportLine {
	label, column := s.reportColumns(width)
	columns := max(1, (width-label-2)/column)
	var sets []string
	for i := range s.curves {
		if !slices.Contains(sets, s.curves[i].set) {
			sets = append(sets, s.curves[i].set)
		}
	}
	for _, set := range sets {
		var instances, counters []string
		for i := range s.curves {
			c := &s.curves[i]
			if c.set != set {
				continue
			}
			if !slices.Contains(instances, c.instance) {
				instances = append(instances, c.instance)
			}
			if !slices.Contains(counters, c.title()) {
				counters = append(counters, c.title())
			}
		}
		for some := range slices.Chunk(instances, columns) {
			if len(lines) > 0 {
				lines = append(lines, reportLine{})
			}
			head := reportLine{label: set, style: heading}
			if widget.Width(set) > label { // a long name has a line of its own
				lines = append(lines, head)
				head.label = ""
			}
			for _, instance := range some {
				head.cells = append(head.cells, reportCell{instance, -1})
			}
			lines = append(lines, head)
			for _, counter := range counters {
				lines = append(lines, s.reportRow(set, counter, some))
			}
		}
	}
	return lines
}

// reportRow returns the line of one counter, with its values at the cursor if there is one.
func (s *Screen) reportRow(set, counter string, instances []string) reportLine {
	line := reportLine{label: "  " + counter, style: plain}
	for _, instance := range instances {
		cell := reportCell{"", -1}
		for i := range s.curves {
			if c := &s.curves[i]; c.set == set && c.title() == counter && c.instance == instance {
				cell = reportCell{s.picture.rows[i].cells[columnLast], i}
				if !s.time.Cursor.IsZero() {
					cell.text = s.picture.rows[i].cells[columnCursor]
				}
			}
		}
		line.cells = append(line.cells, cell)
	}
	return line
}

// drawReport draws the lines, scrolled to the selected value.
func (s *Screen) drawReport(area widget.Area) {
	lines := s.picture.report
	label, column := s.reportColumns(area.Width)
	s.reportTop.SetLength(len(lines))
	s.reportTop.SetHeight(area.Height)
	s.reportTop.Select(s.reportLineOf(s.selected()))
	from, to := s.reportTop.Visible()
	for n := from; n < to; n++ {
		line, y := lines[n], n-from
		room := label
		if len(line.cells) == 0 {
			room = area.Width - 2
		}
		area.PrintCut(1, y, room, line.label, line.style)
		for k, cell := range line.cells {
			left, right := 1+label+k*column, 1+label+(k+1)*column
			style := plain
			if cell.curve < 0 {
				style = muted
			} else {
				style = s.reportStyle(cell, style)
				area.Zone(left, y, column, 1, zoneReport, cell.curve)
			}
			field := area.Sub(left+1, y, right-left-1, 1)
			text := widget.CutName(cell.text, field.Width, s.ellipsis)
			field.PrintRight(field.Width, 0, text, style)
			if cell.curve >= 0 && cell.curve == s.selected() {
				field.Ground(0, 0, field.Width, themes.Selected)
			}
		}
	}
}

// reportStyle colours a value by its state.
func (s *Screen) reportStyle(cell reportCell, style themes.Style) themes.Style {
	if cell.text == "0" || cell.text == "-" {
		return muted
	}
	if a := s.picture.rows[cell.curve].alarm; a != quiet {
		style.Role = a.role()
		style.Attr |= themes.Bold
	}
	return style
}

// reportLineOf returns the line with a curve, 0 for none.
func (s *Screen) reportLineOf(curve int) int {
	for n, line := range s.picture.report {
		for _, cell := range line.cells {
			if cell.curve == curve && curve >= 0 {
				return n
			}
		}
	}
	return 0
}
