package overview

import (
	"time"

	"cxdeck/driver"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// drawEvent draws one event into one line: time, severity, whom it is about, what happened.
func drawEvent(area widget.Area, now time.Time, e *driver.Event) {
	glyph, role := deck.SeverityLook(area.Glyphs(), e.Severity)
	x := area.Print(0, 0, deck.EventTime(e.Time, now), themes.Style{Role: themes.Muted}) + 2
	area.Set(x, 0, glyph, themes.Style{Role: role})
	x += 2
	who := e.Adapter
	if who == "" {
		who = e.Source
	}
	area.PrintCut(x, 0, whoWidth, who, themes.Style{})
	x += whoWidth + 1
	area.PrintCut(x, 0, area.Width-x, deck.EventText(e), themes.Style{})
}

// whoWidth is the width of an adapter's name beside an event.
const whoWidth = 14
