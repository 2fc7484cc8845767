package counters

import (
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/timeline"
)

// remark is one text at the right of the title line; the highest rank is left out first in a narrow window.
type remark struct {
	text  string
	style themes.Style
	rank  int
}

// drawTitle draws the title of the curves, and at the right the current settings.
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

// remarks returns the texts of the current settings, in their order on the line.
func (s *Screen) remarks(g *themes.Glyphs) []remark {
	list := []remark{}
	if s.mode != modeLine {
		list = append(list, remark{modeNames[s.mode], plain, 2})
	}
	if s.mode == modeLine && s.stacked {
		list = append(list, remark{"stacked", plain, 3})
	}
	if s.mode == modeLine && s.log && !s.stacked {
		list = append(list, remark{"log", plain, 3})
	}
	if s.mode == modeLine && s.small {
		list = append(list, remark{s.smallNote(), plain, 2})
	}
	list = append(list,
		remark{s.scaleNote(), muted, 4},
		remark{"duration " + timeline.Spans[s.time.Span].Name, muted, 1},
	)
	if text := s.rangeNote(); text != "" {
		list = append(list, remark{text, attention, 0})
	}
	switch {
	case s.time.Frozen:
		list = append(list, remark{strings.Repeat(string(g.Frozen), 2) + " frozen", themes.Style{Role: themes.Pending, Attr: themes.Bold}, 0})
	case !s.time.Following():
		list = append(list, remark{string(g.Replay) + " until " + s.clock(s.time.End), attention, 0})
	}
	return list
}

// scaleNote names the current scale.
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
