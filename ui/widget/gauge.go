package widget

import (
	"math"
	"strconv"
	"time"

	"cxdeck/themes"
)

// DrawGauge draws how much of high a value is: a bar with its percentage at the right, in the area's first line. A value
// that is not known is a muted dash.
func DrawGauge(area Area, value, high float64, role themes.Role) {
	row := area.Sub(0, 0, area.Width, 1)
	percent, style := "-", themes.Style{Role: themes.Muted}
	if share := value / high; !math.IsNaN(share) && !math.IsInf(share, 0) {
		percent = strconv.FormatFloat(clampFloat(math.Round(100*share), -999, 9999), 'f', 0, 64) + "%"
		style.Role = themes.Text
	}
	const room = 5 // "100%" and a blank
	row.PrintRight(row.Width, 0, percent, style)
	bar := row.Sub(0, 0, row.Width-room, 1)
	for x := range bar.Width {
		bar.Set(x, 0, bar.Glyphs().Shade, themes.Style{Role: themes.Border})
	}
	drawBar(bar, value, high, themes.Style{Role: role})
}

func clampFloat(v, low, high float64) float64 { return max(low, min(v, high)) }

// SeekBar shows a position within a span of time, with the clock at both ends.
type SeekBar struct {
	// ID is the zone of the bar for the mouse; TimeAt tells the time that was hit.
	ID           string
	From, To, At time.Time
	// Location is the time zone of the clocks; nil for UTC.
	Location *time.Location
}

// TimeAt is the time at a hit on the bar: its start at the first cell, its end at the last.
func (s *SeekBar) TimeAt(hit Hit) time.Time {
	if hit.Width < 2 {
		return s.From
	}
	share := float64(clamp(hit.X, 0, hit.Width-1)) / float64(hit.Width-1)
	return s.From.Add(time.Duration(share * float64(s.To.Sub(s.From))))
}

// Draw draws the bar in the area's first line. Where there is little room, the clocks go.
func (s *SeekBar) Draw(area Area) {
	row := area.Sub(0, 0, area.Width, 1)
	const clock, least = "15:04:05", 10
	muted := themes.Style{Role: themes.Muted}
	bar := row
	if row.Width >= 2*(len(clock)+1)+least {
		location := s.Location
		if location == nil {
			location = time.UTC
		}
		row.Print(0, 0, s.From.In(location).Format(clock), muted)
		row.PrintRight(row.Width, 0, s.To.In(location).Format(clock), muted)
		bar = row.Sub(len(clock)+1, 0, row.Width-2*(len(clock)+1), 1)
	}
	g := bar.Glyphs()
	at := 0
	if span := s.To.Sub(s.From); span > 0 {
		share := clampFloat(float64(s.At.Sub(s.From))/float64(span), 0, 1)
		at = int(share*float64(bar.Width-1) + 0.5)
	}
	for x := range bar.Width {
		switch {
		case x < at:
			bar.Set(x, 0, g.Line, themes.Style{Role: themes.Accent})
		case x == at:
			bar.Set(x, 0, g.Up, themes.Style{Role: themes.Accent, Attr: themes.Bold})
		default:
			bar.Set(x, 0, g.Horizontal, themes.Style{Role: themes.Border})
		}
	}
	bar.Zone(0, 0, bar.Width, 1, s.ID, 0)
}
