package counters

import (
	"time"

	"cxdeck/ui"
)

// key ignores keys: every key of the screen has an action.
func (s *Screen) key(ui.KeyMsg) ui.Cmd { return nil }

func (s *Screen) hit(hit ui.HitMsg) ui.Cmd {
	s.changes++
	switch hit.ID {
	case zoneChart, zoneSmall:
		return s.hitChart(hit)
	case zoneLegend, zoneBars, zoneReport:
		return s.hitRow(hit)
	case zoneLegend + ".scroll":
		s.legend.ScrollHit(hit.Hit)
	case zoneSmall + ".title":
		if groups := s.groups(); hit.Button == ui.Press && hit.Index < len(groups) {
			s.legend.List.Select(groups[hit.Index].rows[0])
		}
	case zoneMarks:
		if hit.Button == ui.Press {
			s.goToMark(-1)
		}
	}
	return nil
}

// hitChart moves the cursor to a press; dragging marks a range, the wheel zooms.
func (s *Screen) hitChart(hit ui.HitMsg) ui.Cmd {
	switch hit.Button {
	case ui.Press:
		if !s.picture.empty {
			s.moveCursorTo(s.picture.chart.TimeAt(hit.X, hit.Width))
			s.pressed = s.time.Cursor
		}
	case ui.Drag:
		s.dragRange(s.picture.chart.TimeAt(hit.X, hit.Width))
	case ui.RightPress:
		s.time.Cursor = time.Time{}
	case ui.WheelUp:
		s.time.Zoom(-1)
	case ui.WheelDown:
		s.time.Zoom(1)
	case ui.Release:
		s.pressed = time.Time{}
	}
	return s.readPast()
}

// hitRow selects a curve; a double press highlights it, the wheel moves the selection.
func (s *Screen) hitRow(hit ui.HitMsg) ui.Cmd {
	switch hit.Button {
	case ui.Press:
		s.legend.List.Select(hit.Index)
		if hit.Double {
			s.toggleHighlight()
		}
	case ui.WheelUp:
		s.legend.List.Move(-1)
	case ui.WheelDown:
		s.legend.List.Move(1)
	case ui.RightPress, ui.Drag, ui.Release:
	}
	return nil
}
