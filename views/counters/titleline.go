package counters

import (
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/timeline"
)

// rangeNoteLine is one piece at the right of the title line; the highest rank goes first when there is too little room.
type rangeNoteLine struct {
	text  string
	style themes.Style
	rank  int
}

// drawTitle returns what the curves are and how they are shown.
func (s *Screen) drawTitle(area widget.Area) {
	if area.Height == 0 {
		return
	}
	remarks := s.remarks(area.Glyphs())
	const gap = 3
	title := s.title
	if title == "" {
		title = "Counters"
	}
	for {
		width, worst := 0, -1
		for i, r := range remarks {
			width += widget.Width(r.text) + gap
			if worst < 0 || r.rank >= remarks[worst].rank {
				worst = i
			}
		}
		if width+min(widget.Width(title), 24)+2 <= area.Width || len(remarks) < 2 {
			x := max(0, area.Width-width+gap-1)
			area.PrintCut(1, 0, max(0, x-2), title, heading)
			for _, r := range remarks {
				x = area.Print(x, 0, r.text, r.style) + gap
			}
			return
		}
		remarks = append(remarks[:worst:worst], remarks[worst+1:]...)
	}
}

// remarks returns the choices that are in force, in the order of the line.
func (s *Screen) remarks(g *themes.Glyphs) []rangeNoteLine {
	list := []rangeNoteLine{}
	if s.mode != modeLine {
		list = append(list, rangeNoteLine{modeNames[s.mode], plain, 2})
	}
	if s.mode == modeLine && s.stacked {
		list = append(list, rangeNoteLine{"stacked", plain, 3})
	}
	if s.mode == modeLine && s.log && !s.stacked {
		list = append(list, rangeNoteLine{"log", plain, 3})
	}
	if s.mode == modeLine && s.small {
		list = append(list, rangeNoteLine{s.smallNote(), plain, 2})
	}
	list = append(list,
		rangeNoteLine{s.scaleNote(), muted, 4},
		rangeNoteLine{"duration " + timeline.Spans[s.time.Span].Name, muted, 1},
	)
	if text := s.rangeNote(); text != "" {
		list = append(list, rangeNoteLine{text, attention, 0})
	}
	switch {
	case s.time.Frozen:
		list = append(list, rangeNoteLine{strings.Repeat(string(g.Frozen), 2) + " frozen", themes.Style{Role: themes.Pending, Attr: themes.Bold}, 0})
	case !s.time.Following():
		list = append(list, rangeNoteLine{string(g.Replay) + " until " + s.clock(s.time.End), attention, 0})
	}
	return list
}

// scaleNote names the scale that is in force.
func (s *Screen) scaleNote() string {
	switch {
	case s.scale == scaleLine && !s.picture.axis.percent:
		return "auto scale (no line rate)"
	case s.scale == scaleManual:
		return "scale 0 to " + s.picture.axis.lead.Number(s.manual, s.deck.InBytes)
	default:
		return scaleNames[s.scale]
	}
}
