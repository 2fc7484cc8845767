package widget

import "cxdeck/themes"

// Box draws a frame with a title around the area and returns its inside, with one blank column at each side. Only Box and
// BoxSize know the width of a border. An area too small for a frame has no inside.
func Box(area Area, title string, focused bool) Area {
	if area.Width < 2 || area.Height < 2 {
		return area.Sub(0, 0, 0, 0)
	}
	g := area.Glyphs()
	line := themes.Style{Role: themes.Border}
	heading := themes.Style{Role: themes.Title}
	if focused {
		line.Role = themes.Accent
		heading = themes.Style{Role: themes.Accent, Attr: themes.Bold}
	}
	right, bottom := area.Width-1, area.Height-1
	area.Horizontal(0, g.Horizontal, line)
	area.Horizontal(bottom, g.Horizontal, line)
	area.Vertical(0, g.Vertical, line)
	area.Vertical(right, g.Vertical, line)
	area.Set(0, 0, g.TopLeft, line)
	area.Set(right, 0, g.TopRight, line)
	area.Set(0, bottom, g.BottomLeft, line)
	area.Set(right, bottom, g.BottomRight, line)
	if room := area.Width - 4; title != "" && room > 0 {
		area.Set(1, 0, ' ', heading)
		end := area.PrintCut(2, 0, room, title, heading)
		area.Set(end, 0, ' ', heading)
	}
	return area.Sub(2, 1, area.Width-4, area.Height-2)
}

// BoxSize returns the size of a box whose inside is the given size.
func BoxSize(width, height int) (int, int) { return width + 4, height + 2 }
