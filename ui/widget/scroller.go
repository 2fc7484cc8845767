package widget

import "cxdeck/themes"

// Scroller shows a text, wrapped, in an area that may be too small for it.
type Scroller struct {
	// ID is the zone of the text for the mouse wheel; ID+".scroll" is its scroll bar. Empty for none.
	ID string

	text  string
	lines []string
	// What the lines were made for, and whether a scroll bar takes room.
	width, height int
	barred        bool
	list          List
}

// SetText replaces the text and goes to its start; the same text again changes nothing.
func (s *Scroller) SetText(text string) {
	if text == s.text {
		return
	}
	*s = Scroller{ID: s.ID, text: text}
}

// Key takes up, down, k, j, pgup, pgdown, home, end, g and G; it says whether the key was one of them.
func (s *Scroller) Key(name string) bool {
	from, _ := s.list.Visible()
	page := max(s.list.Height()-1, 1)
	switch name {
	case "up", "k":
		s.list.ScrollTo(from - 1)
	case "down", "j":
		s.list.ScrollTo(from + 1)
	case "pgup":
		s.list.ScrollTo(from - page)
	case "pgdown", " ":
		s.list.ScrollTo(from + page)
	case "home", "g":
		s.list.ScrollTo(0)
	case "end", "G":
		s.list.ScrollTo(s.list.Length())
	default:
		return false
	}
	return true
}

// Scroll moves the text by lines.
func (s *Scroller) Scroll(rows int) { s.list.Scroll(rows) }

// ScrollHit scrolls to where the mouse pressed or dragged the scroll bar.
func (s *Scroller) ScrollHit(hit Hit) { scrollHit(&s.list, hit) }

// Draw draws the part of the text that shows.
func (s *Scroller) Draw(area Area, style themes.Style) {
	s.wrap(area.Width, area.Height)
	s.list.SetLength(len(s.lines))
	s.list.SetHeight(area.Height)
	if s.barred {
		drawScrollBar(area.Sub(area.Width-1, 0, 1, area.Height), &s.list, derivedID(s.ID, ".scroll"))
		area = area.Sub(0, 0, area.Width-2, area.Height)
	}
	from, to := s.list.Visible()
	for y, line := range s.lines[from:to] {
		area.Print(0, y, line, style)
	}
	area.Zone(0, 0, area.Width, area.Height, s.ID, 0)
}

// wrap breaks the text for a size of area, once. Text that is too long makes room for a scroll bar and a blank before it.
func (s *Scroller) wrap(width, height int) {
	if s.lines != nil && s.width == width && s.height == height {
		return
	}
	s.width, s.height = width, height
	s.lines = Wrap(s.text, width)
	s.barred = len(s.lines) > height && width > 2
	if s.barred {
		s.lines = Wrap(s.text, width-2)
	}
}
