package browse

import (
	"strings"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Sheets shows the tables of a source without a lab: settings and states of this machine.
type Sheets struct {
	Page
	inventory *perf.Inventory
	shown     bool
}

// Shown reports whether the last draw showed tables; then the keys of lists move Scroll.
func (s *Sheets) Shown() bool { return s.shown }

// Draw draws the sheets of a topic. It returns false when the source has none; m is nil before the source is ready.
func (s *Sheets) Draw(area widget.Area, m *monitor.Monitor, topic string) bool {
	s.shown = false
	if m == nil {
		return false
	}
	inventory := m.Inventory()
	sheets := inventory.SheetsOf(topic)
	if len(sheets) == 0 {
		return false
	}
	s.shown = true
	s.Stale = s.Stale || inventory != s.inventory
	s.inventory = inventory
	return s.Show(area, func() {
		for i, sheet := range sheets {
			if i > 0 {
				s.Blank()
			}
			s.write(&sheet)
		}
	})
}

// write writes a sheet: as a table where it is wide enough, or else each row as fields.
func (s *Sheets) write(sheet *perf.Sheet) {
	s.Text(sheet.Title, themes.Style{Role: themes.Title, Attr: themes.Bold})
	const gap = 2
	widths := make([]int, len(sheet.Columns))
	total := 0
	for c, column := range sheet.Columns {
		widths[c] = widget.Width(column)
		for _, row := range sheet.Rows {
			if c < len(row) {
				widths[c] = max(widths[c], widget.Width(row[c]))
			}
		}
		total += widths[c] + gap
	}
	if total-gap > s.Width {
		for i, row := range sheet.Rows {
			if i > 0 && len(row) > 1 {
				s.Blank()
			}
			for c, value := range row {
				if c < len(sheet.Columns) {
					s.Field(sheet.Columns[c], value)
				}
			}
		}
		return
	}
	line := func(cells []string, style themes.Style) {
		var b strings.Builder
		for c, cell := range cells[:min(len(cells), len(widths))] {
			b.WriteString(widget.Pad(cell, widths[c]+gap))
		}
		s.Line(strings.TrimRight(b.String(), " "), style)
	}
	line(sheet.Columns, themes.Style{Role: themes.Muted})
	for _, row := range sheet.Rows {
		line(row, themes.Style{})
	}
}
