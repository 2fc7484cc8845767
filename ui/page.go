package ui

import (
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// page is a dialog that shows lines as they are, and scrolls both ways.
type page struct {
	title string
	lines []string
	width int // of the widest line, in cells
	left  int // cells that are scrolled off
	list  widget.List
}

// sideways is how far a key scrolls to the side, in cells.
const sideways = 8

// ShowText opens a dialog with a text whose lines are not wrapped, such as a table.
func ShowText(title, text string) Cmd {
	p := &page{title: title, lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	for _, line := range p.lines {
		p.width = max(p.width, widget.Width(line))
	}
	p.list.SetLength(len(p.lines))
	return OpenDialog(p)
}

func (p *page) Title() string { return p.title }

// Size leaves two columns for the scroll bar.
func (p *page) Size(width, height int) (int, int) {
	return min(width, p.width+2), min(height, len(p.lines))
}

func (p *page) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		screen := max(1, p.list.Height()-1)
		switch msg.Name {
		case "up", "k":
			p.list.Scroll(-1)
		case "down", "j":
			p.list.Scroll(1)
		case "pgup":
			p.list.Scroll(-screen)
		case "pgdown", " ":
			p.list.Scroll(screen)
		case "home", "g":
			p.list.ScrollTo(0)
		case "end", "G":
			p.list.ScrollTo(len(p.lines))
		case "left", "h":
			p.left = max(0, p.left-sideways)
		case "right", "l":
			p.left = min(p.left+sideways, max(0, p.width-sideways))
		case "enter", "q":
			return true, nil
		}
	case HitMsg:
		p.list.Scroll(msg.Button.Wheel())
	}
	return false, nil
}

func (p *page) Draw(area widget.Area) {
	p.list.SetHeight(area.Height)
	area.Zone(0, 0, area.Width, area.Height, "page", 0)
	from, to := p.list.Visible()
	for y, line := range p.lines[from:to] {
		area.PrintCut(0, y, area.Width-1, after(line, p.left), themes.Style{})
	}
	if hidden := len(p.lines) - area.Height; hidden > 0 && area.Height > 0 {
		area.Set(area.Width-1, from*(area.Height-1)/hidden, area.Glyphs().ScrollThumb, themes.Style{Role: themes.Muted})
	}
}

// after is what is left of a line behind its first cells.
func after(line string, cells int) string {
	for i, r := range line {
		if cells <= 0 {
			return line[i:]
		}
		cells -= widget.RuneWidth(r)
	}
	return ""
}

func (p *page) Hints() []Hint {
	hints := []Hint{{"esc", "close"}, {"up", "up"}, {"down", "down"}, {"pgdown", "a page down"}, {"pgup", "a page up"}}
	return append(hints, Hint{"left", "left"}, Hint{"right", "right"})
}
