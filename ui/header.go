package ui

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// drawHeader draws the line at the top. Segments that don't fit are dropped by rank, the highest first.
func (s *Shell) drawHeader(area widget.Area) {
	area.Fill(themes.Style{Ground: themes.Raised})
	header := Header{}
	if s.options.Header != nil {
		header = s.options.Header()
	}
	product := Segment{Text: s.options.Product, Style: themes.Style{Role: themes.Title, Attr: themes.Bold}}
	groups := [3][]Segment{append([]Segment{product}, header.Left...), header.Middle, header.Right}
	if s.options.ReadOnly {
		groups[0] = append(groups[0], Segment{Text: "read-only", Style: themes.Style{Role: themes.Warn}, Rank: 1})
	}
	waits, glyph := s.listWaits(), s.glyphs().Restarting
	groups[2] = append([]Segment{waitSegment(waits, glyph, maxWaitName)}, groups[2]...)
	if s.inLines {
		text := strings.Join(plainTexts(slices.Concat(groups[:]...)), ", ")
		area.Print(0, 0, widget.Cut(text, area.Width), themes.Style{})
		return
	}
	over := fitHeader(&groups, area.Width)
	for longest := maxWaitName; over > 0 && longest > minWaitName && len(waits) > 0; {
		longest--
		groups[2][0] = waitSegment(waits, glyph, longest)
		over = fitHeader(&groups, area.Width)
	}
	if over > 0 && len(groups[0]) > 1 { // a long name of a source gives way to the time
		source := groups[0][1].Text
		groups[0] = slices.Clone(groups[0])
		groups[0][1].Text = widget.Cut(source, max(widget.Width(source)-over, minSourceName))
	}
	left, middle, right := groupWidth(groups[0]), groupWidth(groups[1]), groupWidth(groups[2])
	drawGroup(area, 1, groups[0])
	drawGroup(area, area.Width-1-right, groups[2])
	// The middle is centred, and gives way to its neighbours.
	x := min((area.Width-middle)/2, area.Width-1-right-segmentGap-middle)
	drawGroup(area, max(x, 1+left+segmentGap), groups[1])
}

// plainTexts returns the texts of segments for plain mode.
func plainTexts(segments []Segment) (texts []string) {
	for _, segment := range segments {
		if text := strings.TrimSpace(strings.Map(blankDrawing, cmp.Or(segment.Spoken, segment.Text))); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// minSourceName is the number of cells that the name of a source keeps in a narrow header.
const minSourceName = 8

// segmentGap is the gap between two segments, in cells.
const segmentGap = 2

// fitHeader drops segments until the groups fit side by side. It returns the cells that are still missing when no more segments
// can be dropped.
func fitHeader(groups *[3][]Segment, width int) (over int) {
	for {
		need, worst, group, index := 2, 0, -1, -1
		for g, segments := range groups {
			if w := groupWidth(segments); w > 0 {
				need += w + segmentGap
			}
			for i, segment := range segments {
				if segment.Rank > 0 && segment.Rank >= worst && segment.Text != "" {
					worst, group, index = segment.Rank, g, i
				}
			}
		}
		if need-segmentGap <= width || group < 0 {
			return need - segmentGap - width
		}
		kept := append([]Segment(nil), groups[group][:index]...)
		groups[group] = append(kept, groups[group][index+1:]...)
	}
}

func groupWidth(segments []Segment) int {
	width := 0
	for _, segment := range segments {
		if segment.Text == "" {
			continue
		}
		if width > 0 {
			width += segmentGap
		}
		width += widget.Width(segment.Text)
	}
	return width
}

func drawGroup(area widget.Area, x int, segments []Segment) {
	for _, segment := range segments {
		if segment.Text == "" {
			continue
		}
		style := segment.Style
		if style.Ground == themes.Plain {
			style.Ground = themes.Raised
		}
		x = area.Print(x, 0, segment.Text, style) + segmentGap
	}
}
