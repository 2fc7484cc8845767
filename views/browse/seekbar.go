package browse

import (
	"strconv"
	"time"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// SeekBar is the timeline of a replay at the foot of all screens: state, times, position, marks and speed.
type SeekBar struct{ Deck *deck.Deck }

// minSeekBar is the minimum width of the timeline in cells; the times are left out before it gets narrower.
const minSeekBar = 16

// Draw draws the bar into the first row; it returns false, and draws nothing, when the deck shows no replay.
func (b SeekBar) Draw(area widget.Area) bool {
	m := b.Deck.Monitor()
	if m == nil || area.Height == 0 {
		return false
	}
	from, to, ok := m.Seekable()
	if !ok {
		return false
	}
	g, status := area.Glyphs(), m.Status()
	muted, accent := themes.Style{Role: themes.Muted}, themes.Style{Role: themes.Accent}
	state := "playing"
	switch {
	case b.Deck.Seeking():
		state = "moving"
	case status.Ended:
		state = "at the end"
	case status.Paused:
		state = "paused"
	}
	x := area.Print(1, 0, widget.Pad(string(g.Replay)+" "+state, 13), accent)
	left, right := formatClock(b.Deck.Local(from), b.Deck.Local(to))+" ", " "+formatClock(b.Deck.Local(to), b.Deck.Local(from))
	speed := "  x" + strconv.FormatFloat(status.Speed, 'g', -1, 64)
	if area.Width-x-widget.Width(left+right+speed)-1 < minSeekBar {
		left, right = "", ""
	}
	x = area.Print(x, 0, left, muted)
	end := area.Width - widget.Width(right+speed) - 1
	area.Print(end, 0, right+speed, muted)
	if bar := area.Sub(x, 0, max(0, end-x), 1); bar.Width > 1 && from.Before(to) {
		b.drawBar(bar, from, to, b.Deck.Position())
	}
	return true
}

// formatClock returns the time of day, with the date if the other time is on another day.
func formatClock(at, other time.Time) string {
	other = other.In(at.Location())
	if at.Format(time.DateOnly) == other.Format(time.DateOnly) {
		return at.Format(time.TimeOnly)
	}
	return at.Format("01-02 15:04")
}

// drawBar draws the played part, the marked range and the marks. Of several marks in one cell it draws the most important
// one: notes, then changes, then crossed thresholds, then other events.
func (b SeekBar) drawBar(bar widget.Area, from, to, now time.Time) {
	g := bar.Glyphs()
	length := float64(to.Sub(from))
	cell := func(at time.Time) int {
		return max(0, min(int(float64(at.Sub(from))/length*float64(bar.Width-1)), bar.Width-1))
	}
	accent := themes.Style{Role: themes.Accent}
	bar.Horizontal(0, g.Horizontal, themes.Style{Role: themes.Border})
	for x := range cell(now) {
		bar.Set(x, 0, g.Line, accent)
	}
	if first, last := b.Deck.RangeShown(); first.Before(last) {
		for x := cell(first); x <= cell(last); x++ {
			bar.Set(x, 0, g.Range, accent)
		}
	}
	if opened := b.Deck.Opened(); opened != nil {
		kinds := make([]deck.MomentKind, bar.Width) // the kind plus 1; 0 for no mark
		for _, m := range opened.Moments() {
			x := cell(m.At)
			kinds[x] = max(kinds[x], m.Kind+1)
		}
		for x, kind := range kinds {
			if kind > 0 {
				glyph, role := momentLook(g, kind-1)
				bar.Set(x, 0, glyph, themes.Style{Role: role})
			}
		}
	}
	bar.Set(cell(now), 0, g.Up, accent)
	bar.Zone(0, 0, bar.Width, 1, ui.RuleZone, 0)
}

// momentLook returns the glyph and role of a mark.
func momentLook(g *themes.Glyphs, kind deck.MomentKind) (rune, themes.Role) {
	switch kind {
	case deck.NoteMoment:
		return g.Edited, themes.Accent
	case deck.ChangeMoment:
		return g.Pending, themes.Pending
	case deck.CrossingMoment:
		return g.Warning, themes.Warn
	default:
		return g.Marker, themes.Info
	}
}

// Hit moves the replay to the pressed position.
func (b SeekBar) Hit(hit ui.HitMsg) ui.Cmd {
	m := b.Deck.Monitor()
	if m == nil || hit.Width < 2 || hit.Button != ui.Press && hit.Button != ui.Release {
		return nil
	}
	from, to, ok := m.Seekable()
	if !ok {
		return nil
	}
	part := float64(hit.X) / float64(hit.Width-1)
	return b.Deck.Seek(from.Add(time.Duration(part * float64(to.Sub(from)))))
}
