package ui

import (
	"fmt"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// longestJournal is how many lines of the action log are kept in memory.
const longestJournal = 1000

// record adds a line to the action log.
func (s *Shell) record(entry LogEntry) {
	if entry.At.IsZero() {
		entry.At = s.options.Now()
	}
	s.trail.add(entry.At, entry.What)
	if len(s.journal) == longestJournal {
		s.journal = append(s.journal[:0], s.journal[1:]...)
	}
	s.journal = append(s.journal, entry)
	if s.options.Log != nil {
		s.options.Log(entry)
	}
}

func (s *Shell) openLog() Cmd {
	var lines []textLine
	for i := len(s.journal) - 1; i >= 0; i-- {
		entry := s.journal[i]
		lines = append(lines, textLine{lead: entry.At.Format("15:04:05"), text: entry.What})
		for _, command := range entry.Commands {
			lines = append(lines, textLine{lead: "", text: command, role: themes.Accent})
		}
	}
	if len(lines) == 0 {
		lines = []textLine{{text: "Nothing has been done yet. What cxdeck does to the host or to its files is listed here, " +
			"with the commands that do the same."}}
	}
	return OpenDialog(&scroller{title: fmt.Sprintf("Action log: %d", len(s.journal)), leadWidth: 9, lines: lines})
}

// textLine is a paragraph of a scroller: something short at the left, and text that is wrapped beside it.
type textLine struct {
	lead, text string
	role       themes.Role
	heading    bool
}

// scroller is a dialog that shows text and scrolls.
type scroller struct {
	title     string
	leadWidth int
	lines     []textLine
	offset    int
	rows      int // rows of the text when it was last drawn
	height    int
}

func (d *scroller) Title() string { return d.title }

func (d *scroller) Size(width, height int) (int, int) {
	width = min(width, 96)
	return width, min(height, len(d.wrapped(width)))
}

// wrapped breaks the paragraphs into rows of a width.
func (d *scroller) wrapped(width int) []textLine {
	var rows []textLine
	for _, line := range d.lines {
		indent := d.leadWidth
		if line.heading || line.lead == "" && line.role == themes.Text {
			indent = 0
		}
		parts := widget.Wrap(line.text, width-1-indent)
		for i, part := range parts {
			row := line
			row.text = part
			if i > 0 {
				row.lead = ""
			}
			if indent == 0 {
				row.heading, row.lead, row.text = line.heading, part, ""
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func (d *scroller) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "up", "k":
			d.scroll(-1)
		case "down", "j":
			d.scroll(1)
		case "pgup", "b":
			d.scroll(-d.height)
		case "pgdown", " ":
			d.scroll(d.height)
		case "home", "g":
			d.offset = 0
		case "end", "G":
			d.scroll(d.rows)
		case "enter", "q", "?":
			return true, nil
		}
	case HitMsg:
		switch msg.Button {
		case WheelUp:
			d.scroll(-3)
		case WheelDown:
			d.scroll(3)
		}
	}
	return false, nil
}

func (d *scroller) scroll(rows int) {
	d.offset = max(0, min(d.offset+rows, d.rows-d.height))
}

func (d *scroller) Draw(area widget.Area) {
	rows := d.wrapped(area.Width)
	d.rows, d.height = len(rows), area.Height
	d.scroll(0)
	area.Zone(0, 0, area.Width, area.Height, "scroller", 0)
	for y := range min(area.Height, len(rows)-d.offset) {
		row := rows[d.offset+y]
		switch {
		case row.heading:
			area.PrintCut(0, y, area.Width, row.lead, themes.Style{Role: themes.Title, Attr: themes.Bold})
		case row.text == "":
			area.PrintCut(0, y, area.Width, row.lead, themes.Style{Role: row.role})
		default:
			area.PrintCut(0, y, d.leadWidth, row.lead, themes.Style{Role: themes.KeyCap})
			area.PrintCut(d.leadWidth, y, area.Width-d.leadWidth-1, row.text, themes.Style{Role: row.role})
		}
	}
	if d.rows > d.height && d.height > 0 {
		thumb := d.offset * (d.height - 1) / max(1, d.rows-d.height)
		area.Set(area.Width-1, thumb, area.Glyphs().ScrollThumb, themes.Style{Role: themes.Muted})
	}
}

func (d *scroller) Hints() []Hint {
	return []Hint{{"up", "up"}, {"down", "down"}, {"pgdown", "a page"}, {"esc", "close"}}
}
