package ui

import (
	"fmt"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// The minimum size of a screen, in cells.
const (
	MinWidth  = 60
	MinHeight = 16
)

// regions are the parts of a frame. They are a function of its size only.
type regions struct{ header, tabs, upperRule, body, lowerRule, status widget.Area }

func layout(all widget.Area) regions {
	var r regions
	r.header, all = all.SplitTop(1)
	r.tabs, all = all.SplitTop(1)
	r.upperRule, all = all.SplitTop(1)
	all, r.status = all.SplitBottom(1)
	r.body, r.lowerRule = all.SplitBottom(1)
	return r
}

// Frame draws the whole screen at a size and returns the canvas, which is valid until the next frame.
func (s *Shell) Frame(width, height int) *widget.Canvas {
	s.width, s.height = width, height
	s.drawFrame(s.canvas)
	return s.canvas
}

// drawFrame draws the whole screen at the size of the terminal.
func (s *Shell) drawFrame(canvas *widget.Canvas) {
	s.dirty = clean
	canvas.Resize(s.width, s.height)
	canvas.SetGlyphs(s.glyphs())
	s.canvas = canvas
	s.hints = s.hints[:0]
	if s.width < MinWidth || s.height < MinHeight {
		drawTooSmall(canvas.All())
		return
	}
	r := layout(canvas.All())
	s.drawHeader(r.header)
	s.drawTabs(r.tabs)
	rule := themes.Style{Role: themes.Border}
	r.upperRule.Horizontal(0, s.glyphs().Horizontal, rule)
	s.barDrawn = s.options.Rule != nil && s.options.Rule(r.lowerRule)
	if !s.barDrawn {
		r.lowerRule.Horizontal(0, s.glyphs().Horizontal, rule)
	}
	if view := s.view(); view != nil {
		view.Draw(r.body)
	}
	s.drawDialogs(canvas.All(), r.body)
	s.drawStatus(r.status)
	s.drawToast(canvas.All())
}

// drawTabs draws the names of the screens with their number keys.
func (s *Shell) drawTabs(area widget.Area) {
	labels, gap := s.tabs(area.Width)
	x := 1
	for i, label := range labels {
		if x+widget.Width(label)+1 > area.Width {
			break
		}
		style, number := themes.Style{}, themes.Style{Role: themes.KeyCap}
		if i == s.active {
			style = themes.Style{Role: themes.Accent, Attr: themes.Bold, Ground: themes.Selected}
			number = style
			area.Sub(x-1, 0, widget.Width(label)+2, 1).Fill(style)
		}
		end := area.Print(x, 0, label, style)
		if i < maxNumbered {
			area.Print(x, 0, label[:1], number)
		}
		area.Zone(x-1, 0, end-x+1+gap/2, 1, zoneTab, i)
		x = end + gap
	}
}

// tabs returns the labels of the screens and the gap between them. In a short line the gap is smaller; if that is not enough,
// only the open screen has a name, and the others have their numbers.
func (s *Shell) tabs(width int) (labels []string, gap int) {
	used := 2 // a blank at each end
	for i, view := range s.views {
		label := view.Title()
		if i < maxNumbered {
			label = numberKey(i) + " " + label
		}
		labels = append(labels, label)
		used += widget.Width(label)
	}
	between := len(labels) - 1
	switch {
	case used+2*between <= width:
		return labels, 2
	case used+between <= width:
		return labels, 1
	}
	for i := range labels[:min(9, len(labels))] {
		if i != s.active {
			labels[i] = labels[i][:1]
		}
	}
	return labels, 2
}

// drawDialogs draws the open dialogs, each centred, the last on top.
func (s *Shell) drawDialogs(all, body widget.Area) {
	for _, dialog := range s.dialogs {
		// The layers below neither react to the mouse nor show the terminal's cursor.
		outside := all
		if waiting(dialog) {
			outside = body // the tabs lead to other screens
		}
		outside.Zone(0, 0, outside.Width, outside.Height, zoneOutside, 0)
		all.HideCursor()
		edgeWidth, edgeHeight := widget.BoxSize(0, 0)
		width, height := dialog.Size(body.Width-edgeWidth, body.Height-edgeHeight)
		width, height = widget.BoxSize(max(width, widget.Width(dialog.Title())+2), max(height, 1))
		width, height = min(width, body.Width), min(height, body.Height)
		box := body.Sub((body.Width-width)/2, (body.Height-height)/2, width, height)
		box.Fill(themes.Style{Ground: themes.Raised})
		inside := widget.Box(box, dialog.Title(), true)
		dialog.Draw(inside)
		raise(box)
	}
}

// raise changes plain backgrounds of a dialog to the background of dialogs.
func raise(area widget.Area) {
	for y := range area.Height {
		for x := range area.Width {
			if area.At(x, y).Style.Ground == themes.Plain {
				area.Ground(x, y, 1, themes.Raised)
			}
		}
	}
}

// drawTooSmall shows the required size.
func drawTooSmall(area widget.Area) {
	text := fmt.Sprintf("A screen needs at least %d x %d cells; this terminal has %d x %d. Make it larger, or q quits.",
		MinWidth, MinHeight, area.Width, area.Height)
	for y, line := range widget.Wrap(text, area.Width) {
		area.Print(0, y, line, themes.Style{})
	}
}
